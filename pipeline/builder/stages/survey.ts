import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBBlobValue } from "@duckdb/node-api";
import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import type { Collection, CollectionName } from "../../../data/format/collections.ts";
import { ID_BLOCK_ROWS, MAX_SEGMENT_ROWS } from "../../../data/format/id-order.ts";
import type { Slice } from "../../../data/format/manifest.ts";
import { collectionIn } from "../../../data/format/own-collections.ts";
import type { StoredRecord } from "../../../data/format/records.ts";
import { type Database, quoteIdentifier, quoteLiteral } from "../../base/database/index.ts";
import { readOptional } from "../../base/disk/index.ts";
import { batchesOf, deflate, writePack } from "../packs/index.ts";
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
import {
  type BuildPlan,
  duplicatesTasks,
  keyOfTask,
  notFinished,
  type PlannedGroup,
  readFacts,
  readRecord,
  type SurveyTask,
  tallyTasks,
  taskFolder,
} from "../plan/index.ts";
import { makeDictionary, recordJson, rowJsonSql, shortest } from "../records/index.ts";
import { CUT_RUNS, type CutRun } from "../rows/index.ts";
import { keptRows, SAMPLED_RECORDS, samplePath } from "./duplicates.ts";
import { type CountryContent, listSql, type PartFacts, type Parts, rowsSql, type TaskContext } from "./row-files.ts";
import { cellsPath, type TallyFacts } from "./tally.ts";

const DICTIONARY_FILE = "dictionary.bin";

/** Bytes of a row in the id run: a full block. */
const ID_BYTES = BLOCK_BYTES / ID_BLOCK_ROWS;

/** Rows of the groups whose slices and segments are planned, and so held, at a time. One group may have more. */
const BATCH_ROWS = 16 * 2 ** 20;

export interface SurveyFacts {
  readonly parts: readonly string[];
  readonly rows: number;
  readonly countries: readonly (readonly [country: string, rows: number])[];
  /** Number of duplicates. `duplicateTasks` has the keys of the tasks that found them. */
  readonly duplicates: number;
  readonly duplicateTasks: readonly string[];
  /** Position of the compression dictionary in its pack; undefined without rows. */
  readonly dictionary?: Slice;
}

/**
 * Measures sizes of rows, makes the compression dictionary, and cuts the runs by the counts of `tally`. Writes a file
 * for each bucket that is not empty.
 */
export async function survey(
  { plan, database, folder, scratch }: TaskContext,
  { collection, groups, packBytes }: SurveyTask,
  batchRows = BATCH_ROWS,
): Promise<SurveyFacts> {
  const { kept, duplicates } = await keptRows(plan, collection);
  const contents = await contentsOf(plan, kept, collection);
  const countries = contents.map(({ country, rows }) => [country, rows] as const);
  const rows = sumOfRows(contents);
  const found = { parts: kept.parts, rows, countries, duplicates, duplicateTasks: kept.duplicateTasks };
  if (rows === 0) return found;
  for (const run of CUT_RUNS) {
    const files = listSql(tallyTasks(plan, collection).map((key) => cellsPath(plan.work, key, run)));
    await database.run(`CREATE TABLE ${run} AS FROM read_parquet(${files})`);
  }
  const leavesOf = async (batch: readonly PlannedGroup[], run: CutRun, target: number): Promise<PlannedLeaf[]> => {
    const [first, last] = [batch[0]?.first ?? "", batch.at(-1)?.last ?? ""].map(quoteLiteral);
    const mine = `(FROM ${run} WHERE country BETWEEN ${first} AND ${last})`;
    return planRun(await countCells(database, mine, target), target);
  };
  const contentOf = shareOut(contents, groups);
  const counted = groups.map((group, place) => ({ ...group, contents: contentOf[place] ?? [] }));
  const batches = batchesOf(counted, batchRows, (group) => sumOfRows(group.contents));
  const cells = await sampleCells(
    (async function* () {
      for (const batch of batches)
        yield leafRanges(await leavesOf(batch, "location", MOST_ROWS), batch.at(-1)?.last ?? "");
    })(),
  );
  const samples = duplicatesTasks(plan, collection).map((key) => samplePath(plan.work, key));
  const measured = await measureRows(database, {
    collection: collectionIn(plan, collection),
    rows: rowsSql(kept),
    cells,
    samples: `read_parquet(${listSql(samples)})`,
    scratch,
  });
  const { dictionary } = measured;
  const sizes = { packBytes, rowBytes: inSteps(measured.slice), pointsBytes: inSteps(measured.points) };
  const dictionaryHash = createHash("sha256").update(dictionary).digest("hex");
  let index = 0;
  for (const batch of batches) {
    const locations = shareOut(await leavesOf(batch, "location", rowTarget(measured.slice)), batch);
    const segments = shareOut(await leavesOf(batch, "ids", MAX_SEGMENT_ROWS), batch);
    for (const [place, group] of batch.entries()) {
      const location = planPacks(locations[place] ?? [], sizes);
      const ids = planMixedPacks(segments[place] ?? [], { packBytes, rowBytes: ID_BYTES });
      const cut = { location: cutBuckets(location, group), ids: cutBuckets(ids, group) };
      // only records need the dictionary
      const content = { location: keyOfTask(dictionaryHash, group.contents), ids: keyOfTask(group.contents) };
      for (let bucket = 0; bucket < group.buckets; bucket++, index++) {
        for (const run of CUT_RUNS) {
          const made = cut[run][bucket];
          if (!made) continue;
          const planned: PlannedBucket = { ...made, content: keyOfTask(content[run], made) };
          await writeFile(join(folder, bucketFile(run, index)), JSON.stringify(planned));
        }
      }
    }
  }
  await writeFile(join(folder, DICTIONARY_FILE), dictionary);
  const [published] = await writePack({ folder, collection, kind: "dictionary" }, [deflate(dictionary)]);
  return { ...found, ...(published ? { dictionary: published } : {}) };
}

function sumOfRows(items: readonly { readonly rows: number }[]): number {
  return items.reduce((sum, { rows }) => sum + rows, 0);
}

/** Divides items, in the order of countries, among the groups. Throws for a country without a group. */
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
interface PlannedBucket extends Bucket {
  /** A hash of the rows of its group of countries, their cuts, and for records the compression dictionary. */
  readonly content: string;
}

/** Contents of the rows without duplicates. */
async function contentsOf(plan: BuildPlan, { work, parts }: Parts, name: CollectionName): Promise<CountryContent[]> {
  const sums = new Map<string, { rows: number; hash: bigint }>();
  const add = ({ country, rows, hash }: CountryContent, sign: 1 | -1): void => {
    const sum = sums.get(country) ?? { rows: 0, hash: 0n };
    sums.set(country, { rows: sum.rows + sign * rows, hash: sum.hash ^ BigInt(hash) });
  };
  for (const key of parts) for (const content of (await readFacts<PartFacts>(work, key)).countries) add(content, 1);
  for (const key of tallyTasks(plan, name))
    for (const content of (await readFacts<TallyFacts>(work, key)).lost) add(content, -1);
  return [...sums]
    .map(([country, { rows, hash }]): CountryContent => ({ country, rows, hash: String(hash) }))
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => (a.country < b.country ? -1 : 1));
}

function bucketFile(run: CutRun, index: number): string {
  return `${run}-${index}.json`;
}

/**
 * Returns a bucket of a run, as the survey planned it. Undefined if the bucket is empty. Throws if the survey is not
 * finished.
 */
export async function readBucket(
  { work }: BuildPlan,
  survey: string,
  { run, index }: { run: CutRun; index: number },
): Promise<PlannedBucket | undefined> {
  const file = bucketFile(run, index);
  const text = await readOptional(join(taskFolder(work, survey), file));
  if (text !== undefined) return JSON.parse(text) as PlannedBucket;
  // A survey that another build removed has no file either. Its buckets are not empty.
  const record = await readRecord(work, survey);
  if (!record || record.files.some(({ path }) => path === file)) throw notFinished(survey);
  return undefined;
}

/** Returns the compression dictionary that a survey made. Throws if there is none. */
export async function readDictionary({ work }: BuildPlan, survey: string): Promise<Uint8Array> {
  return readFile(join(taskFolder(work, survey), DICTIONARY_FILE));
}

/** Returns the facts of a survey, and which files have the rows without duplicates. Throws if it is not finished. */
export async function readSurvey({ work }: BuildPlan, survey: string): Promise<{ kept: Parts; facts: SurveyFacts }> {
  const facts = await readFacts<SurveyFacts>(work, survey);
  return { kept: { work, parts: facts.parts, duplicateTasks: facts.duplicateTasks }, facts };
}

type KeyRange = ReturnType<typeof leafRanges>[number];

/** Average bytes per row. */
interface MeasuredRows {
  readonly slice: number;
  /** Bytes in the points. */
  readonly points: number;
  readonly dictionary: Uint8Array;
}

interface RowsToMeasure {
  readonly collection: Collection;
  /** A FROM clause. */
  readonly rows: string;
  /** Cells whose rows are measured as slices. */
  readonly cells: readonly KeyRange[];
  /** A FROM clause of rows to measure as records, as `hash id _ident`. */
  readonly samples: string;
  readonly scratch: string;
}

/** Row numbers hardly compress. */
const NUMBER_BYTES = 3;

const SAMPLE = "sampled_rows";

const STEPS_AN_OCTAVE = 14;

async function measureRows(
  database: Database,
  { collection, rows, cells, samples, scratch }: RowsToMeasure,
): Promise<MeasuredRows> {
  const inCells = cells.map(({ start, end }) => `_location >= ${start} AND _location < ${end}`);
  const columns = collection.columns.map(({ name }) => name);
  await database.run(`
    CREATE TABLE ${SAMPLE} AS
    SELECT ${columns.map(quoteIdentifier).join(", ")}, _location FROM ${rows} WHERE ${inCells.join(" OR ")}`);
  const slice = await measureRowBytes(database, { table: SAMPLE, columns, folder: scratch }, cells);
  await database.run(`DROP TABLE ${SAMPLE}`);
  const records = await readRecords(database, collection, { rows, samples });
  const dictionary = makeDictionary(records.map(({ json }) => json));
  const shapes = records.map(({ geometry }) => geometry);
  return {
    slice,
    points: deflate(Buffer.concat(shapes)).length / records.length + NUMBER_BYTES,
    dictionary,
  };
}

/** Rounds to a step of 5 %. Packs are cut by this size, so one changed row should not change it. */
function inSteps(bytes: number): number {
  return 2 ** (Math.round(Math.log2(bytes) * STEPS_AN_OCTAVE) / STEPS_AN_OCTAVE);
}

async function readRecords(
  database: Database,
  collection: Collection,
  { rows, samples }: Pick<RowsToMeasure, "rows" | "samples">,
): Promise<StoredRecord[]> {
  await database.run(`CREATE TABLE least AS FROM ${samples} ORDER BY hash, id LIMIT ${SAMPLED_RECORDS}`);
  const keys = await database.rows<{ key: string }>("SELECT DISTINCT _ident::VARCHAR AS key FROM least");
  const records: StoredRecord[] = [];
  // A list of keys skips most row groups.
  const sql = `
    SELECT encode(${rowJsonSql(collection)}), geometry FROM (
      SELECT r.*, least.hash AS _hash FROM ${rows} r JOIN least USING (id)
      WHERE r._ident IN (${keys.map(({ key }) => key).join(", ")})
    ) ORDER BY _hash, id`;
  for await (const [texts = [], geometries = []] of database.stream(sql)) {
    for (const [index, text] of texts.entries()) {
      const json = recordJson((text as DuckDBBlobValue).bytes);
      records.push({ json, geometry: shortest((geometries[index] as DuckDBBlobValue).bytes) });
    }
  }
  return records;
}
