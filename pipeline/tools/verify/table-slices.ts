/**
 * Loads the slices of the find, count and suggest runs into tables of digests, and checks their nodes.
 * @module
 */
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { spellKey, spellRank } from "../../../data/format/lookup.ts";
import { ALL_COUNTRIES, type TableRunName } from "../../../data/format/manifest.ts";
import { STORED_SUGGEST_COLUMNS, unpackSuggestions } from "../../../data/format/suggest-table.ts";
import { readTable, type Table, type TableValue } from "../../../data/format/tables.ts";
import { appendRow } from "../../base/database/index.ts";
import { checksOf } from "./ledger.ts";
import { digestJson } from "./row-facts.ts";
import { nameSlice } from "./slice-table.ts";
import { openSlice, type Verified } from "./verified.ts";

const COUNT = ["value", "rows", "brands"];
const COLUMNS: Readonly<Record<TableRunName, readonly string[]>> = {
  suggest: STORED_SUGGEST_COLUMNS,
  find: ["gap", "address"],
  count_brand: COUNT,
  count_category: COUNT,
  count_country: COUNT,
};

/**
 * Returns the name of the table with the rows of a run: `slice`, `row`, `country`, `term`, `content`. `content` is a
 * digest; of the find run, it is the record's address.
 */
export const foundTable = (run: TableRunName): string => `found_${run}`;

interface Keyed {
  readonly term: string;
  /** Text that orders rows of the same term. */
  readonly order: string;
  readonly content: bigint;
  /** Box of a suggested division in degrees. */
  readonly bbox?: BBox;
}

const WORLD: BBox = [-180, -90, 180, 90];

/** Fills the run's table and reports faults of its slices and nodes. Returns true if all slices could be read. */
export async function loadTable(verified: Verified, run: TableRunName): Promise<boolean> {
  const { database, sliceTable } = verified;
  const table = foundTable(run);
  await database.run(
    `CREATE OR REPLACE TABLE ${table} (slice INTEGER, row INTEGER, country VARCHAR, term VARCHAR, content UBIGINT)`,
  );
  const appender = await database.connection.createAppender(table);
  let isWhole = true;
  let tail = { country: "", term: "", order: "", rows: 0, rank: 0 };
  for await (const entry of sliceTable.nodes(run)) {
    const { node, slice } = entry;
    if (tail.country !== node.country) tail = { country: node.country, term: "", order: "", rows: 0, rank: 0 };
    const rows = await openSlice(verified, "tables", entry, (bytes) => open(bytes, run, node.rows, tail.rank));
    const { say, same } = checksOf(verified, nameSlice(entry));
    if (!rows?.[0]) {
      isWhole = false;
      continue;
    }
    const box = bboxUnion(rows.map((row) => row.bbox ?? WORLD));
    same("bbox", "bbox", box, node.bbox);
    const isOfAll = node.country === ALL_COUNTRIES || run === "count_brand" || run === "count_category";
    say("tables", isOfAll, () => `is under ${node.country}, expected ${ALL_COUNTRIES}`);
    same("order", "first_term", rows[0].term, node.first_term);
    same("order", "last_term", rows.at(-1)?.term, node.last_term);
    same("counts", "start", rows[0].term === tail.term ? tail.rows : 0, node.start);
    let disordered = -1;
    for (const [row, { term, order, content }] of rows.entries()) {
      const isFirst = tail.rank === 0 && row === 0;
      if (!isFirst && (compareIds(tail.term, term) || compareIds(tail.order, order)) >= 0) disordered = row;
      tail = { ...tail, term, order, rows: tail.term === term ? tail.rows + 1 : 1 };
      appendRow(appender, slice, row, node.country, term, content);
    }
    say("order", disordered === -1, () => `row ${disordered} does not come after the one before`);
    tail = { ...tail, rank: tail.rank + rows.length };
    appender.flushSync();
  }
  appender.closeSync();
  return isWhole;
}

function open(bytes: Uint8Array, run: TableRunName, rows: number, rank: number): Keyed[] {
  const stored = readTable(bytes, COLUMNS[run], rows);
  const names = Object.keys(stored);
  if (names.length !== COLUMNS[run].length)
    throw new Error(`columns ${names.join(", ")}, expected ${COLUMNS[run].join(", ")}`);
  if (run === "find") return keysOf(stored, rows);
  const table = run === "suggest" ? unpackSuggestions(stored) : stored;
  return Array.from({ length: rows }, (_, row) => rowOf(table, run, row, rank));
}

/** Returns the rows of the find run. Addresses grow among rows with equal keys. */
function keysOf({ gap = [], address = [] }: Table, rows: number): Keyed[] {
  let key = 0;
  return Array.from({ length: rows }, (_, row) => {
    const [step, place] = [gap[row], address[row]].map(wholeOf) as [number, number];
    key = row === 0 ? step : key + step;
    return { term: spellKey(key), order: String(place).padStart(16, "0"), content: BigInt(place) };
  });
}

function boxOf(value: TableValue | undefined): BBox {
  const edges = Array.isArray(value) ? value.map(Number) : [];
  const [west, south, east, north] = edges;
  if (west === undefined || south === undefined || east === undefined || north === undefined) {
    throw new Error(`${JSON.stringify(value)} is no box`);
  }
  return [west, south, east, north];
}

function wholeOf(value: TableValue | undefined): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    throw new Error(`${JSON.stringify(value)} is not an integer`);
  }
  return value;
}

function rowOf(table: Table, run: TableRunName, row: number, rank: number): Keyed {
  const values = Object.fromEntries(Object.entries(table).map(([column, of]) => [column, of[row] ?? null]));
  const content = digestJson(values);
  if (run !== "suggest") return { term: spellRank(rank + row), order: "", content };
  return { term: String(values.term), order: String(values.id), content, bbox: boxOf(values.bbox) };
}
