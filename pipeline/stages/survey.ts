import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBBlobValue } from "@duckdb/node-api";
import { COLLECTIONS, type Collection, type CollectionName } from "../../data/format/collections.ts";
import { GEOHASH_BITS } from "../../data/format/geohash.ts";
import type { RunName, Slice } from "../../data/format/manifest.ts";
import { BLOCK_BYTES, STRETCH_BLOCKS, type StoredRecord } from "../../data/format/records.ts";
import { countRows, type Database, quoteIdentifier, quoteLiteral } from "../database/index.ts";
import { deflate, writePack } from "../packs/index.ts";
import {
  type Bucket,
  countCells,
  cutBuckets,
  leafRanges,
  MOST_ROWS,
  measureRowBytes,
  type PlannedLeaf,
  planMixedPacks,
  planPacks,
  planRun,
  rowTarget,
  sampleCells,
} from "../partitions/index.ts";
import { type BuildPlan, keyOfTask, type PlannedGroup, readFacts, type SurveyTask, taskFolder } from "../plan/index.ts";
import { fitGroups, makeDictionary, parseRow, rowJsonSql, shortest } from "../records/index.ts";
import {
  type CountryContent,
  contentsSql,
  losersSql,
  type PartFacts,
  type Parts,
  partFilesSql,
  partOfFileSql,
  rowsSql,
  type TaskContext,
} from "./row-files.ts";

const KEYS = "order_keys";
const LOSERS_FILE = "losers.parquet";
const DICTIONARY_FILE = "dictionary.bin";

const COUNTED: Readonly<Record<RunName, string>> = {
  location: `(SELECT _country AS country, _size_class AS size_class, _geohash AS key, 1 AS rows FROM ${KEYS})`,
  records: `(SELECT _country AS country, 0 AS size_class, _id_key AS key, 1 AS rows FROM ${KEYS})`,
};

export interface SurveyFacts {
  readonly parts: readonly string[];
  readonly rows: number;
  /** In order. */
  readonly countries: readonly (readonly [country: string, rows: number])[];
  /** Duplicates that were left out. */
  readonly losers: number;
  /** Where the published dictionary stands; undefined when there are no rows. */
  readonly dictionary?: Slice;
}

/** Finds duplicates, how many rows a slice takes, and where runs are cut; writes a file for each bucket. */
export async function survey(
  { plan, database, folder, scratch }: TaskContext,
  { collection, parts, groups, packBytes }: SurveyTask,
): Promise<SurveyFacts> {
  const losersFile = join(folder, LOSERS_FILE);
  const losers = await writeLosers(database, { work: plan.work, parts }, losersFile);
  const kept: Parts = { work: plan.work, parts, losers: losers > 0 ? losersFile : undefined };
  await database.run(`
    CREATE TABLE ${KEYS} AS
    SELECT _country, _size_class, _geohash, _ident & ${2 ** GEOHASH_BITS - 1} AS _id_key FROM ${rowsSql(kept)}`);
  const counted = await database.rows<{ country: string; rows: number }>(
    `SELECT _country AS country, count(*) AS rows FROM ${KEYS} GROUP BY 1 ORDER BY 1`,
  );
  const countries = counted.map(({ country, rows }) => [country, rows] as const);
  const rows = countries.reduce((sum, [, count]) => sum + count, 0);
  if (rows === 0) return { parts, rows, countries, losers };
  const leavesOf = async (run: RunName, target: number): Promise<PlannedLeaf[]> =>
    planRun(await countCells(database, COUNTED[run], target), target);
  const cells = sampleCells(leafRanges(await leavesOf("location", MOST_ROWS)));
  const measured = await measureRows(database, {
    collection: COLLECTIONS[collection],
    rows: rowsSql(kept),
    cells,
    scratch,
  });
  const { stretchRows, dictionary } = measured;
  const sizes = { packBytes, rowBytes: inSteps(measured.slice), besideBytes: inSteps(measured.points) };
  const leaves = {
    location: await leavesOf("location", rowTarget(measured.slice)),
    records: await leavesOf("records", stretchRows),
  };
  const contents = await contentsOf(database, { collection, kept });
  const dictionaryHash = createHash("sha256").update(dictionary).digest("hex");
  const locations = shareOut(leaves.location, groups);
  const stretches = shareOut(leaves.records, groups);
  const contentOf = shareOut(contents, groups);
  let index = 0;
  for (const [place, group] of groups.entries()) {
    const location = planPacks(locations[place] ?? [], sizes);
    const records = planMixedPacks(stretches[place] ?? [], { packBytes, rowBytes: inSteps(measured.record) });
    const rowsOfGroup = keyOfTask(dictionaryHash, contentOf[place]);
    const cut = { location: cutBuckets(location, group), records: cutBuckets(records, group) };
    for (let bucket = 0; bucket < group.buckets; bucket++, index++) {
      for (const run of ["location", "records"] as const) {
        const made = cut[run][bucket];
        if (!made) continue;
        const planned: PlannedBucket = { ...made, content: keyOfTask(rowsOfGroup, made) };
        await writeFile(join(folder, bucketFile(run, index)), JSON.stringify(planned));
      }
    }
  }
  await writeFile(join(folder, DICTIONARY_FILE), dictionary);
  const place = { folder, collection, kind: "dictionary" } as const;
  const [published] = await writePack(place, [deflate(dictionary)]);
  return { parts, rows, countries, losers, ...(published ? { dictionary: published } : {}) };
}

/** Items of countries, which are in order, for each of the groups. Throws for a country that is in none. */
function shareOut<Item extends { readonly country: string }>(
  items: readonly Item[],
  groups: readonly PlannedGroup[],
): Item[][] {
  const shares: Item[][] = groups.map(() => []);
  let place = 0;
  for (const item of items) {
    while (item.country > (groups[place]?.last ?? "ZZ")) place++;
    if (item.country < (groups[place]?.first ?? "[")) throw new Error(`no group of countries has ${item.country}`);
    shares[place]?.push(item);
  }
  return shares;
}

/** A bucket of a run. */
export interface PlannedBucket extends Bucket {
  /** A hash of the rows of its group of countries, of how they are cut, and of what records are compressed with. */
  readonly content: string;
}

/** Of the rows without duplicates. */
async function contentsOf(
  database: Database,
  { collection, kept }: { readonly collection: CollectionName; readonly kept: Parts },
): Promise<CountryContent[]> {
  const facts = await Promise.all(kept.parts.map((key) => readFacts<PartFacts>(kept.work, key)));
  const sums = new Map<string, { rows: number; hash: bigint }>();
  const add = ({ country, rows, hash }: CountryContent, sign: 1 | -1): void => {
    const sum = sums.get(country) ?? { rows: 0, hash: 0n };
    sums.set(country, { rows: sum.rows + sign * rows, hash: sum.hash ^ BigInt(hash) });
  };
  for (const content of facts.flatMap(({ countries }) => countries)) add(content, 1);
  const lost =
    kept.losers === undefined ? [] : await database.rows<CountryContent>(contentsSql(collection, losersSql(kept)));
  for (const content of lost) add(content, -1);
  return [...sums]
    .map(([country, { rows, hash }]): CountryContent => ({ country, rows, hash: String(hash) }))
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => (a.country < b.country ? -1 : 1));
}

function bucketFile(run: RunName, index: number): string {
  return `${run}-${index}.json`;
}

/** Undefined when the bucket is empty. */
export async function readBucket(
  { work }: BuildPlan,
  survey: string,
  { run, index }: { run: RunName; index: number },
): Promise<PlannedBucket | undefined> {
  const path = join(taskFolder(work, survey), bucketFile(run, index));
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return text === undefined ? undefined : (JSON.parse(text) as PlannedBucket);
}

export async function readDictionary({ work }: BuildPlan, survey: string): Promise<Uint8Array> {
  return readFile(join(taskFolder(work, survey), DICTIONARY_FILE));
}

export function losersPath(work: string, survey: string): string {
  return join(taskFolder(work, survey), LOSERS_FILE);
}

/** What a survey found, and its rows without duplicates. */
export async function readSurvey({ work }: BuildPlan, survey: string): Promise<{ kept: Parts; facts: SurveyFacts }> {
  const facts = await readFacts<SurveyFacts>(work, survey);
  const losers = facts.losers > 0 ? losersPath(work, survey) : undefined;
  return { kept: { work, parts: facts.parts, losers }, facts };
}

/** Writes the rows to leave out, as `part _row id detail`; returns how many they are. */
async function writeLosers(database: Database, { work, parts }: Parts, path: string): Promise<number> {
  const files = partFilesSql({ work, parts });
  // hashes are smaller than ids, and most collections have no duplicates
  await database.run(`
    CREATE TABLE twins AS
    SELECT twin FROM (SELECT hash(id) AS twin FROM read_parquet(${files})) GROUP BY twin HAVING count(*) > 1`);
  const places = parts.map((key, index) => `(${quoteLiteral(key)}, ${index})`).join(", ");
  await database.run(`
    CREATE TABLE losers AS
    SELECT part, _row, id, 'version ' || version || ', kept is version ' || best AS detail
    FROM (
      SELECT part, _row, id, version, max(version) OVER same AS best, row_number() OVER same AS rank
      FROM (
        SELECT ${partOfFileSql("r")} AS part, _row, id, "version" AS version
        FROM read_parquet(${files}, filename = true) r WHERE hash(id) IN (FROM twins)
      ) JOIN (VALUES ${places}) parts(part, place) USING (part)
      WINDOW same AS (PARTITION BY id ORDER BY version DESC, place, _row)
    ) WHERE rank > 1`);
  await database.run(`COPY (FROM losers ORDER BY part, _row) TO ${quoteLiteral(path)} (FORMAT parquet)`);
  const rows = await countRows(database, "losers");
  await database.run("DROP TABLE twins");
  await database.run("DROP TABLE losers");
  return rows;
}

type KeyRange = ReturnType<typeof leafRanges>[number];

/** In bytes of a row. */
interface MeasuredRows {
  readonly slice: number;
  /** In its points. */
  readonly points: number;
  readonly record: number;
  /** Rows that a stretch of records takes. */
  readonly stretchRows: number;
  readonly dictionary: Uint8Array;
}

interface RowsToMeasure {
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

const STEPS_AN_OCTAVE = 14;

async function measureRows(
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

/**
 * The nearest of sizes of which each is a twentieth larger than the one before: packs are cut by them, and should not all be
 * cut anew because a row changed.
 */
function inSteps(bytes: number): number {
  return 2 ** (Math.round(Math.log2(bytes) * STEPS_AN_OCTAVE) / STEPS_AN_OCTAVE);
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
