/**
 * Reads rows by their numbers: the id run has the addresses of their records.
 * @module
 */
import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { type IdBlock, numberInSegment, rowPositionOf, SEGMENT_BLOCKS } from "../../../data/format/id-order.ts";
import { firstAddressOf } from "../../../data/format/records.ts";
import { ManifestError } from "../contract/errors.ts";
import { findPartitions, mayHoldCountry, type PartitionRef } from "../index-tree/tree.ts";
import { prefetchChunks, readAddressed } from "./addressed-rows.ts";
import { joinNeighbours, MAX_JOINED_BYTES } from "./join-ranges.ts";
import { findByOrdinal } from "./record-groups.ts";
import type { RowRef } from "./rows.ts";
import type { Session } from "./session.ts";

/** Known addresses of records by row number. */
export type KnownAddresses = ReadonlyMap<number, number>;

/**
 * Returns the rows with these numbers, in the order of `numbers`. Throws `ManifestError` if there is no such row. Rows whose address is
 * known are read without the id run.
 */
export async function readNumbered(
  session: Session,
  collection: CollectionName,
  numbers: ArrayLike<number>,
  known: KnownAddresses = new Map(),
): Promise<RowRef[]> {
  const all = Array.from(numbers);
  const unknown = all.filter((number) => !known.has(number));
  const found = await readAddresses(session, collection, unknown);
  const addresses = new Map(unknown.map((number, index) => [number, found[index] as number]));
  return readAddressed(
    session,
    collection,
    all.map((number) => ({ address: known.get(number) ?? (addresses.get(number) as number) })),
  );
}

/** Returns the addresses of the records of the rows with these numbers, in their order. */
async function readAddresses(
  session: Session,
  collection: CollectionName,
  numbers: readonly number[],
): Promise<number[]> {
  const positions = numbers.map(rowPositionOf);
  const blocks = new Map<number, Set<number>>();
  for (const { segment, block } of positions) {
    const own = blocks.get(segment) ?? new Set();
    blocks.set(segment, own.add(block));
  }
  const refs = await findSegments(session, collection, new Set(blocks.keys()));
  const countries = new Set(refs.map(({ node }) => node.country));
  const [, ...read] = await Promise.all([
    prefetchChunks(session, collection, countries),
    ...refs.map(async (ref) => ({
      ref,
      read: await session.readIdBlocks(ref, [...(blocks.get(ref.node.segment) ?? [])]),
    })),
  ]);
  const bySegment = new Map(read.map((each) => [each.ref.node.segment, each]));
  return positions.map(({ segment, block, row }, index) => {
    const own = bySegment.get(segment);
    const entries = own?.read.get(block);
    if (!own || !entries || row >= entries.rows) throw noRow(collection, numbers[index]);
    return addressIn(session, own.ref, entries, row);
  });
}

/** Returns the address of the record of a row of a block. */
export function addressIn(
  session: Session,
  { collection, node }: PartitionRef<"ids">,
  entries: IdBlock,
  row: number,
): number {
  const { chunks = {} } = session.manifest.collections[collection] ?? {};
  return firstAddressOf(chunks[node.country] ?? 0) + entries.address(row);
}

function noRow(collection: CollectionName, number: number | undefined): ManifestError {
  return new ManifestError(`the ids of ${collection} have no row ${number}, which the index names`);
}

/** Returns the segments (ranges of ids) of the collection with these numbers. */
export function findSegments(
  session: Session,
  collection: CollectionName,
  ordinals: ReadonlySet<number>,
): Promise<PartitionRef<"ids">[]> {
  return findByOrdinal(session, { collection, run: "ids" }, ordinals);
}

/**
 * Returns the numbers of a country's rows from rank `start` to `end` (exclusive) in the order of ids. Throws `ManifestError` if
 * the country has fewer rows.
 */
export async function numbersOfRanks(
  session: Session,
  collection: CollectionName,
  country: string,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<number[]> {
  let first = 0;
  const { countries = {} } = session.manifest.collections[collection] ?? {};
  for (const [code, rows] of Object.entries(countries)) if (code < country) first += rows;
  const refs = await findPartitions(session, { collection, run: "ids" }, (node, before) => {
    if (!mayHoldCountry(node, country)) return false;
    return before.rows < first + end && before.rows + node.rows > first + start;
  });
  const numbers = refs.flatMap(({ node }) => {
    const [from, to] = [Math.max(start, node.start), Math.min(end, node.start + node.rows)];
    return Array.from({ length: Math.max(0, to - from) }, (_, i) => {
      return numberInSegment(node.segment, from + i - node.start);
    });
  });
  if (numbers.length !== end - start)
    throw new ManifestError(
      `the ids of ${collection} have ${numbers.length} rows of ${country}, expected ${end - start}`,
    );
  return numbers;
}

/**
 * Estimates the bytes, requests included, that reading these rows of a country costs. As addresses are not known yet, each row
 * counts as one block read alone, all together at most as the country's records.
 */
export function numberedCost(
  session: Session,
  { collection, country }: { readonly collection: CollectionName; readonly country: string },
  numbers: ArrayLike<number>,
): number {
  const { requestBytes } = session.costs();
  const blocks = new Set(
    Array.from(numbers, (number) => {
      const { segment, block } = rowPositionOf(number);
      return segment * SEGMENT_BLOCKS + block;
    }),
  );
  const ranges = Array.from(blocks, (block) => ({ start: block * BLOCK_BYTES, end: (block + 1) * BLOCK_BYTES }));
  const idBytes = joinNeighbours(ranges, requestBytes).reduce(
    (sum, { start, end }) => sum + end - start + requestBytes,
    0,
  );
  const { rows = 0, countries = {}, runs } = session.manifest.collections[collection] ?? {};
  const allBytes = ((runs?.records.bytes ?? 0) * (countries[country] ?? rows)) / Math.max(1, rows);
  const most = allBytes + Math.ceil(allBytes / MAX_JOINED_BYTES) * requestBytes;
  return idBytes + Math.min(numbers.length * (BLOCK_BYTES + requestBytes), most);
}
