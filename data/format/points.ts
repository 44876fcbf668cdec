/**
 * Points: the geometry and number of each row of a slice of the primary copy, in order, and the sizes of the groups of
 * its records. Enough to measure, count and sort the rows in a circle or an area, and to find their records.
 * @module
 */
import { boxOfParts, isPartTable, readPartTable } from "./geometry-parts.ts";
import { type Deflate, inflate } from "./inflate.ts";
import { inflateLarge } from "./inflate-large.ts";
import { MAX_SLICE_BYTES } from "./limits.ts";
import { addressGroups, type GroupSize } from "./records.ts";
import { ByteReader, ByteWriter } from "./varint.ts";
import { createPathReader } from "./wkb-paths.ts";

export interface PointRow {
  /** TWKB if it represents every coordinate exactly, otherwise WKB; the table of parts of a long geometry. */
  readonly geometry: Uint8Array;
  /** Counted from the first number of the country. */
  readonly number: number;
}

/** Bytes of a number. Each byte position has its own plane, because adjacent rows share the high bytes. */
const NUMBER_BYTES = 6;

/** Returns the points of these rows as a slice. `groups` are the groups of their records, in order. */
export function writePoints(rows: readonly PointRow[], groups: readonly GroupSize[], deflate: Deflate): Uint8Array {
  const out = new ByteWriter();
  out.varint(rows.length);
  for (const { geometry } of rows) out.varint(geometry.length);
  for (const { geometry } of rows) out.raw(geometry);
  const planes = new Uint8Array(NUMBER_BYTES * rows.length);
  for (const [row, { number }] of rows.entries()) {
    let rest = number;
    for (let plane = NUMBER_BYTES - 1; plane >= 0; plane--) {
      planes[plane * rows.length + row] = rest % 256;
      rest = Math.floor(rest / 256);
    }
  }
  out.raw(planes);
  out.varint(groups.length);
  for (const group of groups) {
    out.varint(group.rows);
    out.varint(group.blocks);
  }
  return deflate(out.bytes());
}

/** The points of a partition in memory. */
export interface Points {
  readonly rows: number;
  readonly sizeBytes: number;
  /** The row's geometry as TWKB or WKB, or the table of its parts: a view, do not change it. */
  geometry(row: number): Uint8Array;
  /** The row's number, counted from the first of the country. */
  number(row: number): number;
  /** The address of the row's record. `first` is the address of the slice's first record. */
  address(row: number, first: number): number;
  /** The number of blocks of the group of the row's record, the parts of a long geometry included. */
  blocks(row: number): number;
  /** The groups of the records, in order. */
  readonly groups: readonly GroupSize[];
  /** West, south, east and north of each row in degrees. Of a point, its position twice. */
  readonly boxes: Float64Array;
  /** The rows whose geometry is a table of parts. */
  readonly longRows: readonly number[];
}

/** Reads points. Throws if they are damaged. */
export function readPoints(slice: Uint8Array): Points {
  return pointsIn(inflate(slice, { maxBytes: MAX_SLICE_BYTES }));
}

/** Reads points in less time. Rejects if they are damaged. */
export async function openPoints(slice: Uint8Array): Promise<Points> {
  return pointsIn(await inflateLarge(slice, { maxBytes: MAX_SLICE_BYTES }));
}

function pointsIn(bytes: Uint8Array): Points {
  const reader = new ByteReader(bytes);
  const rows = reader.varint();
  if (rows > bytes.length) throw new Error(`points claim ${rows} rows in ${bytes.length} bytes`);
  const ends = new Uint32Array(rows);
  let end = 0;
  for (let row = 0; row < rows; row++) {
    end += reader.varint();
    ends[row] = end;
  }
  const geometries = reader.raw(end);
  const planes = reader.raw(NUMBER_BYTES * rows);
  const groups = readGroups(reader, rows);
  const geometry = (row: number): Uint8Array => geometries.subarray(row === 0 ? 0 : ends[row - 1], ends[row]);
  const { boxes, longRows } = boxesOf(rows, geometry);
  return {
    rows,
    sizeBytes: bytes.length + ends.byteLength + boxes.byteLength,
    geometry,
    groups,
    ...positionsOf(groups),
    boxes,
    longRows,
    number(row) {
      let number = 0;
      for (let plane = 0; plane < NUMBER_BYTES; plane++) number = number * 256 + (planes[plane * rows + row] ?? 0);
      return number;
    },
  };
}

function readGroups(reader: ByteReader, rows: number): GroupSize[] {
  const count = reader.varint();
  if (count > rows) throw new Error(`points claim ${count} groups of ${rows} rows`);
  const groups = Array.from({ length: count }, () => ({ rows: reader.varint(), blocks: reader.varint() }));
  const grouped = groups.reduce((sum, group) => sum + group.rows, 0);
  if (grouped !== rows) throw new Error(`points have ${rows} rows, their groups ${grouped}`);
  return groups;
}

function positionsOf(groups: readonly GroupSize[]): Pick<Points, "address" | "blocks"> {
  const starts: number[] = [];
  let rows = 0;
  for (const group of groups) {
    starts.push(rows);
    rows += group.rows;
  }
  function groupAt(row: number): number {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }
  let cached: { readonly first: number; readonly addresses: readonly number[] } | undefined;
  return {
    address(row, first) {
      if (cached?.first !== first) cached = { first, addresses: [...addressGroups(first, groups)] };
      const group = groupAt(row);
      return (cached.addresses[group] as number) + row - (starts[group] as number);
    },
    blocks: (row) => groups[groupAt(row)]?.blocks ?? 1,
  };
}

function boxesOf(rows: number, geometry: (row: number) => Uint8Array): Pick<Points, "boxes" | "longRows"> {
  const boxes = new Float64Array(4 * rows);
  const longRows: number[] = [];
  let at = 0;
  const read = createPathReader((_, coordinates, count) => {
    for (let i = 0; i < 2 * count; i++) {
      const value = coordinates[i] as number;
      const low = at + (i % 2);
      if (value < (boxes[low] as number)) boxes[low] = value;
      if (value > (boxes[low + 2] as number)) boxes[low + 2] = value;
    }
  });
  for (let row = 0; row < rows; row++) {
    at = 4 * row;
    boxes[at] = boxes[at + 1] = Infinity;
    boxes[at + 2] = boxes[at + 3] = -Infinity;
    const stored = geometry(row);
    if (isPartTable(stored)) {
      longRows.push(row);
      boxes.set(boxOfParts(readPartTable(stored)), at);
    } else read(stored);
  }
  return { boxes, longRows };
}
