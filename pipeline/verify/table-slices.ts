/** Slices of tables: their nodes, and their rows as a table of digests. @module */

import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { compareIds } from "../../data/format/ids.ts";
import { spellKey, spellRank } from "../../data/format/lookup.ts";
import { ALL_COUNTRIES, type TableRunName } from "../../data/format/manifest.ts";
import { STORED_SUGGEST_COLUMNS, unpackSuggestions } from "../../data/format/suggest-table.ts";
import { readTable, type Table, type TableValue } from "../../data/format/tables.ts";
import type { Database } from "../database/index.ts";
import { checksOf, type Ledger, messageOf } from "./ledger.ts";
import { readSlice } from "./read-slice.ts";
import { digestJson } from "./row-facts.ts";
import { nameSlice, type SliceBook } from "./slice-book.ts";

const COUNT = ["value", "rows", "brands"];
const COLUMNS: Readonly<Record<TableRunName, readonly string[]>> = {
  suggest: STORED_SUGGEST_COLUMNS,
  find: ["gap", "number"],
  count_brand: COUNT,
  count_category: COUNT,
  count_country: COUNT,
};

/** Rows in their order: `slice`, `row`, `country`, `term`, and `content` or `number`. */
export const foundTable = (run: TableRunName): string => `found_${run}`;

export interface TableRun {
  readonly dataset: string;
  readonly name: CollectionName;
  readonly run: TableRunName;
  readonly book: SliceBook;
}

interface Keyed {
  readonly term: string;
  /** Among rows of a term. */
  readonly order: string;
  readonly content: bigint;
  /** Of a suggestion. */
  readonly bbox?: BBox;
}

const WORLD: BBox = [-180, -90, 180, 90];

/** Fills the run's table; returns whether all slices could be read. */
export async function loadTable(
  database: Database,
  { dataset, name, run, book }: TableRun,
  ledger: Ledger,
): Promise<boolean> {
  const table = foundTable(run);
  await database.run(
    `CREATE OR REPLACE TABLE ${table} (slice INTEGER, row INTEGER, country VARCHAR, term VARCHAR, content UBIGINT)`,
  );
  const appender = await database.connection.createAppender(table);
  let isWhole = true;
  let tail = { country: "", term: "", order: "", rows: 0, rank: 0 };
  for await (const booked of book.nodes(run)) {
    const { node, path, slice } = booked;
    const bytes = book.isSound(slice) ? await readSlice(dataset, path, node) : undefined;
    const { say, same } = checksOf(ledger, name, nameSlice(booked));
    if (tail.country !== node.country) tail = { country: node.country, term: "", order: "", rows: 0, rank: 0 };
    const rows = bytes && open(bytes, run, { rows: node.rows, rank: tail.rank });
    if (typeof rows === "string") say("tables", false, () => `cannot be read: ${rows}`);
    if (!rows || typeof rows === "string" || !rows[0]) {
      isWhole = false;
      continue;
    }
    const box = bboxUnion(rows.map((row) => row.bbox ?? WORLD));
    same("bbox", "bbox", box, node.bbox);
    const isOfAll = node.country === ALL_COUNTRIES || run === "count_brand" || run === "count_category";
    say("tables", isOfAll, () => `stands under ${node.country}, expected ${ALL_COUNTRIES}`);
    same("order", "first_term", rows[0].term, node.first_term);
    same("order", "last_term", rows.at(-1)?.term, node.last_term);
    same("counts", "start", rows[0].term === tail.term ? tail.rows : 0, node.start);
    let disordered = -1;
    for (const [row, { term, order, content }] of rows.entries()) {
      const isFirst = tail.rank === 0 && row === 0;
      if (!isFirst && (compareIds(tail.term, term) || compareIds(tail.order, order)) >= 0) disordered = row;
      tail = { ...tail, term, order, rows: tail.term === term ? tail.rows + 1 : 1 };
      appender.appendInteger(slice);
      appender.appendInteger(row);
      appender.appendVarchar(node.country);
      appender.appendVarchar(term);
      appender.appendUBigInt(content);
      appender.endRow();
    }
    say("order", disordered === -1, () => `row ${disordered} does not come after the one before`);
    tail = { ...tail, rank: tail.rank + rows.length };
    appender.flushSync();
  }
  appender.closeSync();
  return isWhole;
}

function open(
  bytes: Uint8Array,
  run: TableRunName,
  { rows, rank }: { readonly rows: number; readonly rank: number },
): Keyed[] | string {
  try {
    const stored = readTable(bytes, COLUMNS[run], rows);
    const names = Object.keys(stored);
    if (names.length !== COLUMNS[run].length) return `columns ${names.join(", ")}, expected ${COLUMNS[run].join(", ")}`;
    const table = run === "suggest" ? unpackSuggestions(stored) : stored;
    return run === "find"
      ? keysOf(table, rows)
      : Array.from({ length: rows }, (_, row) => rowOf(table, run, row, rank));
  } catch (error) {
    return messageOf(error);
  }
}

/** Of equal keys the numbers rise. */
function keysOf({ gap = [], number = [] }: Table, rows: number): Keyed[] {
  let key = 0;
  return Array.from({ length: rows }, (_, row) => {
    const [step, place] = [gap[row], number[row]].map(wholeOf) as [number, number];
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
    throw new Error(`${JSON.stringify(value)} is no whole number`);
  }
  return value;
}

function rowOf(table: Table, run: TableRunName, row: number, rank: number): Keyed {
  const values = Object.fromEntries(Object.entries(table).map(([column, of]) => [column, of[row] ?? null]));
  const content = digestJson(values);
  if (run !== "suggest") return { term: spellRank(rank + row), order: "", content };
  return { term: String(values.term), order: String(values.id), content, bbox: boxOf(values.bbox) };
}
