/**
 * Loads records into a table, and checks the blocks of chunks (slices of the records run).
 * @module
 */

import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import { BLOCK_BYTES, BLOCK_HEADER_BYTES, blockBytesOf } from "../../../data/format/blocks.ts";
import { bytesEqual } from "../../../data/format/bytes.ts";
import { tableOf } from "../../../data/format/cut-geometry.ts";
import { bboxOf } from "../../../data/format/geometry.ts";
import { isPartTable, readPartTable } from "../../../data/format/geometry-parts.ts";
import { joinParts } from "../../../data/format/joined-parts.ts";
import { firstLineOf } from "../../../data/format/message-of.ts";
import { CHUNK_BLOCKS, openGroup, recordAddressOf, type StoredRecord } from "../../../data/format/records.ts";
import { readStoredGeometry } from "../../../data/format/stored-geometry.ts";
import { appendRow } from "../../base/database/index.ts";
import { checksOf } from "./ledger.ts";
import { digestGeometry, digestJson, digestTable, isNeedlessWkb } from "./row-facts.ts";
import { nameSlice } from "./slice-table.ts";
import { openSlice, type Verified } from "./verified.ts";

/**
 * Table of records. `address` is counted from 0 in the collection, `blocks` is the size of the record's group with its
 * parts, `parts` is a digest of the table of a long geometry.
 */
export const RECORDS_TABLE = "verified_records";

/**
 * Fills the table with the records of these countries, and reports faults. Returns the countries whose records could
 * all be read.
 */
export async function loadRecords(
  verified: Verified,
  dictionary: Uint8Array,
  countries: ReadonlySet<string>,
): Promise<Set<string>> {
  const { database, sliceTable } = verified;
  await database.run(`
    CREATE OR REPLACE TABLE ${RECORDS_TABLE} (country VARCHAR, id VARCHAR, address BIGINT, blocks INTEGER,
      content UBIGINT, geometry UBIGINT, parts UBIGINT)`);
  const whole = new Set(countries);
  const appender = await database.connection.createAppender(RECORDS_TABLE);
  for await (const entry of sliceTable.nodes("records", countries)) {
    const { node } = entry;
    const bytes = await openSlice(verified, "records", entry, (content) => content);
    const { say, same } = checksOf(verified, nameSlice(entry));
    const isLong = bytes !== undefined && Math.ceil(bytes.length / BLOCK_BYTES) === node.blocks;
    if (!bytes || !say("records", isLong, () => `${bytes.length} bytes are not ${node.blocks} blocks`)) {
      whole.delete(node.country);
      continue;
    }
    const { records, faults } = await readChunk({ ...node, bytes, dictionary });
    say("records", faults.length === 0, () => faults.join("; "));
    if (!same("row counts", "rows", node.rows, records.length)) whole.delete(node.country);
    const boxes = records.map(({ bbox }) => bbox).filter((bbox) => bbox !== undefined);
    if (boxes.length > 0) same("bbox", "bbox", bboxUnion(boxes), node.bbox);
    for (const { id, address, blocks, content, geometry, parts } of records)
      appendRow(appender, node.country, id, address, blocks, content, geometry, parts);
    appender.flushSync();
  }
  appender.closeSync();
  return whole;
}

/** Checks that chunks are numbered without gaps, and that the manifest has the first chunk of each country. */
export async function checkChunks(verified: Verified): Promise<void> {
  const { name, sliceTable, manifest } = verified;
  const firsts: Record<string, number> = {};
  let ordinal = 0;
  for await (const entry of sliceTable.nodes("records")) {
    checksOf(verified, nameSlice(entry)).same("records", "chunk", ordinal, entry.node.chunk);
    firsts[entry.node.country] ??= ordinal;
    ordinal++;
  }
  checksOf(verified, "manifest.json").same("records", `${name} chunks`, firsts, manifest.chunks);
}

interface ReadRecord {
  readonly id: string;
  readonly address: number;
  readonly blocks: number;
  readonly content: bigint;
  readonly geometry: bigint;
  readonly parts: bigint | null;
  readonly bbox: BBox | undefined;
}

interface Group {
  readonly block: number;
  readonly blocks: number;
  readonly records: readonly StoredRecord[];
  /** Parts of the long geometry of the group's only row. */
  readonly parts: Uint8Array[];
}

interface ChunkBytes {
  readonly bytes: Uint8Array;
  readonly blocks: number;
  readonly chunk: number;
  readonly dictionary: Uint8Array;
}

async function readChunk({
  bytes,
  blocks,
  chunk,
  dictionary,
}: ChunkBytes): Promise<{ readonly records: readonly ReadRecord[]; readonly faults: readonly string[] }> {
  const faults: string[] = [];
  const groups: Group[] = [];
  for (let block = 0; block < blocks; ) {
    const group = await readGroup(bytes, block, dictionary).catch(firstLineOf);
    if (typeof group === "string") {
      faults.push(`block ${block} cannot be read: ${group}`);
      return { records: [], faults };
    }
    faults.push(...faultsOf(group, bytes));
    block += group.blocks;
    const [first] = group.records;
    const isPart = first !== undefined && first.json.length === 0;
    if (!isPart) groups.push(group);
    else if (group.blocks > 1) faults.push(`block ${group.block}: a part of ${group.blocks} blocks, expected 1`);
    else groups.at(-1)?.parts.push(first.geometry);
  }
  if (blocks > CHUNK_BLOCKS && groups.length > 1)
    faults.push(`${blocks} blocks of ${groups.length} groups, expected at most ${CHUNK_BLOCKS}`);
  const records: ReadRecord[] = [];
  for (const { block, blocks: own, records: stored, parts } of groups) {
    if (parts.length > 0 && stored.length > 1) faults.push(`block ${block}: ${stored.length} rows before parts`);
    for (const [row, record] of stored.entries()) {
      const read = await readRecord(record, parts);
      if (typeof read === "string") faults.push(`row at block ${block}, index ${row}: ${read}`);
      else records.push({ ...read, address: recordAddressOf({ chunk, block, row }), blocks: own + parts.length });
    }
  }
  return { records, faults };
}

async function readGroup(chunk: Uint8Array, block: number, dictionary: Uint8Array): Promise<Group> {
  const start = block * BLOCK_BYTES;
  const length = blockBytesOf(chunk.subarray(start, start + BLOCK_BYTES));
  if (start + length > BLOCK_BYTES * Math.ceil(chunk.length / BLOCK_BYTES))
    throw new Error(`a group of ${length} bytes exceeds the last block`);
  const group = chunk.slice(start, start + length);
  return { block, blocks: length / BLOCK_BYTES, records: await openGroup(group, block, dictionary), parts: [] };
}

function faultsOf({ block, blocks, records }: Group, bytes: Uint8Array): string[] {
  const faults: string[] = [];
  if (records.length === 0) faults.push(`block ${block} holds no row`);
  if (blocks > 1 && records.length > 1) faults.push(`block ${block}: ${records.length} rows in ${blocks} blocks`);
  const isLast = (block + blocks) * BLOCK_BYTES >= bytes.length;
  const own = bytes.subarray(block * BLOCK_BYTES, (block + blocks) * BLOCK_BYTES);
  if (isLast && bytesAfter(own).length > 0)
    faults.push(`block ${block}: ${bytesAfter(own).length} bytes after the last group`);
  else if (!endsWithZeros(own)) faults.push(`block ${block} does not end with zeros`);
  return faults;
}

/** Returns true if the bytes of a block, or of the blocks of a long record, are 0 after the content. */
export function endsWithZeros(blocks: Uint8Array): boolean {
  return bytesAfter(blocks).every((byte) => byte === 0);
}

/** Returns the bytes of a block, or of the blocks of a long record, after the content. */
export function bytesAfter(blocks: Uint8Array): Uint8Array {
  const length = new DataView(blocks.buffer, blocks.byteOffset).getUint32(BLOCK_HEADER_BYTES - 4, true);
  return blocks.subarray(BLOCK_HEADER_BYTES + length);
}

/** Returns the geometry that a table and its parts describe. Throws if they do not match. */
async function joinChecked(stored: Uint8Array, parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const table = readPartTable(stored);
  if (table.parts.length !== parts.length)
    throw new Error(`a table of ${table.parts.length} parts has ${parts.length}`);
  const twkb = joinParts(table, (part) => parts[part]);
  if (!bytesEqual(await tableOf(twkb, table, parts), stored))
    throw new Error("a table of parts has another check, box or first vertex than its geometry");
  return twkb;
}

async function readRecord(
  { json, geometry: stored }: StoredRecord,
  parts: readonly Uint8Array[],
): Promise<Omit<ReadRecord, "address" | "blocks"> | string> {
  try {
    const columns: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json));
    if (typeof columns !== "object" || columns === null) return "its JSON is no object";
    const { id } = columns as { id?: unknown };
    if (typeof id !== "string") return "its JSON has no id";
    if (!isPartTable(stored) && parts.length > 0) return `${id} has ${parts.length} parts and no table of them`;
    const geometry = isPartTable(stored) ? await joinChecked(stored, parts) : stored;
    if (isNeedlessWkb(geometry)) return `${id} has WKB where a shorter encoding has every coordinate`;
    const bbox = bboxOf(readStoredGeometry(geometry));
    return {
      id,
      content: digestJson(columns),
      geometry: digestGeometry(geometry),
      parts: digestTable(stored),
      bbox,
    };
  } catch (error) {
    return firstLineOf(error);
  }
}
