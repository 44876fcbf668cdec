import type { CollectionName } from "../../data/format/collections.ts";
import { spellKey } from "../../data/format/lookup.ts";
import { ALL_COUNTRIES, type PartitionNode } from "../../data/format/manifest.ts";
import { countRows, type Database } from "../database/index.ts";
import { type RowsOf, writeTermPartitions } from "./write-term-run.ts";

/** About 80 KiB: a lookup reads one partition. */
const TARGET_ROWS = 16 * 1024;

const KEY_BITS = 32;

const RUN = "run_find";
export const LOOKUP_COLUMNS = ["key", "country"] as const;

export interface LookupOptions {
  readonly collection: CollectionName;
  readonly rowsOf: RowsOf;
  readonly folder: string;
}

/** The find run: where a row is that has an id. */
export async function makeLookupRun(
  database: Database,
  { collection, rowsOf, folder }: LookupOptions,
): Promise<PartitionNode[]> {
  await makeLookup(database, { collection, rowsOf, table: RUN });
  const rows = await countRows(database, RUN);
  // keys are hashes: in equal ranges a row more or less changes one partition, unless their number doubles
  const bits = Math.ceil(Math.log2(Math.max(1, rows / TARGET_ROWS)));
  const parts = await database.rows<{ rows: number; first: number; last: number }>(`
    SELECT count(*) AS rows, min(key) AS first, max(key) AS last
    FROM ${RUN} GROUP BY key::UBIGINT >> ${KEY_BITS - bits} ORDER BY first`);
  let start = 0;
  const terms = parts.map(({ rows, first, last }) => {
    const [firstTerm, lastTerm] = [spellKey(first), spellKey(last)];
    const part = { country: ALL_COUNTRIES, start, end: start + rows, firstTerm, lastTerm, startInTerm: start };
    start += rows;
    return part;
  });
  const into = { collection, run: "find", table: RUN, columns: LOOKUP_COLUMNS, folder } as const;
  const run = await writeTermPartitions(database, into, terms);
  await database.run(`DROP TABLE ${RUN}`);
  return run;
}

export async function makeLookup(
  database: Database,
  { collection, rowsOf, table }: Omit<LookupOptions, "folder"> & { readonly table: string },
): Promise<void> {
  await database.run(`
    CREATE OR REPLACE TABLE ${table} AS
    SELECT CAST('0x' || left(sha256(id), 8) AS UINTEGER) AS key, country,
      struct_pack(xmin := -180, ymin := -90, xmax := 180, ymax := 90) AS bbox
    FROM ${rowsOf(collection)}
    ORDER BY 1, 2`);
}
