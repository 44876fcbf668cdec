/** How much room rows take in the forms in which they are stored, by what some of them take. @module */
import type { DuckDBBlobValue } from "@duckdb/node-api";
import type { Collection } from "../../data/format/collections.ts";
import { BLOCK_BYTES, STRETCH_BLOCKS, type StoredRecord } from "../../data/format/records.ts";
import { type Database, quoteIdentifier } from "../database/index.ts";
import { deflate } from "../packs/index.ts";
import { type leafRanges, measureRowBytes } from "../partitions/index.ts";
import { fitGroups, makeDictionary, parseRow, rowJsonSql, shortest } from "../records/index.ts";

type KeyRange = ReturnType<typeof leafRanges>[number];

/** In bytes of a row. */
export interface MeasuredRows {
  readonly slice: number;
  /** In its points. */
  readonly points: number;
  readonly record: number;
  /** Rows that a stretch of records takes. */
  readonly stretchRows: number;
  readonly dictionary: Uint8Array;
}

export interface RowsToMeasure {
  readonly collection: Collection;
  /** As what follows FROM. */
  readonly rows: string;
  /** Whose rows are measured as slices. */
  readonly cells: readonly KeyRange[];
  readonly scratch: string;
}

/** Rows that are measured as records; those with the least hashes of their ids, wherever they are. */
const SAMPLED_RECORDS = 512;

/** Numbers of rows hardly compress. */
const NUMBER_BYTES = 3;

/** So that most ranges of ids become one stretch, although their rows are larger than most. */
const FILL = 0.9;

const SAMPLE = "sampled_rows";

export async function measureRows(
  database: Database,
  { collection, rows, cells, scratch }: RowsToMeasure,
): Promise<MeasuredRows> {
  const [greatest] = await database.rows<{ hash: string }>(`
    SELECT max(hash)::VARCHAR AS hash FROM (SELECT hash(id) AS hash FROM ${rows} ORDER BY 1 LIMIT ${SAMPLED_RECORDS})`);
  const inCells = cells.map(({ start, end }) => `_location >= ${start} AND _location < ${end}`);
  const columns = collection.columns.map(({ name }) => name);
  // one pass over the rows for all that is measured
  await database.run(`
    CREATE TABLE ${SAMPLE} AS
    SELECT ${columns.map(quoteIdentifier).join(", ")}, _location, hash(id) AS _hash FROM ${rows}
    WHERE hash(id) <= ${greatest?.hash ?? 0}::UBIGINT OR ${inCells.join(" OR ")}`);
  const slice = await measureRowBytes(database, { table: SAMPLE, columns, folder: scratch }, cells);
  const records = await readRecords(database, collection, greatest?.hash ?? "0");
  const dictionary = makeDictionary(records.map(({ json }) => json));
  const shapes = records.map(({ geometry }) => geometry);
  let blocks = 0;
  for (const group of fitGroups(records, dictionary)) blocks += group.blocks;
  const record = (blocks * BLOCK_BYTES) / records.length;
  await database.run(`DROP TABLE ${SAMPLE}`);
  return {
    slice,
    points: deflate(Buffer.concat(shapes)).length / records.length + NUMBER_BYTES,
    record,
    stretchRows: Math.max(1, Math.floor((FILL * STRETCH_BLOCKS * BLOCK_BYTES) / record)),
    dictionary,
  };
}

async function readRecords(database: Database, collection: Collection, greatest: string): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  const sql = `
    SELECT ${rowJsonSql(collection)}, geometry FROM ${SAMPLE}
    WHERE _hash <= ${greatest}::UBIGINT ORDER BY _hash, id LIMIT ${SAMPLED_RECORDS}`;
  for await (const [texts = [], geometries = []] of database.stream(sql)) {
    for (const [index, text] of texts.entries()) {
      const json = Buffer.from(JSON.stringify(parseRow(String(text))));
      records.push({ json, geometry: shortest((geometries[index] as DuckDBBlobValue).bytes) });
    }
  }
  return records;
}
