/**
 * The output of tasks of stage `reduce`: slices of the primary copy, chunks of records, and where the record of each
 * row is.
 * @module
 */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { firstNumberOf } from "../../../data/format/id-order.ts";
import type { ChunkNode, LocationNode } from "../../../data/format/manifest.ts";
import { firstAddressOf } from "../../../data/format/records.ts";
import { firstIndex } from "../../../data/format/sorted.ts";
import { readRange } from "../../base/disk/index.ts";
import { type BuildPlan, type NumberedRows, reduceTasks, taskFolder } from "../plan/index.ts";
import type { LookupFile } from "../term-runs/index.ts";
import type { Numbering } from "./numbered-rows.ts";
import { type BucketPosition, readBuckets } from "./read-buckets.ts";

export const LOOKUPS_FILE = "lookups.bin";
const ADDRESSES_FILE = "addresses.bin";
const NODES_FILE = "nodes.json";

/** A chunk before all buckets are known. */
export type LooseChunk = Omit<ChunkNode, "chunk">;

/** Nodes of a bucket. Addresses are counted from the bucket's first chunk. */
interface ReducedNodes {
  readonly slices: readonly LocationNode[];
  readonly chunks: readonly LooseChunk[];
}

/** Small, because other tasks read the facts of every bucket. Nodes have their own file. */
export interface ReduceFacts {
  readonly rows: number;
  /** Number of chunks of the bucket per country, in order. */
  readonly countries: readonly (readonly [country: string, chunks: number])[];
}

/** A finished task of stage `reduce`, with its position among the buckets. */
export type RecordedBucket = ReduceFacts & BucketPosition;

/**
 * The output of all tasks that write the records of a collection or of some countries. Addresses are counted from the
 * first of these buckets.
 */
export interface Recording {
  /** The first chunk of each country, in order. */
  readonly firstChunks: ReadonlyMap<string, number>;
  readonly buckets: readonly RecordedBucket[];
}

/** Writes the index nodes of a bucket to a file. Returns the facts about them. */
export async function writeNodes(folder: string, nodes: ReducedNodes): Promise<ReduceFacts> {
  await writeFile(join(folder, NODES_FILE), JSON.stringify(nodes));
  const countries = new Map<string, number>();
  for (const { country } of nodes.chunks) countries.set(country, (countries.get(country) ?? 0) + 1);
  return { rows: nodes.slices.reduce((sum, { rows }) => sum + rows, 0), countries: [...countries] };
}

/**
 * Yields the index nodes of each bucket, with addresses and numbers of chunks counted from the first bucket. Has one
 * bucket at a time in memory.
 */
export async function* readNodes(
  { work }: Pick<BuildPlan, "work">,
  { buckets }: Pick<Recording, "buckets">,
): AsyncGenerator<{ readonly slices: readonly LocationNode[]; readonly chunks: readonly ChunkNode[] }> {
  for (const { key, before, rows } of buckets) {
    if (rows === 0) continue;
    const { slices, chunks } = JSON.parse(
      await readFile(join(taskFolder(work, key), NODES_FILE), "utf8"),
    ) as ReducedNodes;
    yield {
      slices: slices.map((slice) => ({ ...slice, record: firstAddressOf(before) + slice.record })),
      chunks: chunks.map((chunk, index) => ({ ...chunk, chunk: before + index })),
    };
  }
}

/** Returns the combined facts of the tasks that write the records of these rows. Throws if one is not finished. */
export async function readRecording(plan: Pick<BuildPlan, "work" | "stages">, rows: NumberedRows): Promise<Recording> {
  const { firsts, buckets } = await readBuckets<ReduceFacts>(plan.work, reduceTasks(plan, rows));
  return { firstChunks: firsts, buckets };
}

/** Returns the files of `packLookups` of all buckets with rows. `base` is the address of the bucket's first record. */
export function lookupFilesOf({ work }: Pick<BuildPlan, "work">, { buckets }: Recording): LookupFile[] {
  return buckets
    .filter(({ rows }) => rows > 0)
    .map(({ key, before }) => {
      const name = join(taskFolder(work, key), LOOKUPS_FILE);
      return { name, base: firstAddressOf(before), read: (start, bytes) => readWhole(name, start, bytes) };
    });
}

/** Reads a range into a new buffer. Throws if the file is shorter. */
async function readWhole(path: string, start: number, bytes: number): Promise<ArrayBuffer> {
  const range = await readRange(path, start, bytes);
  if (range.length < bytes)
    throw new Error(`${path} ends at byte ${start + range.length}, expected ${start + bytes} or more`);
  return range.buffer as ArrayBuffer;
}

const COUNT_BYTES = 4;
const ENTRY_BYTES = 8;

/**
 * Writes the address of each row's record, for the tasks of stage `ids`, of which each reads the rows of one bucket of
 * ids. The file has for each bucket the number of rows up to it, then address and number of each row, by bucket, all
 * 32-bit little-endian. Numbers are counted from their bucket's first. Throws if a value is too large.
 */
export async function writeAddresses(
  folder: string,
  { buckets }: Pick<Numbering, "buckets">,
  { numbers, addresses }: { readonly numbers: Float64Array; readonly addresses: Float64Array },
): Promise<void> {
  const firsts = Float64Array.from(buckets, ({ before }) => firstNumberOf(before));
  const ends = new Uint32Array(buckets.length);
  const bucketOf = Uint32Array.from(numbers, (number) => lastAtMost(firsts, number));
  for (const bucket of bucketOf) ends[bucket] = (ends[bucket] ?? 0) + 1;
  for (let bucket = 1; bucket < ends.length; bucket++) ends[bucket] = (ends[bucket] ?? 0) + (ends[bucket - 1] ?? 0);
  const next = Uint32Array.from(ends, (_, bucket) => ends[bucket - 1] ?? 0);
  const entries = new Uint32Array(2 * numbers.length);
  for (const [row, bucket] of bucketOf.entries()) {
    const [number, address] = [(numbers[row] ?? 0) - (firsts[bucket] ?? 0), addresses[row] ?? 0];
    if (Math.max(number, address) >= 2 ** 32)
      throw new Error(`a row has number ${number} and address ${address}, expected less than 2^32`);
    const entry = next[bucket] ?? 0;
    next[bucket] = entry + 1;
    entries[2 * entry] = address;
    entries[2 * entry + 1] = number;
  }
  await writeFile(join(folder, ADDRESSES_FILE), Buffer.concat([new Uint8Array(ends.buffer), bytesOf(entries)]));
}

/** Index of the last value that is at most `wanted`. Values are ascending; equal ones are empty buckets. */
function lastAtMost(values: Float64Array, wanted: number): number {
  return Math.max(0, firstIndex(values.length, (index) => (values[index] ?? 0) > wanted) - 1);
}

function bytesOf(values: Uint32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/**
 * Yields the rows of one bucket of ids, from all files of `writeAddresses`. Addresses are counted from the first bucket
 * of `recording`, numbers from the first of the bucket of ids. That is bucket `ordinal` of the `count` buckets of
 * `writeAddresses`.
 *
 * @param ordinal of the bucket of ids among the `count` buckets of `writeAddresses`
 */
export async function* readAddresses(
  { work }: Pick<BuildPlan, "work">,
  { buckets }: Pick<Recording, "buckets">,
  { ordinal, count }: { readonly ordinal: number; readonly count: number },
): AsyncGenerator<{ readonly number: number; readonly address: number }> {
  for (const { key, before, rows } of buckets) {
    if (rows === 0) continue;
    const path = join(taskFolder(work, key), ADDRESSES_FILE);
    const ends = new Uint32Array(await readWhole(path, 0, count * COUNT_BYTES));
    const [start, end] = [ends[ordinal - 1] ?? 0, ends[ordinal] ?? 0];
    const entries = new Uint32Array(
      await readWhole(path, count * COUNT_BYTES + start * ENTRY_BYTES, (end - start) * ENTRY_BYTES),
    );
    for (let i = 0; i < entries.length; i += 2)
      yield { address: firstAddressOf(before) + (entries[i] ?? 0), number: entries[i + 1] ?? 0 };
  }
}
