import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { firstNumberOf } from "../../../data/format/id-order.ts";
import { collectionIn } from "../../../data/format/own-collections.ts";
import { countRows, type Database, quoteIdentifier } from "../../base/database/index.ts";
import { writeUnits } from "../partitions/index.ts";
import type { ReduceTask } from "../plan/index.ts";
import { ORDER_COLUMN } from "../rows/index.ts";
import { lookupKeySql, packLookups } from "../term-runs/index.ts";
import { numberedSql, readNumbering } from "./numbered-rows.ts";
import { LOOKUPS_FILE, type ReduceFacts, writeAddresses, writeNodes } from "./recorded-rows.ts";
import type { TaskContext } from "./row-files.ts";
import { readBucket, readDictionary } from "./survey.ts";

const SORTED = "sorted";

/**
 * Sorts the numbered rows of a bucket of the run `location`, and writes its slices with their points and records. Also
 * writes where the record of each row is, by row number and by the key of the id (`lookupKeySql`).
 */
export async function reduce(
  { plan, database, folder }: TaskContext,
  { collection: name, survey, of, bucket: index }: ReduceTask,
): Promise<ReduceFacts> {
  const bucket = await readBucket(plan, survey, { run: "location", index });
  if (!bucket) return { rows: 0, countries: [] };
  const numbering = await readNumbering(plan, { survey, of });
  const collection = collectionIn(plan, name);
  const key = ORDER_COLUMN.location;
  await database.run(`
    CREATE TABLE ${SORTED} AS
    SELECT ${collection.columns.map((column) => quoteIdentifier(column.name)).join(", ")},
      _geohash, _kind, _number::DOUBLE AS _number
    FROM ${numberedSql(plan, numbering)} WHERE ${key} >= ${bucket.start} AND ${key} < ${bucket.end} ORDER BY ${key}, id`);
  const leaves = bucket.units.flatMap(({ packs }) => packs.flat());
  const expected = leaves.at(-1)?.end ?? 0;
  const rows = await countRows(database, SORTED);
  if (rows !== expected) {
    throw new Error(`${name}: bucket ${index} of the location run has ${rows} rows, expected ${expected}`);
  }
  const into = {
    collection,
    table: SORTED,
    rows,
    folder,
    level: plan.level,
    packBytes: plan.packBytes,
    sectionBytes: plan.sectionBytes,
    dictionary: await readDictionary(plan, survey),
    firstNumberOf: (country: string) => firstNumberOf(numbering.firstSegments.get(country) ?? 0),
  };
  const { numbers, addresses, ...nodes } = await writeUnits(database, into, bucket.units);
  await writeAddresses(folder, numbering, { numbers, addresses });
  await writeFile(join(folder, LOOKUPS_FILE), packLookups(await readKeys(database, rows), addresses));
  return writeNodes(folder, nodes);
}

async function readKeys(database: Database, rows: number): Promise<Uint32Array> {
  const keys = new Uint32Array(rows);
  for await (const [places = [], found = []] of database.stream(
    `SELECT rowid::INTEGER, ${lookupKeySql("id")} FROM ${SORTED}`,
  )) {
    for (const [index, key] of found.entries()) keys[Number(places[index])] = Number(key);
  }
  return keys;
}
