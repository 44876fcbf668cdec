import { join } from "node:path";
import { COLLECTIONS } from "../../data/format/collections.ts";
import { countRows, quoteLiteral } from "../database/index.ts";
import type { ScanTask } from "../plan/index.ts";
import { geometryFigures, type LocateCountry, normaliseSql } from "../rows/index.ts";
import { type Citation, castColumns, openSource, REJECTS_TABLE, readCitations } from "../sources/index.ts";
import { type PartFacts, type TaskContext, writePart } from "./row-files.ts";

const SCANNED = "scanned";

/** With `id reason detail _row`. */
export const REJECTS_FILE = "rejects.parquet";

export interface ScanFacts extends PartFacts {
  readonly rejects: number;
  readonly ignored: readonly string[];
  readonly citations: readonly Citation[];
}

/** Turns one source file into a part and its rejects. */
export async function scan(
  { database, folder }: TaskContext,
  { source, collection }: ScanTask,
  locate: LocateCountry,
): Promise<ScanFacts> {
  database.register(geometryFigures(locate));
  await database.run(`CREATE TABLE ${REJECTS_TABLE} (id VARCHAR, reason VARCHAR, detail VARCHAR, _row BIGINT)`);
  const opened = await openSource(database, source);
  try {
    const sql = normaliseSql(COLLECTIONS[collection], await castColumns(database, COLLECTIONS[collection]), opened);
    await database.run(`CREATE TABLE ${SCANNED} AS ${sql}`);
  } catch (cause) {
    throw new Error(`${source.path}: ${firstLine(cause)}`, { cause });
  }
  await database.run(`
    INSERT INTO ${REJECTS_TABLE} SELECT id, _reason, _detail, _row FROM ${SCANNED} WHERE _reason IS NOT NULL`);
  await database.run(`DELETE FROM ${SCANNED} WHERE _reason IS NOT NULL`);
  await database.run(`COPY ${REJECTS_TABLE} TO ${quoteLiteral(join(folder, REJECTS_FILE))} (FORMAT parquet)`);
  await writePart(database, { collection, table: SCANNED, folder });
  const [rows, rejects] = [await countRows(database, SCANNED), await countRows(database, REJECTS_TABLE)];
  return { rows, rejects, ignored: opened.ignored, citations: await readCitations(database, SCANNED) };
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
