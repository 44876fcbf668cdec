/** The primary copy of the small dataset: rows in cells, slices with nodes. @module */
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import { commonBits, encodeGeohash, GEOHASH_BITS, sizeClassOf, spellGeohash } from "../../../data/format/geohash.ts";
import { bboxOf, type Position } from "../../../data/format/geometry.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { FORMAT_VERSION } from "../../../data/format/manifest.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import type { SmallRow } from "./features.ts";

/** Small, so that cells are cut. */
const CELL_ROWS = 7;

/** Returns the box of a row. */
export function boxOf(row: SmallRow): BBox {
  const box = bboxOf(row.geometry);
  if (!box) throw new Error(`${row.id} has no box`);
  return box;
}

/** Returns the representative point of a row. */
export function middleOf(row: SmallRow): Position {
  const middle = representativePoint(row.geometry);
  if (!middle) throw new Error(`${row.id} has no position`);
  return middle;
}

/** Returns the geohash of the representative point of a row. */
export function geohashOf(row: SmallRow): number {
  return encodeGeohash(...middleOf(row));
}

/** Rows of a country by cell, in order. Cells are halved by one bit until they have few rows. */
export function cutCells(rows: readonly SmallRow[]): SmallRow[][] {
  const classes = new Map<number, SmallRow[]>();
  for (const row of rows) {
    const own = sizeClassOf(boxOf(row));
    classes.set(own, [...(classes.get(own) ?? []), row]);
  }
  const cells: SmallRow[][] = [];
  const halve = (group: readonly SmallRow[], first: number, bits: number): void => {
    if (group.length === 0) return;
    if (group.length <= CELL_ROWS || bits === GEOHASH_BITS) {
      cells.push(group.toSorted((a, b) => geohashOf(a) - geohashOf(b) || compareIds(a.id, b.id)));
      return;
    }
    const middle = first + 2 ** (GEOHASH_BITS - bits - 1);
    halve(
      group.filter((row) => geohashOf(row) < middle),
      first,
      bits + 1,
    );
    halve(
      group.filter((row) => geohashOf(row) >= middle),
      middle,
      bits + 1,
    );
  };
  for (const own of [...classes.keys()].sort()) halve(classes.get(own) ?? [], 0, 0);
  return cells;
}

/** Returns the geohash cell of the rows as text. */
export function spellCell(rows: readonly SmallRow[]): string {
  const hashes = rows.map(geohashOf);
  const [least, greatest] = [Math.min(...hashes), Math.max(...hashes)];
  return spellGeohash(least, commonBits(least, greatest));
}

/** Key-value entries of a slice or a pack with these rows. */
export function entriesOf(collection: string, country: string, rows: readonly SmallRow[]): Record<string, string> {
  const edges = ["xmin", "ymin", "xmax", "ymax"];
  const geometry = {
    encoding: "WKB",
    geometry_types: [...new Set(rows.map((row) => row.geometry.type))].sort(),
    bbox: bboxUnion(rows.map(boxOf)),
    covering: { bbox: Object.fromEntries(edges.map((edge) => [edge, ["bbox", edge]])) },
  };
  return {
    geo: JSON.stringify({ version: "1.1.0", primary_column: "geometry", columns: { geometry } }),
    cairn: JSON.stringify({ format_version: FORMAT_VERSION, collection, country }),
  };
}
