/**
 * Points: the geometry and number of each row of a slice of the primary copy, in order, and the sizes of the groups of
 * its records. They are enough to measure, count and sort the rows in a circle or an area, and to find their records.
 * A slice of points consists of sections, which can be read alone.
 *
 * @module
 */
import { BLOCK_HEADER_BYTES, blockContentBytes, openBlock, sealLast } from "./blocks.ts";
import { joinBytes } from "./bytes.ts";
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

/** Bytes of a row in a section besides its geometry. */
const ROW_OVERHEAD_BYTES = 2;

export interface PointGroups {
  /** The groups of the rows' records, in order. */
  readonly groups: readonly GroupSize[];
  /** Address of the first record of the slice. Any multiple of a chunk may be subtracted. */
  readonly record: number;
  /** Bytes of geometries after which a section ends, with the group of records. Default: the slice is one section. */
  readonly sectionBytes?: number | undefined;
}

/** Returns the points of these rows as a slice. Its sections consist of whole groups. */
export async function writePoints(
  rows: readonly PointRow[],
  { groups, record, sectionBytes = Number.POSITIVE_INFINITY }: PointGroups,
  deflate: Deflate,
): Promise<Uint8Array> {
  const addresses = [...addressGroups(record, groups)];
  const sections: Uint8Array[] = [];
  let [start, end, bytes, firstGroup] = [0, 0, 0, 0];
  for (const [index, group] of groups.entries()) {
    const own = rows.slice(end, end + group.rows);
    end += group.rows;
    bytes += own.reduce((sum, { geometry }) => sum + geometry.length + ROW_OVERHEAD_BYTES, 0);
    const isLast = index === groups.length - 1;
    if (bytes < sectionBytes && !isLast) continue;
    const content = sectionOf(rows.slice(start, isLast ? undefined : end), groups.slice(firstGroup, index + 1), {
      offset: (addresses[firstGroup] ?? record) - record,
    });
    sections.push(await sealLast(deflate(content), sections.length));
    [start, bytes, firstGroup] = [end, 0, index + 1];
  }
  if (sections.length === 0) sections.push(await sealLast(deflate(sectionOf(rows, [], { offset: 0 })), 0));
  return joinBytes(sections);
}

function sectionOf(
  rows: readonly PointRow[],
  groups: readonly GroupSize[],
  { offset }: { readonly offset: number },
): Uint8Array {
  const [out, rest] = [new ByteWriter(), new ByteWriter()];
  out.varint(offset);
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
  return out.bytes();
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

/** Reads a slice of points. Throws if it is damaged. The index has its hash, so the checks of sections are not compared. */
export function readPoints(slice: Uint8Array): Points {
  const sections = sectionsIn(slice);
  let left = MAX_SLICE_BYTES;
  return pointsIn(
    sections.map((section) => {
      const content = inflate(section, { maxBytes: left });
      left -= content.length;
      return content;
    }),
  );
}

/** Reads a slice of points as `readPoints` does, in a browser in less time. Rejects if it is damaged. */
export async function openPoints(slice: Uint8Array): Promise<Points> {
  const sections = sectionsIn(slice);
  const contents: Uint8Array[] = [];
  let left = MAX_SLICE_BYTES;
  for (const section of sections) {
    const content = await inflateLarge(section, { maxBytes: left });
    left -= content.length;
    contents.push(content);
  }
  return pointsIn(contents);
}

/**
 * Reads a section alone. `index` is its position in the slice. `address` of the points expects the address of the slice's first
 * record. Rejects if it is damaged.
 */
export async function openSection(section: Uint8Array, index: number): Promise<Points> {
  const content = await openBlock(section, index);
  if (section.length !== BLOCK_HEADER_BYTES + content.length)
    throw new Error(`a section of points has ${section.length} bytes, its content ${content.length}`);
  const inflated = await inflateLarge(content, { maxBytes: MAX_SLICE_BYTES });
  return pointsIn([inflated], new ByteReader(inflated).varint());
}

/** Points of rows: geometries, boxes, numbers and addresses, without the groups of records. */
export type RowPoints = Omit<Points, "groups">;

/** Returns the points of some rows of a slice, without copying them. */
export function pointsOfSection(
  points: RowPoints,
  { firstRow, rows }: { readonly firstRow: number; readonly rows: number },
): RowPoints {
  return {
    rows,
    sizeBytes: 0,
    geometry: (row) => points.geometry(firstRow + row),
    number: (row) => points.number(firstRow + row),
    address: (row, first) => points.address(firstRow + row, first),
    blocks: (row) => points.blocks(firstRow + row),
    boxes: points.boxes.subarray(4 * firstRow, 4 * (firstRow + rows)),
    longRows: points.longRows.map((row) => row - firstRow).filter((row) => row >= 0 && row < rows),
  };
}

/** Returns the compressed contents of the sections of a slice, without their headers. */
export function sectionsIn(slice: Uint8Array): Uint8Array[] {
  const sections: Uint8Array[] = [];
  for (let start = 0; start < slice.length; ) {
    const content = start + BLOCK_HEADER_BYTES;
    start = content + blockContentBytes(slice.subarray(start));
    sections.push(slice.subarray(content, start));
  }
  return sections;
}

/** Reads a section from its compressed content, as `sectionsIn` returns it. Throws if it is damaged. */
export function readSection(content: Uint8Array): Points {
  return pointsIn([inflate(content, { maxBytes: MAX_SLICE_BYTES })]);
}

/** `offset`: the address of the first record, less that of the slice's first record. */
function pointsIn(contents: readonly Uint8Array[], offset = 0): Points {
  const out = new ByteWriter();
  const [ends, groups, planes, starts]: [number[], GroupSize[], Uint8Array[], number[]] = [[], [], [], []];
  for (const content of contents) {
    const reader = new ByteReader(content);
    reader.varint();
    starts.push(ends.length);
    const count = readGeometries(reader, out, ends);
    planes.push(reader.raw(PLANES * count));
    for (const group of readGroups(reader, count)) groups.push(group);
  }
  const rows = ends.length;
  const geometries = out.bytes();
  const geometry = (row: number): Uint8Array => geometries.subarray(ends[row - 1], ends[row]);
  const { boxes, longRows } = boxesOf(rows, geometry);
  return {
    rows,
    sizeBytes: geometries.length + (ROW_BYTES + PLANES) * rows,
    geometry,
    groups,
    ...positionsOf(groups, offset),
    boxes,
    longRows,
    number(row) {
      const section = starts.findLastIndex((start) => start <= row);
      return valueIn(planes[section] ?? new Uint8Array(), row - (starts[section] ?? 0));
    },
  };
}

/** Appends the geometries of a section to `out`, and where each ends to `ends`. Returns their number. */
function readGeometries(reader: ByteReader, out: ByteWriter, ends: number[]): number {
  const count = reader.varint();
  const steps = reader.raw(PLANES * count);
  let [x, y, step] = [0, 0, 0];
  const own = reader.list(() => {
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
  for (const end of own) ends.push(end);
  return own.length;
}

function readGroups(reader: ByteReader, rows: number): GroupSize[] {
  const groups = reader.list(() => ({ rows: reader.varint(), blocks: reader.varint() }));
  const grouped = groups.reduce((sum, group) => sum + group.rows, 0);
  if (grouped !== rows) throw new Error(`points have ${rows} rows, their groups ${grouped}`);
  return groups;
}

/** `offset`: the address of the first group, less that of the slice's first record. */
function positionsOf(groups: readonly GroupSize[], offset: number): Pick<Points, "address" | "blocks"> {
  /** For each row the number of its group, and in the low bits its position in the group. */
  const places = groups.flatMap(({ rows }, group) =>
    Array.from({ length: rows }, (_, row) => group * MAX_GROUP_ROWS + row),
  );
  const groupAt = (row: number): number => Math.floor((places[row] as number) / MAX_GROUP_ROWS);
  let cached: { readonly first: number; readonly addresses: readonly number[] } | undefined;
  return {
    address(row, first) {
      if (cached?.first !== first) cached = { first, addresses: [...addressGroups(first + offset, groups)] };
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
