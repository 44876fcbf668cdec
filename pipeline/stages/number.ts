import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DOUBLE, type DuckDBBlobValue, INTEGER } from "@duckdb/node-api";
import type { Collection } from "../../data/format/collections.ts";
import type { Slice } from "../../data/format/manifest.ts";
import { collectionIn, withComputed } from "../../data/format/own-collections.ts";
import { packPath } from "../../data/format/paths.ts";
import { firstNumberOf } from "../../data/format/records.ts";
import { BY_ENDS, endTermsOf, storedTerms, type TermColumns } from "../../data/format/terms.ts";
import { countRows, type Database, sqlFunction } from "../database/index.ts";
import { createPack } from "../packs/index.ts";
import type { PlannedLeaf } from "../partitions/index.ts";
import type { NumberTask } from "../plan/index.ts";
import { makeStretches, parseRow, type RowRecord, rowJsonSql, shortest } from "../records/index.ts";
import { ORDER_COLUMN } from "../rows/index.ts";
import {
  bucketCountsSql,
  createTermCollector,
  lookupKeySql,
  packLookups,
  type TermCollector,
} from "../term-runs/index.ts";
import {
  COUNTS_FILE,
  LOOKUPS_FILE,
  type LooseStretch,
  NUMBERED_FILE,
  type NumberFacts,
  numberedColumns,
  TERMS_FILE,
  writeStretches,
} from "./numbered-rows.ts";
import { copyRows, rowsSql, type TaskContext } from "./row-files.ts";
import { readBucket, readDictionary, readSurvey } from "./survey.ts";

const SORTED = "sorted";

/**
 * Makes the records of a bucket's rows, and numbers the rows from the bucket's first segment. Writes the rows with
 * numbers in the order of the location run, the postings of terms, the keys of ids, and counts of places.
 */
export async function number(
  { plan, database, folder }: TaskContext,
  { collection: name, survey, bucket: index }: NumberTask,
): Promise<NumberFacts> {
  const bucket = await readBucket(plan, survey, { run: "records", index });
  if (!bucket) return { rows: 0, countries: [], sections: [] };
  const collection = collectionIn(plan, name);
  const { kept } = await readSurvey(plan, survey);
  const key = ORDER_COLUMN.records;
  await database.run(`
    CREATE TABLE ${SORTED} AS SELECT * FROM ${rowsSql(kept)}
    WHERE ${key} >= ${bucket.start} AND ${key} < ${bucket.end} ORDER BY ${key}, id`);
  const packs = bucket.units.map(({ packs: [leaves = []] }) => leaves);
  const rows = await countRows(database, SORTED);
  const expected = packs.flat().reduce((sum, { start, end }) => sum + end - start, 0);
  if (rows !== expected) throw new Error(`${name}: bucket ${index} of records has ${rows} rows, expected ${expected}`);
  const terms = await createTermCollector(join(folder, TERMS_FILE));
  const numbers = new Float64Array(rows);
  const stretches = await writeRecords({
    rows: readRows(database, collection, BY_ENDS.has(name)),
    dictionary: await readDictionary(plan, survey),
    packs,
    terms,
    numbers,
    createPack: () => createPack(folder),
    pathOf: (pack) => packPath(name, "records", pack),
  });
  const sections = await terms.close();
  database.register(sqlFunction("number_of", [INTEGER], DOUBLE, (place) => numbers[place ?? 0] ?? 0));
  await copyRows(
    database,
    `SELECT ${numberedColumns(collection).join(", ")}, number_of(rowid::INTEGER)::BIGINT AS _number
     FROM ${SORTED} ORDER BY ${ORDER_COLUMN.location}`,
    join(folder, NUMBERED_FILE),
  );
  await writeFile(join(folder, LOOKUPS_FILE), packLookups(await readKeys(database, rows), numbers));
  if (name === "place") await copyRows(database, bucketCountsSql(SORTED), join(folder, COUNTS_FILE));
  return { rows, ...(await writeStretches(folder, stretches)), sections };
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

interface NumberedRow extends RowRecord {
  readonly terms: readonly string[];
}

async function* readRows(database: Database, collection: Collection, byEnds: boolean): AsyncGenerator<NumberedRow> {
  let place = 0;
  // A table keeps its order. Sorting again would need memory for all texts.
  for await (const columns of database.stream(`
    SELECT rowid::INTEGER, id, ${rowJsonSql(collection)}, geometry, bbox.xmin, bbox.ymin, bbox.xmax, bbox.ymax FROM ${SORTED}`)) {
    const [places = [], ids = [], texts = [], geometries = [], west = [], south = [], east = [], north = []] = columns;
    for (const [index, id] of ids.entries()) {
      if (places[index] !== place++) throw new Error(`row ${places[index]} came as the ${place}th`);
      const row = parseRow(String(texts[index]));
      const terms = storedTerms(withComputed(collection, row) as TermColumns);
      yield {
        id: String(id),
        json: Buffer.from(JSON.stringify(row)),
        geometry: shortest((geometries[index] as DuckDBBlobValue).bytes),
        bbox: [Number(west[index]), Number(south[index]), Number(east[index]), Number(north[index])],
        terms: byEnds ? [...terms, ...endTermsOf(terms)] : terms,
      };
    }
  }
}

interface RecordsToWrite {
  readonly rows: AsyncIterator<NumberedRow>;
  readonly dictionary: Uint8Array;
  readonly packs: readonly (readonly PlannedLeaf[])[];
  readonly terms: TermCollector;
  readonly numbers: Float64Array;
  readonly createPack: () => ReturnType<typeof createPack>;
  readonly pathOf: (pack: string) => string;
}

async function writeRecords(to: RecordsToWrite): Promise<LooseStretch[]> {
  const { rows, dictionary, packs, terms, numbers, pathOf } = to;
  const nodes: LooseStretch[] = [];
  let [place, countryStart, country] = [0, 0, packs[0]?.[0]?.country ?? ""];
  const endCountry = async (): Promise<void> => {
    await terms.endCountry(country, numbers.subarray(countryStart, place));
    countryStart = place;
  };
  for (const pack of packs) {
    const writer = await to.createPack();
    const made: Omit<LooseStretch, keyof Slice & "pack">[] = [];
    for (const leaf of pack) {
      if (leaf.country !== country) {
        await endCountry();
        country = leaf.country;
      }
      const taken = await takeRows(rows, leaf.end - leaf.start);
      for (const row of taken) terms.add(row.terms);
      for await (const stretch of makeStretches(taken, dictionary)) {
        const { bytes, numbers: within, ...told } = stretch;
        const first = firstNumberOf(nodes.length + made.length);
        for (const number of within) numbers[place++] = first + number;
        made.push({ ...told, ...(await writer.add(bytes)), country });
      }
    }
    const name = await writer.finish(pathOf);
    nodes.push(...made.map((stretch) => ({ ...stretch, pack: name })));
  }
  await endCountry();
  if (!(await rows.next()).done) throw new Error("there are more rows than were counted");
  return nodes;
}

async function takeRows(rows: AsyncIterator<NumberedRow>, count: number): Promise<NumberedRow[]> {
  const taken: NumberedRow[] = [];
  while (taken.length < count) {
    const { value, done } = await rows.next();
    if (done) throw new Error(`expected ${count - taken.length} more rows, as counted before`);
    taken.push(value);
  }
  return taken;
}
