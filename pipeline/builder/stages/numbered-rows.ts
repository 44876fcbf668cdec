/**
 * The output of tasks of stage `number`: numbered rows in the order of the run `location`, segments, ids, terms,
 * counts.
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import type { Collection, CollectionName } from "../../../data/format/collections.ts";
import { firstNumberOf } from "../../../data/format/id-order.ts";
import type { SegmentNode, Slice } from "../../../data/format/manifest.ts";
import { quoteIdentifier, quoteLiteral } from "../../base/database/index.ts";
import { type BuildPlan, type NumberedRows, numberTasks, taskFolder } from "../plan/index.ts";
import type { KEY_COLUMNS } from "../rows/index.ts";
import type { FileSection, TermSection } from "../term-runs/index.ts";
import { type BucketPosition, readBuckets } from "./read-buckets.ts";
import { listSql } from "./row-files.ts";

/** Rows of a bucket with their numbers, in the order of the location run. */
export const NUMBERED_FILE = "by-location.parquet";
/** Ids of the rows, in the order of numbers. */
export const IDS_FILE = "ids.bin";
/** Terms of the rows, with the numbers of the rows that have them. */
export const TERMS_FILE = "terms.bin";
/** Counts of the bucket's places. */
export const COUNTS_FILE = "counts.parquet";

/** Columns that rows need later, for cutting slices and for a join. */
const CUT_COLUMNS = ["_geohash", "_kind", "_location"] as const;
const JOIN_COLUMNS: Readonly<Partial<Record<CollectionName, readonly (typeof KEY_COLUMNS)[number][]>>> = {
  place: ["_country", "_ident", "_row"],
  building: ["_size_class"],
};

/** Returns the columns of the file `NUMBERED_FILE` besides `_number`, quoted for SQL. */
export function numberedColumns(collection: Collection): string[] {
  const own = collection.columns.map(({ name }) => quoteIdentifier(name));
  return [...own, ...CUT_COLUMNS, ...(JOIN_COLUMNS[collection.name] ?? [])];
}

/** A segment before it is written. */
export type LooseSegment = Omit<SegmentNode, "start" | "segment" | "blocks" | keyof Slice>;

/** Small, because other tasks read the facts of every bucket. Segments have their own file. */
export interface NumberFacts {
  readonly rows: number;
  /** Number of segments of the bucket per country, in order. */
  readonly countries: readonly (readonly [country: string, segments: number])[];
  /** Sections of terms by country. */
  readonly sections: readonly TermSection[];
  /** Box of all rows; undefined without rows. */
  readonly bbox?: BBox;
}

/** A finished task of stage `number`, with its position among the buckets. */
export type NumberedBucket = NumberFacts & BucketPosition;

/**
 * The output of all tasks that number the rows of a collection or of some countries. Numbers are counted from the first
 * of these buckets.
 */
export interface Numbering {
  /** The first segment of each country, in order. */
  readonly firstSegments: ReadonlyMap<string, number>;
  readonly buckets: readonly NumberedBucket[];
}

const SEGMENTS_FILE = "segments.json";

/** Writes the segments of a bucket to a file. Returns the facts about them. */
export async function writeSegments(
  folder: string,
  segments: readonly LooseSegment[],
): Promise<Pick<NumberFacts, "countries" | "bbox">> {
  await writeFile(join(folder, SEGMENTS_FILE), JSON.stringify(segments));
  const countries = new Map<string, number>();
  for (const { country } of segments) countries.set(country, (countries.get(country) ?? 0) + 1);
  return { countries: [...countries], bbox: bboxUnion(segments.map(({ bbox }) => bbox)) };
}

/**
 * Yields the segments of buckets in order, with `country` only those of this country. Has one bucket at a time in
 * memory.
 */
export async function* readSegments(
  { work }: Pick<BuildPlan, "work">,
  { buckets }: Pick<Numbering, "buckets">,
  country?: string,
): AsyncGenerator<LooseSegment> {
  for (const { key, countries } of buckets) {
    if (!countries.some(([name]) => country === undefined || name === country)) continue;
    const text = await readFile(join(taskFolder(work, key), SEGMENTS_FILE), "utf8");
    for (const segment of JSON.parse(text) as LooseSegment[])
      if (country === undefined || segment.country === country) yield segment;
  }
}

/** Returns the combined facts of the tasks that number these rows. Throws if one is not finished. */
export async function readNumbering(plan: Pick<BuildPlan, "work" | "stages">, rows: NumberedRows): Promise<Numbering> {
  const { firsts, buckets } = await readBuckets<NumberFacts>(plan.work, numberTasks(plan, rows));
  return { firstSegments: firsts, buckets };
}

/**
 * Returns a FROM clause of the rows of all buckets. `_number` is counted from the first bucket. At least one bucket
 * must have rows. Reading ranges of `_location` is fast.
 */
export function numberedSql({ work }: Pick<BuildPlan, "work">, { buckets }: Pick<Numbering, "buckets">): string {
  const files = buckets
    .filter(({ rows }) => rows > 0)
    .map(({ key, before }) => ({ path: join(taskFolder(work, key), NUMBERED_FILE), first: firstNumberOf(before) }));
  const bases = files.map(({ path, first }) => `(${quoteLiteral(path)}, ${first}::BIGINT)`);
  return `(
    SELECT r.* EXCLUDE (filename) REPLACE (r._number + first AS _number)
    FROM read_parquet(${listSql(files.map(({ path }) => path))}, filename = true) r
    JOIN (VALUES ${bases.join(", ")}) bases(filename, first) USING (filename))`;
}

/** Returns a FROM clause of the counts of places of all buckets. At least one bucket must have rows. */
export function countsSql({ work }: Pick<BuildPlan, "work">, { buckets }: Numbering): string {
  const files = buckets.filter(({ rows }) => rows > 0).map(({ key }) => join(taskFolder(work, key), COUNTS_FILE));
  return `read_parquet(${listSql(files)})`;
}

/**
 * Returns the sections of a country's terms in all buckets. Their numbers are counted from the country's first. Without
 * `country`, returns the sections of all countries, with numbers counted from the first bucket.
 */
export function sectionsOf(
  { work }: Pick<BuildPlan, "work">,
  { buckets, firstSegments }: Numbering,
  country?: string,
): FileSection[] {
  const from = country === undefined ? 0 : (firstSegments.get(country) ?? 0);
  return buckets.flatMap(({ key, before, sections }) =>
    sections
      .filter((section) => country === undefined || section.country === country)
      .map(({ start, end }) => ({
        path: join(taskFolder(work, key), TERMS_FILE),
        start,
        end,
        base: firstNumberOf(before) - firstNumberOf(from),
      })),
  );
}
