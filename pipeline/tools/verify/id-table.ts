/**
 * Loads the entries of the ids run into a table, and compares them with the records.
 * @module
 */

import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import {
  ID_BLOCK_ROWS,
  openIdBlock,
  readSegmentDirectory,
  rowNumberOf,
  type SegmentDirectory,
} from "../../../data/format/id-order.ts";
import { firstLineOf } from "../../../data/format/message-of.ts";
import { firstAddressOf } from "../../../data/format/records.ts";
import { appendRow, type Database, quoteLiteral } from "../../base/database/index.ts";
import { checksOf, expectedGot } from "./ledger.ts";
import { bytesAfter, endsWithZeros, RECORDS_TABLE } from "./record-table.ts";
import { ROWS_TABLE } from "./row-table.ts";
import { nameSlice, type TableNode } from "./slice-table.ts";
import { expectNone, openSlice, type Verified } from "./verified.ts";

/**
 * Table of entries of ids. `number` (row number) and `address` (of the record) are counted from 0 in the collection;
 * `key` is the start of the id in hexadecimal.
 */
const ENTRIES_TABLE = "verified_entries";

/** Table with `country`, `id`, `number` and `address` of the records that have an entry. */
export const NUMBERED_TABLE = "verified_numbers";

/** Segments (slices of the ids run) by country, for countries whose entries could all be read. */
type LoadedSegments = ReadonlyMap<string, readonly LoadedSegment[]>;

interface LoadedSegment {
  readonly entry: TableNode<"ids">;
  readonly directory: SegmentDirectory | undefined;
}

/**
 * Fills the table with the entries of these countries, and reports faults. Returns the segments of the countries whose
 * entries could all be read.
 */
export async function loadIds(verified: Verified, countries: ReadonlySet<string>): Promise<LoadedSegments> {
  const { database, sliceTable, manifest } = verified;
  await database.run(`
    CREATE OR REPLACE TABLE ${ENTRIES_TABLE} (country VARCHAR, slice INTEGER, block INTEGER, block_row INTEGER,
      number BIGINT, address BIGINT, key VARCHAR)`);
  const whole = new Map<string, LoadedSegment[]>(Array.from(countries, (country) => [country, []]));
  const appender = await database.connection.createAppender(ENTRIES_TABLE);
  for await (const entry of sliceTable.nodes("ids", countries)) {
    const { node, slice } = entry;
    const { country, segment, rows } = node;
    const first = firstAddressOf(manifest.chunks[country] ?? 0);
    const bytes = await openSlice(verified, "ids", entry, (content) => content);
    const { say, same } = checksOf(verified, nameSlice(entry));
    const expected = Math.ceil(rows / ID_BLOCK_ROWS);
    const isSized = same("ids", "blocks", expected, node.blocks);
    const isOneBlock = node.blocks === 1;
    const isLong = bytes && (isOneBlock ? bytes.length > 0 : bytes.length > node.blocks * BLOCK_BYTES);
    const short = () => `${bytes?.length} bytes do not hold ${node.blocks} blocks and a directory`;
    if (!bytes || !isSized || !say("ids", isLong === true, short)) {
      whole.delete(country);
      continue;
    }
    const faults: string[] = [];
    let found = 0;
    for (let block = 0; block < node.blocks; block++) {
      const own = isOneBlock ? bytes.slice() : bytes.slice(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES);
      const entries = await openIdBlock(own, block).catch(firstLineOf);
      if (typeof entries === "string") {
        faults.push(`block ${block} cannot be read: ${entries}`);
        continue;
      }
      if (isOneBlock && bytesAfter(own).length > 0) faults.push(`${bytesAfter(own).length} bytes after the only block`);
      else if (!endsWithZeros(own)) faults.push(`block ${block} does not end with zeros`);
      const wanted = Math.min(ID_BLOCK_ROWS, rows - block * ID_BLOCK_ROWS);
      if (entries.rows !== wanted) faults.push(`block ${block}: rows ${expectedGot(wanted, entries.rows)}`);
      for (let row = 0; row < entries.rows; row++) {
        const number = rowNumberOf({ segment, block, row });
        const key = Buffer.from(entries.key(row)).toString("hex").toUpperCase();
        appendRow(appender, country, slice, block, row, number, first + entries.address(row), key);
      }
      found += entries.rows;
    }
    const directory = isOneBlock
      ? undefined
      : await readSegmentDirectory(bytes.subarray(node.blocks * BLOCK_BYTES)).catch(firstLineOf);
    if (typeof directory === "string") faults.push(`its directory cannot be read: ${directory}`);
    say("ids", faults.length === 0, () => faults.join("; "));
    const isRead = same("row counts", "rows", rows, found);
    if (typeof directory === "object") same("ids", "rows of its directory", rows, directory.rows);
    if (isRead) whole.get(country)?.push({ entry, directory: typeof directory === "string" ? undefined : directory });
    else whole.delete(country);
    appender.flushSync();
  }
  appender.closeSync();
  await database.run(`
    CREATE OR REPLACE TABLE ${NUMBERED_TABLE} AS
    SELECT country, id, number, address FROM ${RECORDS_TABLE} JOIN ${ENTRIES_TABLE} USING (country, address)`);
  return whole;
}

/**
 * Checks that segments are numbered without gaps, that `start` is the number of rows before in the country, and that
 * the manifest has the first segment of each country.
 */
export async function checkSegments(verified: Verified): Promise<void> {
  const { name, sliceTable, manifest } = verified;
  const firsts: Record<string, number> = {};
  let [ordinal, country, start, lastId] = [0, "", 0, ""];
  for await (const entry of sliceTable.nodes("ids")) {
    const { node } = entry;
    const { same, say } = checksOf(verified, nameSlice(entry));
    same("ids", "segment", ordinal, node.segment);
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
  checksOf(verified, "manifest.json").same("ids", `${name} segments`, firsts, manifest.segments);
}

/**
 * Checks that each record has one entry with the start of its id, and that entries are in the order of ids. Checks the
 * ids and boxes in nodes and directories. Entries and records of `countries` must be complete.
 */
export async function compareEntries(
  verified: Verified,
  countries: ReadonlySet<string>,
  segments: LoadedSegments,
): Promise<void> {
  if (countries.size === 0) return;
  const within = `country IN (${[...countries].map(quoteLiteral).join(", ")})`;
  const entries = `(SELECT * FROM ${ENTRIES_TABLE} WHERE ${within}) entries`;
  const records = `(SELECT * FROM ${RECORDS_TABLE} WHERE ${within}) records`;
  const both = `(SELECT entries.*, records.id FROM ${entries} JOIN ${records} USING (country, address))`;
  for (const [what, named, query] of [
    ["records have no entry of ids", "id", `${records} ANTI JOIN ${entries} USING (country, address)`],
    [
      "entries of ids have no record",
      "'number ' || number",
      `${entries} ANTI JOIN ${records} USING (country, address)`,
    ],
    [
      "entries of ids have the address of another",
      "'number ' || number",
      `(SELECT * FROM ${entries} QUALIFY count(*) OVER (PARTITION BY country, address) > 1)`,
    ],
    [
      "entries of ids do not begin as their ids",
      "id",
      `(SELECT * FROM ${both} WHERE NOT starts_with(rpad(hex(encode(id)), length(key)::INTEGER, '0'), key))`,
    ],
    [
      "rows are not in the order of ids",
      "id",
      `(SELECT * FROM ${both} QUALIFY lag(id) OVER (PARTITION BY country ORDER BY number) >= id)`,
    ],
  ] as const) {
    const sql = `SELECT count(*) AS rows, arg_min(${named} || ' of ' || country, (country, ${named})) AS first FROM ${query}`;
    await expectNone(verified, "ids", sql, (rows, first) => `${rows} ${what}, such as ${first}`);
  }
  await compareSegments(verified, countries, segments);
}

interface SegmentRows {
  readonly slice: number;
  readonly first_id: string;
  readonly last_id: string;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Id of the first row of a block. */
interface BlockRow {
  readonly slice: number;
  readonly block: number;
  readonly id: string;
}

async function compareSegments(
  verified: Verified,
  countries: ReadonlySet<string>,
  segments: LoadedSegments,
): Promise<void> {
  const { database } = verified;
  const rows = `
    SELECT entries.slice, entries.block, entries.block_row, entries.number, rows.id, west, south, east, north
    FROM ${ENTRIES_TABLE} entries JOIN ${RECORDS_TABLE} records USING (country, address)
    JOIN ${ROWS_TABLE} rows ON rows.country = records.country AND rows.id = records.id`;
  const found = await database.rows<SegmentRows>(`
    SELECT slice, arg_min(id, number) AS first_id, arg_max(id, number) AS last_id, min(west) AS west, min(south) AS south, max(east) AS east, max(north) AS north
    FROM (${rows}) GROUP BY slice`);
  const bySlice = new Map(found.map((line) => [line.slice, line]));
  const blocks = await database.rows<BlockRow>(
    `SELECT slice, block, min(id) AS id FROM (${rows}) WHERE block_row = 0 GROUP BY ALL ORDER BY ALL`,
  );
  const firsts = new Map<number, BlockRow[]>();
  for (const block of blocks) firsts.set(block.slice, [...(firsts.get(block.slice) ?? []), block]);
  for (const country of countries) {
    for (const { entry, directory } of segments.get(country) ?? []) {
      const line = bySlice.get(entry.slice);
      if (!line) continue;
      const { same, say } = checksOf(verified, nameSlice(entry));
      same("order", "first_id", line.first_id, entry.node.first_id);
      same("order", "last_id", line.last_id, entry.node.last_id);
      same("bbox", "bbox", await boxOf(database, line, `(${rows})`), entry.node.bbox);
      const wrong = firsts.get(entry.slice)?.find(({ block, id }) => directory && id !== directory.ids[block]);
      const stored = directory?.ids[wrong?.block ?? 0] ?? "none";
      say("ids", !wrong, () => `directory, block ${wrong?.block}: id ${expectedGot(wrong?.id ?? "", stored)}`);
    }
  }
}

async function boxOf(
  database: Database,
  { slice, west, south, east, north }: SegmentRows,
  rows: string,
): Promise<BBox> {
  if (east - west <= 180) return [west, south, east, north];
  const spans = await database.rows<{ west: number; east: number }>(
    `SELECT DISTINCT west, east FROM ${rows} WHERE slice = ${slice}`,
  );
  return bboxUnion(spans.map((span): BBox => [span.west, south, span.east, north]));
}
