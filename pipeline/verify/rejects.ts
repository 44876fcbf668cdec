import { join } from "node:path";
import type { Manifest } from "../../data/format/manifest.ts";
import { REJECTS_PATH } from "../../data/format/paths.ts";
import { type Database, quotePath } from "../database/index.ts";
import { checksOf, type Ledger, messageOf } from "./ledger.ts";
import { readNamed } from "./named-file.ts";

const COLUMNS = ["collection", "source", "id", "reason", "detail"];

export async function verifyRejects(
  database: Database,
  dataset: string,
  rejects: Manifest["rejects"],
  ledger: Ledger,
): Promise<void> {
  const { say, same } = checksOf(ledger, "dataset", REJECTS_PATH);
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
    const total = reasons.reduce((sum, { rows }) => sum + rows, 0);
    same("counts", "rows", total, rejects.rows);
    const counted = Object.fromEntries(reasons.map(({ reason, rows }) => [reason, rows]));
    same("counts", "reasons", counted, rejects.reasons);
  } catch (error) {
    say("columns", false, () => `cannot be read: ${messageOf(error)}`);
  }
}
