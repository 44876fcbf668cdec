/**
 * Reads content in blocks: groups of records, entries of ids. Blocks whose gap costs less than a request are one
 * range. The content of a block has its own check.
 * @module
 */
import { BLOCK_BYTES, BLOCK_HEADER_BYTES, blockBytesOf } from "../../../data/format/blocks.ts";
import { joinBytes } from "../../../data/format/bytes.ts";
import { packPath } from "../../../data/format/paths.ts";
import { EngineError, FetchError } from "../contract/errors.ts";
import type { ByteSource } from "../contract/ports.ts";
import type { FileUse } from "../contract/query.ts";
import { readChecked } from "../index-tree/files.ts";
import type { PartitionRef } from "../index-tree/tree.ts";
import type { CacheSection, Lease } from "./cache.ts";
import { type BlockRun, blockKey } from "./cache-sections.ts";
import { joinNeighbours } from "./join-ranges.ts";

/** Opens the content that starts with block number `block`. Throws if the bytes are damaged. */
type OpenBlocks<V> = (bytes: Uint8Array, block: number) => Promise<V>;

export interface BlockReader<V, R extends BlockRun = BlockRun> {
  readonly source: ByteSource;
  /** Blocks with a gap of at most this many bytes are read as one range. */
  readonly gapBytes: number;
  readonly lease: Lease;
  /** Cache of opened contents. Keys: the SHA-256 of the slice and the number of the block. */
  readonly section: CacheSection<V>;
  /** Returns how to open blocks of the slice, after it has read what opening needs, such as a dictionary. */
  readonly openerOf: (ref: PartitionRef<R>) => Promise<OpenBlocks<V>>;
  /** Called for each range that was read, with the number of bytes of each part that was needed. */
  readonly log: (use: FileUse, parts?: readonly number[]) => void;
  readonly signal: AbortSignal;
}

/** Returns how many blocks the content has that begins with a block: 1 where it is not known. */
export type BlocksOf = (block: number) => number;

/**
 * Returns the contents that start with these blocks of the slice, by first block. `blocksOf` is a hint; the first block says how
 * long its content is. Throws `FetchError` if a content is missing or damaged.
 */
export async function readBlocks<V, R extends BlockRun>(
  reader: BlockReader<V, R>,
  ref: PartitionRef<R>,
  blocks: readonly number[],
  blocksOf: BlocksOf = () => 1,
): Promise<ReadonlyMap<number, V>> {
  const { lease, section, log } = reader;
  const contents = new Map<number, V>();
  const unread: number[] = [];
  for (const block of new Set(blocks)) {
    const content = section.peek(lease, blockKey(ref, block));
    if (content === undefined) {
      unread.push(block);
      continue;
    }
    contents.set(block, content);
    log({ ...rangeOfBlock(ref, block), bytes: BLOCK_BYTES, from: "memory" });
  }
  await Promise.all(
    joinBlocks(unread, blocksOf, reader.gapBytes).map(async (together) => {
      for (const [block, content] of await readTogether(reader, ref, together)) contents.set(block, content);
    }),
  );
  return contents;
}

function rangeOfBlock(
  { collection, run, node }: PartitionRef<BlockRun>,
  block: number,
): { path: string; offset: number } {
  return { path: packPath(collection, run, node.pack), offset: node.offset + block * BLOCK_BYTES };
}

/** Blocks that are read by one range. */
interface JoinedBlocks {
  /** First blocks of each content, in order. */
  readonly blocks: readonly number[];
  /** Known bytes of each content. */
  readonly parts: readonly number[];
  /** The block after the last of them. */
  readonly end: number;
}

function joinBlocks(blocks: readonly number[], blocksOf: BlocksOf, gapBytes: number): JoinedBlocks[] {
  const ranges = blocks.map((block) => ({
    block,
    start: block * BLOCK_BYTES,
    end: (block + blocksOf(block)) * BLOCK_BYTES,
  }));
  return joinNeighbours(ranges, gapBytes).map(({ end, parts }) => ({
    blocks: parts.map(({ block }) => block),
    parts: parts.map((part) => part.end - part.start),
    end: end / BLOCK_BYTES,
  }));
}

async function readTogether<V, R extends BlockRun>(
  reader: BlockReader<V, R>,
  ref: PartitionRef<R>,
  together: JoinedBlocks,
): Promise<readonly (readonly [block: number, content: V])[]> {
  const { lease, section, signal, log } = reader;
  const { blocks, parts } = together;
  let range: Promise<ReadonlyMap<number, V>> | undefined;
  const read = await Promise.all(
    blocks.map(async (block) => {
      const load = async (workSignal: AbortSignal): Promise<V> => {
        // All blocks share one range. The first that is loaded reads it.
        range ??= openRange(reader, ref, together, workSignal);
        const content = (await range).get(block);
        if (content === undefined)
          throw new EngineError(`block ${block} was not read, expected one of ${blocks.join(", ")}`);
        return content;
      };
      return [block, (await section.read(lease, blockKey(ref, block), load, signal)).value] as const;
    }),
  );
  log({ ...rangeOfBlock(ref, blocks[0] ?? 0), bytes: rangeBytes(ref, together), from: "source" }, parts);
  return read;
}

/** No zeros follow the last content of a slice. */
function rangeBytes({ node }: PartitionRef<BlockRun>, { blocks, end }: JoinedBlocks): number {
  const start = (blocks[0] ?? 0) * BLOCK_BYTES;
  const last = end * BLOCK_BYTES;
  // A block after the end of the slice has no check.
  return (node.bytes >= start + BLOCK_HEADER_BYTES ? Math.min(last, node.bytes) : last) - start;
}

/** The contents of a joined range. */
async function openRange<V, R extends BlockRun>(
  reader: BlockReader<V, R>,
  ref: PartitionRef<R>,
  together: JoinedBlocks,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, V>> {
  const { node } = ref;
  const { blocks } = together;
  const [first = 0] = blocks;
  const { path, offset } = rangeOfBlock(ref, first);
  const bytes = rangeBytes(ref, together);
  const [opener, contents] = [reader.openerOf(ref), new Map<number, V>()];
  opener.catch(() => {});

  async function faultOf(range: Uint8Array): Promise<string | undefined> {
    if (range.length !== bytes) return `has ${range.length} bytes from byte ${offset} on, expected ${bytes}`;
    const open = await opener;
    for (const block of blocks) {
      const head = range.subarray((block - first) * BLOCK_BYTES);
      const left = node.bytes - block * BLOCK_BYTES;
      const whole = blockBytesOf(head);
      // The length may be damaged: the check covers it, and follows below.
      const isLong =
        whole > head.length && left > head.length && whole <= node.blocks * BLOCK_BYTES - block * BLOCK_BYTES;
      const length = isLong ? Math.min(whole, left) : whole;
      const opened = isLong
        ? await openLong(reader, ref, { block, head, length, open }, signal)
        : await tryOpen(open, head.subarray(0, length), block);
      if (typeof opened === "string") return `is damaged from byte ${offset} on: ${opened}`;
      contents.set(block, opened.content);
    }
    return undefined;
  }

  const range = { start: offset, end: offset + bytes };
  await readChecked(reader.source, { path, range, within: node, faultOf }, signal);
  return contents;
}

/** Returns the content, or its fault as a text. */
function tryOpen<V>(open: OpenBlocks<V>, bytes: Uint8Array, block: number): Promise<{ readonly content: V } | string> {
  return open(bytes, block).then(
    (content) => ({ content }),
    (error: Error) => error.message,
  );
}

interface LongContent<V> {
  readonly block: number;
  /** The part of the content that was read. */
  readonly head: Uint8Array;
  /** Bytes of the whole content. */
  readonly length: number;
  readonly open: OpenBlocks<V>;
}

/** Reads the rest of a content of several blocks. Returns the content, or its fault as a text. */
async function openLong<V, R extends BlockRun>(
  { source, log }: BlockReader<V, R>,
  ref: PartitionRef<R>,
  { block, head, length, open }: LongContent<V>,
  signal: AbortSignal,
): Promise<{ readonly content: V } | string> {
  const { path, offset } = rangeOfBlock(ref, block);
  const range = { start: offset + head.length, end: offset + length };
  let content: { readonly content: V } | undefined;
  const faultOf = async (rest: Uint8Array): Promise<string | undefined> => {
    const opened = await tryOpen(open, joinBytes([head, rest]), block);
    if (typeof opened === "string") return opened;
    content = opened;
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
  return content ?? `block ${block} was not opened`;
}
