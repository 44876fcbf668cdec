/**
 * Verifies `rejects.parquet`.
 * @module
 */
import { join } from "node:path";
import type { Manifest } from "../../data/format/manifest.ts";
import { REJECTS_PATH } from "../../data/format/paths.ts";
import { type Database, quotePath } from "../database/index.ts";
import { type Check, expectedGot, type Ledger } from "./ledger.ts";
import { readNamed } from "./named-file.ts";

const COLUMNS = ["collection", "source", "id", "reason", "detail"];

export async function verifyRejects(
  database: Database,
  dataset: string,
  rejects: Manifest["rejects"],
  ledger: Ledger,
): Promise<void> {
  const same = (check: Check, what: string, expected: unknown, got: unknown): boolean =>
    ledger.expect(
      "dataset",
      check,
      JSON.stringify(expected) === JSON.stringify(got),
      () => `${REJECTS_PATH}: ${what} ${expectedGot(expected, got)}`,
    );
  const content = await readNamed(dataset, { scope: "dataset", path: REJECTS_PATH, ...rejects }, ledger);
  if (!content) return;
  const file = quotePath(join(dataset, REJECTS_PATH));
  try {
    const columns = await database.columns(`SELECT * FROM read_parquet(${file})`);
    const names = columns.map(({ name }) => name);
    if (!same("columns", "columns", COLUMNS, names)) return;
    const reasons = await database.rows<{ reason: string; rows: number }>(
      `SELECT reason, count(*) AS rows FROM read_parquet(${file}) GROUP BY 1 ORDER BY 1`,
    );
    same(
      "counts",
      "rows",
      rejects.rows,
      reasons.reduce((sum, { rows }) => sum + rows, 0),
    );
    same("counts", "reasons", rejects.reasons, Object.fromEntries(reasons.map(({ reason, rows }) => [reason, rows])));
  } catch (error) {
    ledger.expect(
      "dataset",
      "columns",
      false,
      () => `${REJECTS_PATH}: cannot be read: ${String(error).split("\n")[0]}`,
    );
  }
}
