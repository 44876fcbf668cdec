/**
 * Checks that location slices have the rows, cells and boxes of their nodes in the index, in order.
 * @module
 */
import type { DuckDBBlobValue } from "@duckdb/node-api";
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import { commonBits, GEOHASH_BITS, spellGeohash } from "../../../data/format/geohash.ts";
import { compareIds } from "../../../data/format/ids.ts";
import type { LocationNode } from "../../../data/format/manifest.ts";
import { boxesOfPaths } from "../../../data/format/path-boxes.ts";
import type { Database } from "../../base/database/index.ts";
import { geoFault } from "./footers.ts";
import { checksOf } from "./ledger.ts";
import type { LocationPack } from "./location-packs.ts";
import { ROWS_TABLE } from "./row-table.ts";
import { nameSlice, type TableNode } from "./slice-table.ts";
import type { Verified } from "./verified.ts";

interface SliceRows {
  readonly slice: number;
  readonly rows: number;
  readonly first_id: string;
  readonly last_id: string;
  readonly first_class: number;
  readonly last_class: number;
  readonly first_geohash: number;
  readonly last_geohash: number;
  readonly least_geohash: number;
  readonly greatest_geohash: number;
  readonly kinds: readonly string[];
  readonly faulty: number;
  readonly first_faulty: string | null;
  readonly boxless: number;
  readonly first_boxless: string | null;
  readonly disordered: number;
  readonly first_disordered: string | null;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

const NAMED = "'row ' || row || ' (' || coalesce(id, 'null') || ')'";

/**
 * Returns a summary of the loaded rows of each slice, by its number in the table of slices. A slice without rows has
 * none.
 */
export async function summariseSlices(database: Database): Promise<Map<number, SliceRows>> {
  const summaries = await database.rows<SliceRows>(`
    SELECT slice, count(*) AS rows, arg_min(id, row) AS first_id, arg_max(id, row) AS last_id,
      arg_min(size_class, row) AS first_class, arg_max(size_class, row) AS last_class,
      arg_min(geohash, row) AS first_geohash, arg_max(geohash, row) AS last_geohash,
      min(geohash) AS least_geohash, max(geohash) AS greatest_geohash,
      to_json(list_sort(list(DISTINCT kind) FILTER (kind IS NOT NULL)))::VARCHAR AS kinds,
      count(*) FILTER (is_faulty) AS faulty,
      arg_min(${NAMED} || ': ' || coalesce(reason, 'missing id'), row) FILTER (is_faulty) AS first_faulty,
      count(*) FILTER (NOT has_box) AS boxless, arg_min(${NAMED}, row) FILTER (NOT has_box) AS first_boxless,
      count(*) FILTER (is_after = false) AS disordered, arg_min(${NAMED}, row) FILTER (is_after = false) AS first_disordered,
      min(west) AS west, min(south) AS south, max(east) AS east, max(north) AS north
    FROM (
      SELECT * EXCLUDE (has_box, json, content, terms, wkb), coalesce(has_box, false) AS has_box,
        reason IS NOT NULL OR coalesce(id, '') = '' AS is_faulty,
        row(size_class, geohash, id) > lag(row(size_class, geohash, id)) OVER (PARTITION BY slice ORDER BY row) AS is_after
      FROM ${ROWS_TABLE}
    )
    GROUP BY slice`);
  return new Map(
    summaries.map((summary) => [summary.slice, { ...summary, kinds: JSON.parse(String(summary.kinds ?? "[]")) }]),
  );
}

/**
 * Checks the rows of a slice and returns their box in degrees. Undefined if there are no rows, or if a row has no sound
 * geometry or id. `geo` is the slice's GeoParquet metadata.
 */
export async function checkSlice(
  verified: Verified,
  entry: TableNode<"location">,
  rows: SliceRows | undefined,
  geo: readonly string[],
): Promise<BBox | undefined> {
  const { say, same } = checksOf(verified, nameSlice(entry));
  const { node } = entry;
  same("row counts", "rows", node.rows, rows?.rows ?? 0);
  if (!rows) return undefined;
  const { faulty, boxless, disordered } = rows;
  say("bbox", faulty === 0, () => `${faulty} rows without a sound geometry or id, such as ${rows.first_faulty}`);
  if (faulty > 0) return undefined;
  const boxFault = () =>
    `${boxless} rows whose bbox or plain WKB does not match the geometry, such as ${rows.first_boxless}`;
  say("bbox", boxless === 0, boxFault);
  say("order", disordered === 0, () => `${disordered} rows not after the one before, such as ${rows.first_disordered}`);
  const isOneClass = rows.first_class === rows.last_class;
  say("order", isOneClass, () => `size classes ${rows.first_class} and ${rows.last_class} in one slice`);
  const bits = commonBits(rows.least_geohash, rows.greatest_geohash);
  same("geohash", "geohash", spellGeohash(rows.least_geohash, bits), node.geohash);
  const box = await boxOf(verified.database, rows);
  same("bbox", "bbox of all rows", box, node.bbox);
  const fault = geoFault(geo, rows.kinds, box);
  say("metadata", fault === undefined, () => `${fault}`);
  return box;
}

async function boxOf(database: Database, rows: SliceRows): Promise<BBox> {
  const { west, south, east, north } = rows;
  if (east - west <= 180) return [west, south, east, north];
  const own = `FROM ${ROWS_TABLE} WHERE slice = ${rows.slice}`;
  const spans = await database.rows<{ west: number; east: number }>(
    `SELECT DISTINCT west, east ${own} AND east - west <= 180`,
  );
  const boxes = spans.map((span): BBox => [span.west, south, span.east, north]);
  for await (const [geometries = []] of database.stream(`SELECT wkb ${own} AND east - west > 180`)) {
    for (const wkb of geometries) boxes.push(...boxesOfPaths((wkb as DuckDBBlobValue).bytes));
  }
  return bboxUnion(boxes);
}

export type SliceAndRows = readonly [entry: TableNode<"location">, rows: SliceRows];

/** Checks that the metadata and the folder name of a pack match its slices. Does nothing if `slices` lacks one of them. */
export function checkPackOfSlices(
  verified: Verified,
  { path, geo, slices: all }: LocationPack,
  slices: readonly SliceAndRows[],
): void {
  const [first] = slices;
  if (!first || slices.length < all.length) return;
  const { say, same } = checksOf(verified, path);
  const least = slices.reduce((hash, [, rows]) => Math.min(hash, rows.least_geohash), first[1].least_geohash);
  const greatest = slices.reduce((hash, [, rows]) => Math.max(hash, rows.greatest_geohash), 0);
  const folder = /geohash=([^/]*)\//.exec(path)?.[1];
  same("geohash", "geohash of its folder", spellGeohash(least, commonBits(least, greatest)), folder);
  const kinds = [...new Set(slices.flatMap(([, { kinds: own }]) => own))];
  const fault = geoFault(geo, kinds, bboxUnion(slices.map(([{ node }]) => node.bbox)));
  say("metadata", fault === undefined, () => `${fault}`);
}

/**
 * Checks that slices of a country and size class are disjoint geohash cells in order, and that each pack has
 * consecutive slices.
 */
export function checkLocationOrder(verified: Verified, slices: readonly SliceAndRows[]): void {
  const sorted = [...slices].sort((a, b) => compareKeys(firstKey(a), firstKey(b)));
  const left = new Set<string>();
  for (const [i, pair] of sorted.entries()) {
    const before = sorted[i - 1];
    if (!before) continue;
    const [[last], [entry]] = [before, pair];
    const { say } = checksOf(verified, nameSlice(entry));
    say("order", compareKeys(lastKey(before), firstKey(pair)) < 0, () => `does not come after ${nameSlice(last)}`);
    say("geohash", isCell(before, pair), () => `its cell overlaps ${nameSlice(last)}`);
    if (last.path !== entry.path) left.add(last.path);
    const isNeighbour = last.path === entry.path ? last.offset < entry.offset : !left.has(entry.path);
    say("order", isNeighbour, () => `is not stored after the previous slice, ${nameSlice(last)}`);
  }
}

/**
 * Returns true if neighbouring slices are in different halves of their smallest common cell. Slices of one finest cell
 * share it, and continue by id.
 */
function isCell(a: SliceAndRows, b: SliceAndRows): boolean {
  const [[{ node: nodeA }, rowsA], [{ node: nodeB }, rowsB]] = [a, b];
  if (nodeA.country !== nodeB.country || rowsA.first_class !== rowsB.first_class) return true;
  const shared = commonBits(rowsA.last_geohash, rowsB.first_geohash);
  const own = Math.min(GEOHASH_BITS, shared + 1);
  const bitsOf = ({ least_geohash, greatest_geohash }: SliceRows) => commonBits(least_geohash, greatest_geohash);
  return bitsOf(rowsA) >= own && bitsOf(rowsB) >= own;
}

interface Key extends Pick<LocationNode, "country"> {
  readonly sizeClass: number;
  readonly geohash: number;
  readonly id: string;
}

function firstKey([{ node }, rows]: SliceAndRows): Key {
  return { country: node.country, sizeClass: rows.first_class, geohash: rows.first_geohash, id: rows.first_id };
}

function lastKey([{ node }, rows]: SliceAndRows): Key {
  return { country: node.country, sizeClass: rows.last_class, geohash: rows.last_geohash, id: rows.last_id };
}

function compareKeys(a: Key, b: Key): number {
  const order = a.sizeClass - b.sizeClass || a.geohash - b.geohash;
  return compareIds(a.country, b.country) || order || compareIds(a.id, b.id);
}
