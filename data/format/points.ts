/**
 * Points: the geometry and number of each row of a slice of the primary copy, in order, and the sizes of the groups of
 * its records. They are enough to measure, count and sort the rows in a circle or an area, and to find their records.
 *
 * @module
 */
import { FINE_POINT } from "./fine-point.ts";
import { boxOfParts, isPartTable, readPartTable } from "./geometry-parts.ts";
import { type Deflate, inflate } from "./inflate.ts";
import { inflateLarge } from "./inflate-large.ts";
import { MAX_SLICE_BYTES } from "./limits.ts";
import { addressGroups, type GroupSize, MAX_GROUP_ROWS } from "./records.ts";
import { ByteReader, ByteWriter, unzigzag, zigzagOf } from "./varint.ts";
import { createPathReader } from "./wkb-paths.ts";

/** A row as points store it: its geometry and its row number. */
export interface PointRow {
  /** TWKB or a fine point if that is exact, otherwise WKB. Of a long geometry the table of its parts. */
  readonly geometry: Uint8Array;
  /** Row number, counted from the first number of the country. */
  readonly number: number;
}

/** Bytes of a number or a step. Each byte position has its own plane, because adjacent rows share the high bytes. */
const PLANES = 6;
/** Memory of a row besides its geometry: a box and two numbers. */
const ROW_BYTES = 48;

/** Returns the points of these rows as a compressed slice. `groups` are the groups of the rows' records, in order. */
export function writePoints(rows: readonly PointRow[], groups: readonly GroupSize[], deflate: Deflate): Uint8Array {
  const [out, rest] = [new ByteWriter(), new ByteWriter()];
  const steps: number[] = [];
  let [x, y] = [0, 0];
  for (const { geometry } of rows) {
    const first = firstPositionOf(geometry);
    if (first) {
      steps.push(zigzagOf(first.x - x), zigzagOf(first.y - y));
      ({ x, y } = first);
    }
    for (const bytes of [geometry.subarray(0, first?.start ?? 0), geometry.subarray(first?.end ?? 0)]) {
      rest.varint(bytes.length);
      rest.raw(bytes);
    }
  }
  out.varint(steps.length);
  out.raw(planesOf(steps));
  out.varint(rows.length);
  out.raw(rest.bytes());
  const numbers = rows.map(({ number }) => number);
  out.raw(planesOf(numbers));
  out.varint(groups.length);
  for (const group of groups) {
    out.varint(group.rows);
    out.varint(group.blocks);
  }
  return deflate(out.bytes());
}

/** Counts before the first position, by the type of TWKB. A GeometryCollection has a first position for each member. */
const COUNTS = [0, 0, 1, 2, 1, 2, 3];

/**
 * Returns the first position of TWKB or of a fine point in 1e-7 degrees, and where its bytes are. Undefined for other
 * geometries, and for a geometry without positions.
 */
function firstPositionOf(geometry: Uint8Array) {
  const [type = 0, flags] = geometry;
  const isFine = type === FINE_POINT;
  const counts = isFine ? 0 : COUNTS[type & 15];
  if (type < 2 || (flags !== 0 && !isFine) || counts === undefined) return undefined;
  const reader = new ByteReader(geometry);
  reader.raw(isFine ? 1 : 2);
  for (let i = 0; i < counts; i++) if (reader.varint() === 0) return undefined;
  const start = geometry.length - reader.left;
  const [x, y] = [reader.signed(), reader.signed()];
  return { start, end: geometry.length - reader.left, x, y };
}

/** Returns the highest bytes of all values, then their next bytes, and so on. Such planes compress better. */
function planesOf(values: readonly number[]): Uint8Array {
  const planes = new Uint8Array(PLANES * values.length);
  for (const [row, value] of values.entries()) {
    let rest = value;
    for (let plane = PLANES - 1; plane >= 0; plane--) {
      planes[plane * values.length + row] = rest % 256;
      rest = Math.floor(rest / 256);
    }
  }
  return planes;
}

/** The value of a row in planes. */
function valueIn(planes: Uint8Array, row: number): number {
  let value = 0;
  for (let at = row; at < planes.length; at += planes.length / PLANES) value = value * 256 + (planes[at] as number);
  return value;
}

/** The points of a slice of the primary copy, in memory. `row` is the index of a row in the slice, from 0. */
export interface Points {
  readonly rows: number;
  /** Approximate memory. */
  readonly sizeBytes: number;
  /** The row's stored geometry, or the table of its parts: a view, do not change it. */
  geometry(row: number): Uint8Array;
  /** The row's number, counted from the first of the country. */
  number(row: number): number;
  /** The address of the row's record. `first` is the address of the first record of the slice. */
  address(row: number, first: number): number;
  /** The number of blocks of the group with the row's record, and of its parts if the geometry is long. */
  blocks(row: number): number;
  /** The groups of the slice's records, in order. */
  readonly groups: readonly GroupSize[];
  /** Four numbers for each row: west, south, east and north in degrees. A point has its position twice. */
  readonly boxes: Float64Array;
  /** The rows whose geometry is a table of parts. */
  readonly longRows: readonly number[];
}

/** Reads a slice of points. Throws if it is damaged. */
export function readPoints(slice: Uint8Array): Points {
  return pointsIn(inflate(slice, { maxBytes: MAX_SLICE_BYTES }));
}

/** Reads a slice of points as `readPoints` does, in a browser in less time. Rejects if it is damaged. */
export async function openPoints(slice: Uint8Array): Promise<Points> {
  return pointsIn(await inflateLarge(slice, { maxBytes: MAX_SLICE_BYTES }));
}

function pointsIn(bytes: Uint8Array): Points {
  const reader = new ByteReader(bytes);
  const { geometries, ends } = readGeometries(reader);
  const rows = ends.length;
  const planes = reader.raw(PLANES * rows);
  const groups = readGroups(reader, rows);
  const geometry = (row: number): Uint8Array => geometries.subarray(ends[row - 1], ends[row]);
  const { boxes, longRows } = boxesOf(rows, geometry);
  return {
    rows,
    sizeBytes: bytes.length + geometries.length + ROW_BYTES * rows,
    geometry,
    groups,
    ...positionsOf(groups),
    boxes,
    longRows,
    number: (row) => valueIn(planes, row),
  };
}

function readGeometries(reader: ByteReader) {
  const count = reader.varint();
  const steps = reader.raw(PLANES * count);
  const out = new ByteWriter();
  let [x, y, step] = [0, 0, 0];
  const ends = reader.list(() => {
    const start = reader.varint();
    if (start > 0) {
      out.raw(reader.raw(start));
      x += unzigzag(valueIn(steps, step++));
      y += unzigzag(valueIn(steps, step++));
      out.signed(x);
      out.signed(y);
    }
    out.raw(reader.raw(reader.varint()));
    return out.length;
  });
  if (step !== count) throw new Error(`points have ${count} steps, their rows ${step}`);
  return { geometries: out.bytes(), ends };
}

function readGroups(reader: ByteReader, rows: number): GroupSize[] {
  const groups = reader.list(() => ({ rows: reader.varint(), blocks: reader.varint() }));
  const grouped = groups.reduce((sum, group) => sum + group.rows, 0);
  if (grouped !== rows) throw new Error(`points have ${rows} rows, their groups ${grouped}`);
  return groups;
}

function positionsOf(groups: readonly GroupSize[]): Pick<Points, "address" | "blocks"> {
  /** For each row the number of its group, and in the low bits its position in the group. */
  const places = groups.flatMap(({ rows }, group) =>
    Array.from({ length: rows }, (_, row) => group * MAX_GROUP_ROWS + row),
  );
  const groupAt = (row: number): number => Math.floor((places[row] as number) / MAX_GROUP_ROWS);
  let cached: { readonly first: number; readonly addresses: readonly number[] } | undefined;
  return {
    address(row, first) {
      if (cached?.first !== first) cached = { first, addresses: [...addressGroups(first, groups)] };
      return (cached.addresses[groupAt(row)] as number) + ((places[row] as number) % MAX_GROUP_ROWS);
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
