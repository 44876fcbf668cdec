/**
 * Loads records into a table. Checks that segments have groups that fill their blocks, as in their directory, in
 * order. @module
 */
import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import { bboxOf } from "../../data/format/geometry.ts";
import { compareIds } from "../../data/format/ids.ts";
import {
  addressOf,
  BLOCK_BYTES,
  type Directory,
  GROUP_HEADER_BYTES,
  groupBytesOf,
  openGroup,
  readDirectory,
  rowNumberOf,
  STRETCH_BLOCKS,
  type StoredRecord,
} from "../../data/format/records.ts";
import { readStoredGeometry } from "../../data/format/stored-geometry.ts";
import { appendRow } from "../database/index.ts";
import { checksOf, expectedGot, messageOf } from "./ledger.ts";
import { digestGeometry, digestJson, isNeedlessWkb } from "./row-facts.ts";
import { nameSlice } from "./slice-book.ts";
import { openSlice, type Verified } from "./verified.ts";

export const RECORDS_TABLE = "verified_records";

/** Fills the table with the records of these countries. Returns the boxes of the segments of each complete country. */
export async function loadRecords(
  verified: Verified,
  dictionary: Uint8Array,
  countries: ReadonlySet<string>,
): Promise<Map<string, BBox[]>> {
  const { database, book } = verified;
  await database.run(`
    CREATE OR REPLACE TABLE ${RECORDS_TABLE} (country VARCHAR, slice INTEGER, id VARCHAR, number BIGINT,
      content UBIGINT, geometry UBIGINT)`);
  const whole = new Map<string, BBox[]>(Array.from(countries, (country) => [country, []]));
  const appender = await database.connection.createAppender(RECORDS_TABLE);
  for await (const booked of book.nodes("records", countries)) {
    const { node, slice } = booked;
    const bytes = await openSlice(verified, "records", booked, (content) => content);
    const { say, same } = checksOf(verified, nameSlice(booked));
    const isLong = bytes && bytes.length > node.blocks * BLOCK_BYTES;
    const short = () => `${bytes?.length} bytes do not hold ${node.blocks} blocks and a directory`;
    if (!bytes || !say("records", isLong === true, short)) {
      whole.delete(node.country);
      continue;
    }
    const { records, faults } = await readStretch({ ...node, bytes, dictionary });
    say("records", faults.length === 0, () => faults.join("; "));
    if (!same("row counts", "rows", node.rows, records.length)) whole.delete(node.country);
    const boxes = records.map(({ bbox }) => bbox).filter((bbox) => bbox !== undefined);
    if (boxes.length > 0) same("bbox", "bbox", bboxUnion(boxes), node.bbox);
    whole.get(node.country)?.push(node.bbox);
    const [first, last] = [records[0], records.at(-1)];
    if (first) same("order", "first_id", first.id, node.first_id);
    if (last) same("order", "last_id", last.id, node.last_id);
    for (const { id, number, content, geometry } of records) {
      appendRow(appender, node.country, slice, id, number, content, geometry);
    }
    appender.flushSync();
  }
  appender.closeSync();
  return whole;
}

/**
 * Checks that segments are numbered without gaps, that `start` equals the rows before, and that the manifest has each
 * country's first.
 */
export async function checkStretches(verified: Verified): Promise<void> {
  const { name, book, manifest } = verified;
  const firsts: Record<string, number> = {};
  let [ordinal, country, start, lastId] = [0, "", 0, ""];
  for await (const booked of book.nodes("records")) {
    const { node } = booked;
    const { same, say } = checksOf(verified, nameSlice(booked));
    same("records", "stretch", ordinal, node.stretch);
    if (node.country !== country) {
      firsts[node.country] = ordinal;
      [country, start, lastId] = [node.country, 0, ""];
    }
    same("counts", "start", start, node.start);
    say("order", lastId !== node.first_id, () => `begins with ${lastId}, the last id of the one before`);
    ordinal++;
    start += node.rows;
    lastId = node.last_id;
  }
  checksOf(verified, "manifest.json").same("records", `${name} stretches`, firsts, manifest.stretches);
}

interface ReadRecord {
  readonly id: string;
  readonly number: number;
  readonly content: bigint;
  readonly geometry: bigint;
  readonly bbox: BBox | undefined;
}

interface ReadStretch {
  readonly records: readonly ReadRecord[];
  readonly faults: readonly string[];
}

interface Group {
  readonly block: number;
  readonly blocks: number;
  readonly records: readonly StoredRecord[];
}

interface StretchBytes {
  readonly bytes: Uint8Array;
  readonly blocks: number;
  readonly stretch: number;
  readonly dictionary: Uint8Array;
}

/** Reads a segment from its first block on, without the directory, and compares the directory. */
async function readStretch({ bytes, blocks, stretch, dictionary }: StretchBytes): Promise<ReadStretch> {
  const faults: string[] = [];
  const groups: Group[] = [];
  for (let block = 0; block < blocks; ) {
    const group = await readGroup(bytes.subarray(0, blocks * BLOCK_BYTES), block, dictionary).catch(messageOf);
    if (typeof group === "string") {
      faults.push(`block ${block} cannot be read: ${group}`);
      return { records: [], faults };
    }
    faults.push(...faultsOf(group, bytes));
    groups.push(group);
    block += group.blocks;
  }
  if (blocks > STRETCH_BLOCKS && groups.length > 1) {
    faults.push(`${blocks} blocks of ${groups.length} groups, expected at most ${STRETCH_BLOCKS}`);
  }
  const records: ReadRecord[] = [];
  for (const { block, records: stored } of groups) {
    for (const [place, record] of stored.entries()) {
      const read = readRecord(record, rowNumberOf({ stretch, block, place }));
      if (typeof read === "string") faults.push(`row at block ${block}, place ${place}: ${read}`);
      else records.push(read);
    }
  }
  const disordered = records.find((record, i) => i > 0 && compareIds(records[i - 1]?.id ?? "", record.id) >= 0);
  if (disordered) faults.push(`row ${disordered.id} does not come after the one before`);
  const directory = await readDirectory(bytes.subarray(blocks * BLOCK_BYTES)).catch(messageOf);
  if (typeof directory === "string") faults.push(`its directory cannot be read: ${directory}`);
  else faults.push(...directoryFaults(directory, groups, records));
  return { records, faults };
}

async function readGroup(blocks: Uint8Array, block: number, dictionary: Uint8Array): Promise<Group> {
  const start = block * BLOCK_BYTES;
  const length = groupBytesOf(blocks.subarray(start, start + BLOCK_BYTES));
  if (start + length > blocks.length) throw new Error(`a group of ${length} bytes exceeds the last block`);
  const group = blocks.slice(start, start + length);
  return { block, blocks: length / BLOCK_BYTES, records: await openGroup(group, block, dictionary) };
}

function faultsOf({ block, blocks, records }: Group, bytes: Uint8Array): string[] {
  const faults: string[] = [];
  if (records.length === 0) faults.push(`block ${block} holds no row`);
  if (blocks > 1 && records.length > 1) faults.push(`block ${block}: ${records.length} rows in ${blocks} blocks`);
  const [start, end] = [block * BLOCK_BYTES, (block + blocks) * BLOCK_BYTES];
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(start + GROUP_HEADER_BYTES - 4, true);
  const rest = bytes.subarray(start + GROUP_HEADER_BYTES + length, end);
  if (rest.some((byte) => byte !== 0)) faults.push(`block ${block} does not end with zeros`);
  return faults;
}

function readRecord({ json, geometry }: StoredRecord, number: number): ReadRecord | string {
  try {
    const columns: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json));
    if (typeof columns !== "object" || columns === null) return "its JSON is no object";
    const { id } = columns as { id?: unknown };
    if (typeof id !== "string") return "its JSON has no id";
    if (isNeedlessWkb(geometry)) return `${id} has WKB where TWKB holds every coordinate`;
    const bbox = bboxOf(readStoredGeometry(geometry));
    return { id, number, content: digestJson(columns), geometry: digestGeometry(geometry), bbox };
  } catch (error) {
    return messageOf(error);
  }
}

function directoryFaults(
  { blocks, rows, ids }: Directory,
  groups: readonly Group[],
  records: readonly ReadRecord[],
): string[] {
  const first = new Map(
    records
      .filter(({ number }) => addressOf(number).place === 0)
      .map(({ number, id }) => [addressOf(number).block, id]),
  );
  const told = blocks.map((block, i) => [block, rows[i], ids[i]]);
  const found = groups.map(({ block, records: own }) => [block, own.length, first.get(block)]);
  const at = Array.from({ length: Math.max(told.length, found.length) }, (_, i) => i).find(
    (i) => JSON.stringify(told[i]) !== JSON.stringify(found[i]),
  );
  return at === undefined
    ? []
    : [`directory, group ${at}: block, rows and id ${expectedGot(found[at] ?? "none", told[at] ?? "none")}`];
}
