/**
 * What one search reads of one release: pages, points, partitions, postings, records. All of it stays in memory until
 * the search ends.
 * @module
 */

import { BLOCK_BYTES, openBlock } from "../../../data/format/blocks.ts";
import { type CellCounts, readCellCounts } from "../../../data/format/cell-counts.ts";
import type { Collection, CollectionName } from "../../../data/format/collections.ts";
import {
  type IdBlock,
  openIdBlock,
  readSegmentDirectory,
  type SegmentDirectory,
} from "../../../data/format/id-order.ts";
import type { Slice, TableRunName } from "../../../data/format/manifest.ts";
import { collectionIn } from "../../../data/format/own-collections.ts";
import { locationPackPath, MANIFEST_PATH, type PackKind, packPath } from "../../../data/format/paths.ts";
import { openPoints, openSection, type Points, pointsOfSection, type RowPoints } from "../../../data/format/points.ts";
import { type Postings, readPostings } from "../../../data/format/postings.ts";
import { openGroup, readDictionary } from "../../../data/format/records.ts";
import { STORED_SUGGEST_COLUMNS, unpackSuggestions } from "../../../data/format/suggest-table.ts";
import { readTable, type Table } from "../../../data/format/tables.ts";
import { DecodeError, FetchError } from "../contract/errors.ts";
import type { ByteSource } from "../contract/ports.ts";
import type { FileUse } from "../contract/query.ts";
import { type ManifestFile, readChecked, readSlice, type SliceEntry } from "../index-tree/files.ts";
import { isInline, withInlineSlices } from "../index-tree/inline-slices.ts";
import { isSection, type SectionNode } from "../index-tree/sections.ts";
import { type Index, openIndex, type PartitionRef } from "../index-tree/tree.ts";
import { inTurn } from "../tasks/in-turn.ts";
import type { CacheSection, From, Lease } from "./cache.ts";
import { type BlockRun, blockKey, type CacheSections } from "./cache-sections.ts";
import { REQUEST_BYTES } from "./join-ranges.ts";
import type { Partition } from "./partition.ts";
import { type BlocksOf, readBlocks } from "./read-blocks.ts";
import { openRecords, type RecordRows } from "./record-rows.ts";
import { textGroups } from "./text-groups.ts";

type Phase = "plan" | "read" | "execute";

export interface Session extends Index {
  readonly signal: AbortSignal;
  /** Whether rows are read with the parts of their long geometries. */
  readonly hasGeometry: boolean;
  /** The files that were used so far, the manifest first. */
  readonly files: readonly FileUse[];
  /**
   * Returns the bytes used so far, with headers of requests. Bytes that were in memory count, gaps in joined ranges do not: so
   * the same work always gives the same number.
   */
  usedBytes(): number;
  /** Time taken so far, waiting included. */
  readonly milliseconds: Readonly<Record<Phase, number>>;
  /** Adds the time of the work to that of its phase. */
  timed<T>(phase: Phase, work: () => T): T;
  readPartition(ref: PartitionRef<"location">): Promise<Partition>;
  /** Reads the locations of the rows of a partition, or of a section of it. */
  readPoints(ref: PartitionRef<"location">): Promise<RowPoints>;
  readPostings(ref: PartitionRef<"term">): Promise<Postings>;
  readCells(ref: PartitionRef<"count_cell">): Promise<CellCounts>;
  readTable(ref: PartitionRef<TableRunName>, columns: readonly string[]): Promise<Table>;
  readDirectory(ref: PartitionRef<"ids">): Promise<SegmentDirectory>;
  /** Reads the dictionary with which the records of a collection are decompressed. */
  readDictionary(collection: CollectionName): Promise<Uint8Array>;
  /** Reads these blocks of a segment of ids. Returns them by block. */
  readIdBlocks(ref: PartitionRef<"ids">, blocks: readonly number[]): Promise<ReadonlyMap<number, IdBlock>>;
  /** Reads the groups that begin with these blocks of a chunk. Returns them by first block. */
  readGroups(
    ref: PartitionRef<"records">,
    blocks: readonly number[],
    options?: { readonly blocksOf?: BlocksOf; readonly gapBytes?: number | undefined },
  ): Promise<ReadonlyMap<number, RecordRows>>;
  /** Whether this search has read the slice, from memory or not. */
  isUsed(slice: Pick<Slice, "sha256">): boolean;
  /** Whether the bytes are in memory. What is answered must not depend on it. */
  isCached(slice: Pick<Slice, "sha256">): boolean;
  /** Fixed costs, in bytes: of a request, and of the reader that a partition of the primary copy needs. */
  costs(): { readonly requestBytes: number; readonly decodeBytes: number };
  /** Whether the block is in memory. Of records: the group that begins with it. */
  isBlockCached(ref: PartitionRef<BlockRun>, block: number): boolean;
}

export interface SessionOptions {
  readonly file: ManifestFile;
  /** Whether the manifest came from memory or from the source. */
  readonly from: From;
  readonly source: ByteSource;
  readonly lease: Lease;
  readonly sections: CacheSections;
  /** Makes a partition from a slice of the primary copy. */
  readonly decode: (schema: Collection, ref: PartitionRef<"location">, slice: Uint8Array) => Promise<Partition>;
  /** Default: true. */
  readonly hasGeometry?: boolean | undefined;
  /** Ranges with a gap of at most this many bytes are one request. Default: as many as a request costs. */
  readonly gapBytes?: number | undefined;
  /** Returns the bytes that loading the Parquet reader takes: 0 once it is loaded. */
  readonly decodeBytes: () => number;
  readonly signal: AbortSignal;
}

/** Returns a source whose requests cost at most `gapBytes`, unless the host sends whole packs. */
function withGaps(source: ByteSource, gapBytes: number | undefined): ByteSource {
  const requestBytes = source.requestBytes?.() ?? REQUEST_BYTES;
  if (gapBytes === undefined || requestBytes > REQUEST_BYTES) return source;
  return {
    name: source.name,
    read: (path, options) => source.read(path, { ...options, gapBytes }),
    requestBytes: () => Math.min(gapBytes, requestBytes),
  };
}

/** Bytes of the headers of a request and its response. */
const HEADERS_BYTES = 1024;

/** Returns a session over the release of this manifest. */
export function openSession(options: SessionOptions): Session {
  const { file, from, lease, sections, decode, decodeBytes, signal, hasGeometry = true } = options;
  const source = withInlineSlices(withGaps(options.source, options.gapBytes), file.manifest);
  const files: FileUse[] = [{ path: MANIFEST_PATH, bytes: file.sizeBytes, from }];
  let usedBytes = file.sizeBytes + HEADERS_BYTES;
  const milliseconds = { plan: 0, read: 0, execute: 0 };
  const counted = new Set<string>();
  const used = new Set<string>();
  const schemaOf = (collection: CollectionName): Collection => collectionIn(file.manifest, collection);

  /** The decoded slice; logged as a file use when first requested. */
  async function read<V>(
    section: CacheSection<V>,
    entry: SliceEntry,
    open: (bytes: Uint8Array) => V | Promise<V>,
    about: Pick<FileUse, "rows" | "bbox"> = {},
  ): Promise<V> {
    const { path, offset, bytes, sha256 } = entry;
    const load = async (workSignal: AbortSignal): Promise<V> => {
      const slice = await readSlice(source, entry, workSignal);
      return opened(path, async () => await (await inTurn(() => ({ value: open(slice) }))).value);
    };
    const { value, from: was } = await section.read(lease, sha256, load, signal);
    used.add(sha256);
    log({ path, offset, bytes, from: isInline(file.manifest, entry) ? "memory" : was, ...about });
    return value;
  }

  function log(use: FileUse, parts: readonly number[] = [use.bytes]): void {
    const key = `${use.path} ${use.offset}`;
    if (counted.has(key)) return;
    counted.add(key);
    files.push(use);
    for (const bytes of parts) usedBytes += bytes + HEADERS_BYTES;
  }

  /** The bytes have the right hash and cannot be decoded. */
  async function opened<V>(path: string, open: () => Promise<V>): Promise<V> {
    try {
      return await open();
    } catch (cause) {
      // the Parquet reader could not be fetched
      if (cause instanceof FetchError) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new DecodeError(`${path} of ${source.name} cannot be decoded: ${reason}`, { path, cause });
    }
  }

  function entryIn(collection: CollectionName, kind: PackKind, { sha256, bytes, pack, offset }: Slice): SliceEntry {
    return { path: packPath(collection, kind, pack), sha256, bytes, offset };
  }

  /** Reads a section alone, unless the whole slice is in memory. */
  async function readSection(collection: CollectionName, node: SectionNode): Promise<RowPoints> {
    const { section, points, rows, bbox } = node;
    const path = packPath(collection, "points", points.pack);
    const range = { start: points.offset + section.start, end: points.offset + section.start + section.bytes };
    const use = { path, offset: range.start, bytes: section.bytes, rows, bbox };
    const whole = sections.points.peek(lease, points.sha256);
    if (whole) {
      log({ ...use, from: "memory" });
      return pointsOfSection(whole, section);
    }
    const faultOf = async (bytes: Uint8Array) => {
      if (bytes.length !== section.bytes)
        return `has ${bytes.length} bytes from byte ${range.start} on, expected ${section.bytes}`;
      try {
        await openBlock(bytes, section.index);
        return undefined;
      } catch (error) {
        return `has no points at byte ${range.start}: ${error instanceof Error ? error.message : String(error)}`;
      }
    };
    const load = async (workSignal: AbortSignal): Promise<Points> => {
      const bytes = await readChecked(source, { path, range, within: points, faultOf }, workSignal);
      return opened(path, async () => {
        const read = await openSection(bytes, section.index);
        if (read.rows !== rows) throw new Error(`it holds ${read.rows} rows, expected ${rows}`);
        return read;
      });
    };
    const { value, from: was } = await sections.points.read(lease, `${points.sha256} ${section.index}`, load, signal);
    log({ ...use, from: was });
    return value;
  }

  async function dictionaryOf(collection: CollectionName): Promise<Uint8Array> {
    const slice = file.manifest.collections[collection]?.dictionary;
    if (!slice) return new Uint8Array();
    const entry = entryIn(collection, "dictionary", slice);
    return read(sections.dictionaries, entry, readDictionary);
  }

  const pages = {
    peek: (key: string) => sections.pages.peek(lease, key),
    get: async (key: string, load: Parameters<typeof sections.pages.read>[2], caller?: AbortSignal) =>
      (await sections.pages.read(lease, key, load, caller)).value,
  };

  const costs = () => ({ requestBytes: source.requestBytes?.() ?? REQUEST_BYTES, decodeBytes: decodeBytes() });

  const hasTexts = (collection: CollectionName): boolean => file.manifest.collections[collection]?.texts !== undefined;

  /** Reads groups that the manifest contains into memory. */
  async function readTextGroups(ref: PartitionRef<"records">, wanted: readonly number[]): Promise<void> {
    const groups = await textGroups(session, ref);
    for (const block of wanted) {
      const { blocks, records } = groups.get(block) ?? {};
      if (blocks === undefined || !records) continue;
      const about = { schema: schemaOf(ref.collection), country: ref.node.country, blocks };
      await sections.groups.read(lease, blockKey(ref, block), async () => openRecords(about, records), signal);
    }
  }

  const session: Session = {
    ...openIndex(file.manifest, { source, pages, signal, onRead: log }),
    signal,
    hasGeometry,
    files,
    usedBytes: () => usedBytes,
    milliseconds,
    timed(phase, work) {
      const start = performance.now();
      const add = () => {
        milliseconds[phase] += performance.now() - start;
      };
      const result = work();
      if (result instanceof Promise) void result.then(add, add);
      else add();
      return result;
    },
    readDictionary: dictionaryOf,
    readPartition(ref) {
      const { sha256, bytes, offset, rows, bbox } = ref.node;
      const path = locationPackPath(ref.collection, ref.node);
      const open = (slice: Uint8Array) => decode(schemaOf(ref.collection), ref, slice);
      return read(sections.partitions, { path, sha256, bytes, offset }, open, { rows, bbox });
    },
    readPoints({ collection, node }) {
      const { points, rows, bbox } = node;
      if (isSection(node)) return readSection(collection, node);
      const open = async (slice: Uint8Array): Promise<Points> => {
        const read = await openPoints(slice);
        if (read.rows !== rows) throw new Error(`it holds ${read.rows} rows, expected ${rows}`);
        return read;
      };
      return read(sections.points, entryIn(collection, "points", points), open, { rows, bbox });
    },
    readPostings: ({ collection, node }) => read(sections.postings, entryIn(collection, "term", node), readPostings),
    readCells: ({ collection, node }) => read(sections.cells, entryIn(collection, "count_cell", node), readCellCounts),
    readTable: ({ collection, run, node }, columns) =>
      read(sections.tables, entryIn(collection, run, node), (slice) => ({
        table:
          run === "suggest"
            ? unpackSuggestions(readTable(slice, STORED_SUGGEST_COLUMNS, node.rows))
            : readTable(slice, columns, node.rows),
        sizeBytes: node.bytes * BYTES_PER_TABLE_BYTE,
      })).then(({ table }) => table),
    async readDirectory({ collection, node }) {
      if (node.blocks === 1) return { rows: node.rows, ids: [node.first_id] };
      const path = packPath(collection, "ids", node.pack);
      const offset = node.offset + node.blocks * BLOCK_BYTES;
      const bytes = node.bytes - node.blocks * BLOCK_BYTES;
      let directory: SegmentDirectory | undefined;
      const load = async (workSignal: AbortSignal): Promise<SegmentDirectory> => {
        const faultOf = async (slice: Uint8Array) => {
          try {
            directory = await readSegmentDirectory(slice);
            if (directory.rows === node.rows && directory.ids.length === node.blocks) return undefined;
            return `has a directory of ${directory.rows} rows at byte ${offset}, expected ${node.rows}`;
          } catch (error) {
            return `has no directory at byte ${offset}: ${error instanceof Error ? error.message : String(error)}`;
          }
        };
        const range = { start: offset, end: offset + bytes };
        await readChecked(source, { path, range, within: node, faultOf }, workSignal);
        if (!directory) throw new FetchError(`${path} of ${source.name} has no directory`, { path });
        return directory;
      };
      const { value, from: was } = await sections.directories.read(lease, node.sha256, load, signal);
      log({ path, offset, bytes, from: was });
      return value;
    },
    readIdBlocks(ref, blocks) {
      const openerOf = async () => (bytes: Uint8Array, block: number) => openIdBlock(bytes.slice(), block);
      const gapBytes = costs().requestBytes;
      return readBlocks({ source, gapBytes, lease, section: sections.idBlocks, openerOf, log, signal }, ref, blocks);
    },
    async readGroups(ref, blocks, { blocksOf, gapBytes = costs().requestBytes } = {}) {
      await readTextGroups(ref, blocks);
      const openerOf = async ({ collection, node }: PartitionRef<"records">) => {
        const [schema, dictionary] = [schemaOf(collection), await dictionaryOf(collection)];
        return async (bytes: Uint8Array, block: number) =>
          openRecords(
            { schema, country: node.country, blocks: Math.ceil(bytes.length / BLOCK_BYTES) },
            await openGroup(bytes, block, dictionary),
          );
      };
      return readBlocks(
        { source, gapBytes, lease, section: sections.groups, openerOf, log, signal },
        ref,
        blocks,
        blocksOf,
      );
    },
    isUsed: ({ sha256 }) => used.has(sha256),
    isCached: ({ sha256 }) =>
      sections.partitions.has(sha256) ||
      sections.points.has(sha256) ||
      sections.postings.has(sha256) ||
      isInline(file.manifest, { sha256 }),
    costs,
    isBlockCached: (ref, block) =>
      (ref.run === "records" && hasTexts(ref.collection)) ||
      sections[ref.run === "ids" ? "idBlocks" : "groups"].has(blockKey(ref, block)),
  };
  return session;
}

/** Bytes of a decoded table in V8, for each compressed byte. */
const BYTES_PER_TABLE_BYTE = 20;
