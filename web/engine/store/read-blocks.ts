/**
 * Reads groups of records. Blocks whose gap costs less than a request are one range. Each group has its own check.
 * @module
 */
import { joinBytes } from "../../../data/format/bytes.ts";
import type { Collection, CollectionName } from "../../../data/format/collections.ts";
import { packPath } from "../../../data/format/paths.ts";
import { BLOCK_BYTES, groupBytesOf, openGroup, type StoredRecord } from "../../../data/format/records.ts";
import { EngineError, FetchError } from "../contract/errors.ts";
import type { ByteSource } from "../contract/ports.ts";
import type { FileUse } from "../contract/query.ts";
import { readChecked } from "../index-tree/files.ts";
import type { PartitionRef } from "../index-tree/tree.ts";
import type { Lease, Shelf } from "./cache.ts";
import { joinNeighbours } from "./join-ranges.ts";
import { openRecords, type RecordRows } from "./record-rows.ts";

export interface GroupReader {
  readonly source: ByteSource;
  /** Blocks with a gap up to this many bytes are one range. */
  readonly gapBytes: number;
  readonly lease: Lease;
  readonly shelf: Shelf<RecordRows>;
  readonly schemaOf: (collection: CollectionName) => Collection;
  readonly dictionaryOf: (collection: CollectionName) => Promise<Uint8Array>;
  /** Called for each range that was read, with the bytes of each part that was needed. */
  readonly log: (use: FileUse, parts?: readonly number[]) => void;
  readonly signal: AbortSignal;
}

/** The number of blocks of the group that begins with a block, where it is known. */
export type BlocksOf = (block: number) => number;

/** Reads the groups that start at these blocks of the segment, by block. The first block of a group contains its length. */
export async function readGroups(
  reader: GroupReader,
  ref: PartitionRef<"records">,
  blocks: readonly number[],
  blocksOf: BlocksOf = () => 1,
): Promise<ReadonlyMap<number, RecordRows>> {
  const { lease, shelf, log } = reader;
  const groups = new Map<number, RecordRows>();
  const unread: number[] = [];
  for (const block of new Set(blocks)) {
    const group = shelf.peek(lease, `${ref.node.sha256} ${block}`);
    if (!group) {
      unread.push(block);
      continue;
    }
    groups.set(block, group);
    log({ ...placeOf(ref, block), bytes: BLOCK_BYTES, from: "memory" });
  }
  await Promise.all(
    joinBlocks(unread, blocksOf, reader.gapBytes).map(async (together) => {
      for (const [block, group] of await readTogether(reader, ref, together)) groups.set(block, group);
    }),
  );
  return groups;
}

function placeOf({ collection, node }: PartitionRef<"records">, block: number): { path: string; offset: number } {
  return { path: packPath(collection, "records", node.pack), offset: node.offset + block * BLOCK_BYTES };
}

/** Groups that are read by one range. */
interface JoinedGroups {
  /** Their first blocks, in order. */
  readonly blocks: readonly number[];
  /** The block after the last of them. */
  readonly end: number;
}

function joinBlocks(blocks: readonly number[], blocksOf: BlocksOf, gapBytes: number): JoinedGroups[] {
  const ranges = blocks.map((block) => ({
    block,
    start: block * BLOCK_BYTES,
    end: (block + blocksOf(block)) * BLOCK_BYTES,
  }));
  return joinNeighbours(ranges, gapBytes).map(({ end, parts }) => ({
    blocks: parts.map(({ block }) => block),
    end: end / BLOCK_BYTES,
  }));
}

async function readTogether(
  reader: GroupReader,
  ref: PartitionRef<"records">,
  together: JoinedGroups,
): Promise<readonly (readonly [block: number, group: RecordRows])[]> {
  const { lease, shelf, signal, log } = reader;
  const { blocks } = together;
  let range: Promise<ReadonlyMap<number, RecordRows>> | undefined;
  const read = await Promise.all(
    blocks.map(async (block) => {
      const load = async (workSignal: AbortSignal): Promise<RecordRows> => {
        // All groups share one range. The first that is loaded reads it.
        range ??= openRange(reader, ref, together, workSignal);
        const group = (await range).get(block);
        if (!group) throw new EngineError(`block ${block} was not read, expected one of ${blocks.join(", ")}`);
        return group;
      };
      return [block, (await shelf.read(lease, `${ref.node.sha256} ${block}`, load, signal)).value] as const;
    }),
  );
  const parts = blocks.map(() => BLOCK_BYTES);
  log({ ...placeOf(ref, blocks[0] ?? 0), bytes: rangeBytes(together), from: "source" }, parts);
  return read;
}

function rangeBytes({ blocks, end }: JoinedGroups): number {
  return (end - (blocks[0] ?? 0)) * BLOCK_BYTES;
}

/** The groups of a joined range. */
async function openRange(
  reader: GroupReader,
  ref: PartitionRef<"records">,
  together: JoinedGroups,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, RecordRows>> {
  const { collection, node } = ref;
  const { blocks } = together;
  const [first = 0] = blocks;
  const { path, offset } = placeOf(ref, first);
  const bytes = rangeBytes(together);
  const [dictionary, groups] = [reader.dictionaryOf(collection), new Map<number, RecordRows>()];
  dictionary.catch(() => {});

  async function faultOf(range: Uint8Array): Promise<string | undefined> {
    if (range.length !== bytes) return `has ${range.length} bytes from byte ${offset} on, expected ${bytes}`;
    for (const block of blocks) {
      const head = range.subarray((block - first) * BLOCK_BYTES);
      const length = groupBytesOf(head);
      // The length may be damaged: the check covers it, and follows below.
      const isLong = length > head.length && block * BLOCK_BYTES + length <= node.blocks * BLOCK_BYTES;
      const records = isLong
        ? await openLong(reader, ref, { block, head, length, dictionary: await dictionary }, signal)
        : await opened(head.subarray(0, length), block, await dictionary);
      if (typeof records === "string") return `is damaged from byte ${offset} on: ${records}`;
      groups.set(block, openRecords(reader.schemaOf(collection), node.country, records));
    }
    return undefined;
  }

  const range = { start: offset, end: offset + bytes };
  await readChecked(reader.source, { path, range, within: node, faultOf }, signal);
  return groups;
}

/** The rows of a group, or its fault. */
function opened(group: Uint8Array, block: number, dictionary: Uint8Array): Promise<readonly StoredRecord[] | string> {
  return openGroup(group, block, dictionary).catch((error: Error) => error.message);
}

interface LongGroup {
  readonly block: number;
  /** The part that was read. */
  readonly head: Uint8Array;
  /** Of the whole group, in bytes. */
  readonly length: number;
  readonly dictionary: Uint8Array;
}

/** Reads the rest of a group of several blocks. Returns its rows, or its fault. */
async function openLong(
  { source, log }: GroupReader,
  ref: PartitionRef<"records">,
  { block, head, length, dictionary }: LongGroup,
  signal: AbortSignal,
): Promise<readonly StoredRecord[] | string> {
  const { path, offset } = placeOf(ref, block);
  const range = { start: offset + head.length, end: offset + length };
  let records: readonly StoredRecord[] = [];
  const faultOf = async (rest: Uint8Array): Promise<string | undefined> => {
    const read = await opened(joinBytes([head, rest]), block, dictionary);
    if (typeof read === "string") return read;
    records = read;
    return undefined;
  };
  try {
    await readChecked(source, { path, range, within: ref.node, faultOf }, signal);
  } catch (error) {
    // The damage may be in the head.
    if (error instanceof FetchError && error.status === undefined && !error.isUnanswered) return error.message;
    throw error;
  }
  log({ path, offset: range.start, bytes: range.end - range.start, from: "source" });
  return records;
}
