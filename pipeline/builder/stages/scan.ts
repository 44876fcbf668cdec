import { join } from "node:path";
import type { CollectionName } from "../../../data/format/collections.ts";
import { firstLineOf } from "../../../data/format/message-of.ts";
import { collectionIn } from "../../../data/format/own-collections.ts";
import { countRows, quoteLiteral, quotePath } from "../../base/database/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { type Citation, readCitations } from "../../overture/extract/index.ts";
import { type BuildPlan, type CountryRows, readFacts, type ScanTask } from "../plan/index.ts";
import { geometryFigures, type LocateCountry, normaliseSql } from "../rows/index.ts";
import { castColumns, openSource, REJECTS_TABLE } from "../sources/index.ts";
import { type PartFacts, type TaskContext, writePart } from "./row-files.ts";

const SCANNED = "scanned";

/** Name of the file of rejected records, with the columns `id reason detail _row`. */
export const REJECTS_FILE = "rejects.parquet";

export interface ScanFacts extends PartFacts {
  readonly rejects: number;
  readonly ignored: readonly string[];
  readonly citations: readonly Citation[];
}

/**
 * Reads one source file, checks its records, and writes the accepted ones as a part and the rejected ones to
 * `REJECTS_FILE`. Throws if the file cannot be read.
 */
export async function scan(
  { plan, database, folder }: TaskContext,
  { source, collection: name }: ScanTask,
  locate: LocateCountry,
): Promise<ScanFacts> {
  database.register(geometryFigures(locate));
  await database.run(`CREATE TABLE ${REJECTS_TABLE} (id VARCHAR, reason VARCHAR, detail VARCHAR, _row BIGINT)`);
  const collection = collectionIn(plan, name);
  const opened = await openSource(database, source, collection);
  try {
    const sql = normaliseSql(collection, await castColumns(database, collection), opened);
    await database.run(`CREATE TABLE ${SCANNED} AS ${sql}`);
  } catch (cause) {
    throw new CodedError("CAIRN_E_SOURCE", `${source.path}: ${firstLineOf(cause)}`, { cause });
  }
  await database.run(`
    INSERT INTO ${REJECTS_TABLE} SELECT id, _reason, _detail, _row FROM ${SCANNED} WHERE _reason IS NOT NULL`);
  if (source.rejects !== undefined)
    await database.run(`INSERT INTO ${REJECTS_TABLE} SELECT * FROM read_parquet(${quotePath(source.rejects)})`);
  await database.run(`DELETE FROM ${SCANNED} WHERE _reason IS NOT NULL`);
  await database.run(`COPY ${REJECTS_TABLE} TO ${quoteLiteral(join(folder, REJECTS_FILE))} (FORMAT parquet)`);
  const part = await writePart(database, { collection, table: SCANNED, folder });
  const rejects = await countRows(database, REJECTS_TABLE);
  return {
    ...part,
    rejects,
    ignored: opened.ignored,
    citations: collection.own ? [] : await readCitations(database, SCANNED),
  };
}

/**
 * Returns a function that returns the number of rows by country that the scans of a collection accepted, in the order
 * of countries. Duplicates are included. Throws if a scan is not finished.
 */
export async function readCountries({ work, stages }: BuildPlan): Promise<(name: CollectionName) => CountryRows[]> {
  const counts = new Map<CollectionName, Map<string, number>>();
  for (const task of stages.flatMap(({ tasks }) => tasks)) {
    if (task.stage !== "scan") continue;
    const mine = counts.get(task.collection) ?? new Map<string, number>();
    counts.set(task.collection, mine);
    const { countries } = await readFacts<ScanFacts>(work, task.key);
    for (const { country, rows } of countries) mine.set(country, (mine.get(country) ?? 0) + rows);
  }
  return (name) => [...(counts.get(name) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
}
