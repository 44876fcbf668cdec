/**
 * Reads groups of records: neighbouring blocks by one range, each group checked by itself.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { packPath } from "../../../data/format/paths.ts";
import { BLOCK_BYTES, groupBytesOf, openGroup } from "../../../data/format/records.ts";
import type { ByteSource } from "../contract/ports.ts";
import type { FileUse } from "../contract/query.ts";
import { readChecked } from "../index-tree/files.ts";
import type { PartitionRef } from "../index-tree/tree.ts";
import type { Lease, Shelf } from "./cache.ts";
import { openRecords, type RecordRows } from "./record-rows.ts";

/** Blocks that lie between two wanted ones and are read with them: a request costs more. */
const MOST_BETWEEN = 7;

/** Most bytes of one range. */
const MOST_RANGE_BYTES = 512 * 1024;

export interface GroupReader {
  readonly source: ByteSource;
  readonly lease: Lease;
  readonly shelf: Shelf<RecordRows>;
  readonly dictionaryOf: (collection: CollectionName) => Promise<Uint8Array>;
  /** Hears of each range that was read. */
  readonly log: (use: FileUse) => void;
  readonly signal: AbortSignal;
}

/** The groups that begin with these blocks of the stretch, by block. */
export async function readGroups(
  reader: GroupReader,
  ref: PartitionRef<"records">,
  blocks: readonly number[],
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
    neighbours(unread.sort((a, b) => a - b)).map(async (together) => {
      for (const [block, group] of await readTogether(reader, ref, together)) groups.set(block, group);
    }),
  );
  return groups;
}

function placeOf({ collection, node }: PartitionRef<"records">, block: number): { path: string; offset: number } {
  return { path: packPath(collection, "records", node.pack), offset: node.offset + block * BLOCK_BYTES };
}

/** Blocks in order, those together that lie near each other. */
function neighbours(blocks: readonly number[]): number[][] {
  const all: number[][] = [];
  for (const block of blocks) {
    const together = all.at(-1);
    const [first, last] = [together?.[0] ?? block, together?.at(-1) ?? block];
    const isNear = block - last <= MOST_BETWEEN + 1 && (block + 1 - first) * BLOCK_BYTES <= MOST_RANGE_BYTES;
    if (together && isNear) together.push(block);
    else all.push([block]);
  }
  return all;
}

async function readTogether(
  reader: GroupReader,
  ref: PartitionRef<"records">,
  blocks: readonly number[],
): Promise<readonly (readonly [block: number, group: RecordRows])[]> {
  const { source, lease, shelf, dictionaryOf, signal, log } = reader;
  const { collection, node } = ref;
  const first = blocks[0] ?? 0;
  const { path, offset } = placeOf(ref, first);
  const bytes = ((blocks.at(-1) ?? first) + 1 - first) * BLOCK_BYTES;
  const dictionary = dictionaryOf(collection);
  dictionary.catch(() => {});
  const opened = new Map<number, RecordRows>();

  async function open(range: Uint8Array, workSignal: AbortSignal): Promise<void> {
    await Promise.all(
      blocks.map(async (block) => {
        const start = (block - first) * BLOCK_BYTES;
        const length = groupBytesOf(range.subarray(start, start + BLOCK_BYTES));
        const rest = length > node.blocks * BLOCK_BYTES ? 0 : start + length - range.length;
        const group =
          rest > 0
            ? await readLong(reader, ref, { block, head: range.subarray(start), length }, workSignal)
            : range.subarray(start, start + length);
        opened.set(block, openRecords(collection, node.country, await openGroup(group, block, await dictionary)));
      }),
    );
  }

  const faultOf = (workSignal: AbortSignal) => async (range: Uint8Array) => {
    if (range.length !== bytes) return `has ${range.length} bytes from byte ${offset} on, expected ${bytes}`;
    try {
      await open(range, workSignal);
      return undefined;
    } catch (error) {
      if (error instanceof Error && error.name !== "Error") throw error;
      return `is damaged from byte ${offset} on: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  const read = Promise.all(
    blocks.map(async (block) => {
      const key = `${node.sha256} ${block}`;
      const load = async (workSignal: AbortSignal): Promise<RecordRows> => {
        // one range for all: whoever asks first reads it
        await once(workSignal);
        const group = opened.get(block);
        if (!group) throw new Error(`block ${block} of ${path} was not read`);
        return group;
      };
      const { value } = await shelf.read(lease, key, load, signal);
      return [block, value] as const;
    }),
  );
  let range: Promise<unknown> | undefined;
  function once(workSignal: AbortSignal): Promise<unknown> {
    range ??= readChecked(
      source,
      { path, range: { start: offset, end: offset + bytes }, faultOf: faultOf(workSignal) },
      workSignal,
    );
    return range;
  }
  const groups = await read;
  log({ path, offset, bytes, from: "source" });
  return groups;
}

interface LongGroup {
  readonly block: number;
  /** What was read of it. */
  readonly head: Uint8Array;
  /** All of it, in bytes. */
  readonly length: number;
}

/** A group of several blocks, of which the first were read. */
async function readLong(
  { source, log }: GroupReader,
  ref: PartitionRef<"records">,
  { block, head, length }: LongGroup,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { path, offset } = placeOf(ref, block);
  const range = { start: offset + head.length, end: offset + length };
  const rest = await source.read(path, { range, signal });
  log({ path, offset: range.start, bytes: range.end - range.start, from: "source" });
  const whole = new Uint8Array(head.length + rest.length);
  whole.set(head);
  whole.set(rest, head.length);
  return whole;
}
