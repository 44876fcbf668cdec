/**
 * Brings the rows of one collection together in a table: normalised, unique by id, with the keys they are sorted by.
 * @module
 */
import type { Collection, CollectionName } from "../data/format/collections.ts";
import type { Database } from "./database.ts";
import { type NormalisedSource, normaliseSql } from "./normalise.ts";
import { REJECTS_TABLE } from "./rejects.ts";
import { castColumns } from "./schema.ts";
import type { TypedSource } from "./source-type.ts";
import { quoteLiteral } from "./sql.ts";

export async function createRejects(database: Database): Promise<void> {
  await database.run(
    `CREATE TABLE ${REJECTS_TABLE} (collection VARCHAR, source VARCHAR, id VARCHAR, reason VARCHAR, detail VARCHAR, _source INTEGER, _row BIGINT)`,
  );
}

export interface Staged {
  /** Rows are in this table. */
  readonly table: string;
  readonly ignoredColumns: readonly string[];
}

/** Name of the table with a collection's rows. */
export function stagedTable(name: CollectionName): string {
  return `staged_${name}`;
}

/** Reads all sources of a collection into a table of its own. */
export async function stageCollection(
  database: Database,
  collection: Collection,
  sources: readonly TypedSource[],
  open: (source: TypedSource) => Promise<NormalisedSource>,
): Promise<Staged> {
  const table = stagedTable(collection.name);
  const typed = await castColumns(database, collection);
  const ignored = new Set<string>();
  let isFirst = true;
  for (const source of sources) {
    const opened = await open(source);
    for (const name of opened.ignored) ignored.add(name);
    try {
      const sql = normaliseSql(collection, typed, opened);
      await database.run(isFirst ? `CREATE TABLE ${table} AS ${sql}` : `INSERT INTO ${table} ${sql}`);
    } catch (cause) {
      throw new Error(`${source.path}: ${firstLine(cause)}`, { cause });
    }
    isFirst = false;
  }
  await rejectDuplicates(database, table);
  await moveRejects(database, table, collection.name, sources);
  return { table, ignoredColumns: [...ignored].sort() };
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}

/** The highest version stays; of equal versions the first by order of sources, then of rows. */
async function rejectDuplicates(database: Database, table: string): Promise<void> {
  await database.run(`
    UPDATE ${table} SET _reason = 'duplicate id', _detail = 'version ' || "version" || ', kept is version ' || best
    FROM (
      SELECT rowid AS place, max("version") OVER same AS best, row_number() OVER same AS rank
      FROM ${table}
      WHERE id IN (SELECT id FROM ${table} WHERE _reason IS NULL GROUP BY id HAVING count(*) > 1) AND _reason IS NULL
      WINDOW same AS (PARTITION BY id ORDER BY "version" DESC, _source, _row)
    ) ranked
    WHERE ${table}.rowid = ranked.place AND ranked.rank > 1`);
}

async function moveRejects(
  database: Database,
  table: string,
  collection: string,
  sources: readonly TypedSource[],
): Promise<void> {
  const names = sources.map(({ index, name }) => `(${index}, ${quoteLiteral(name)})`).join(", ");
  await database.run(`
    INSERT INTO ${REJECTS_TABLE}
    SELECT ${quoteLiteral(collection)}, names.name, id, _reason, _detail, _source, _row
    FROM ${table} JOIN (VALUES ${names}) names(index, name) ON names.index = _source
    WHERE _reason IS NOT NULL`);
  await database.run(`DELETE FROM ${table} WHERE _reason IS NOT NULL`);
}
