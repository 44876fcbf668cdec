/**
 * Long geometries: lines and polygons of many vertices, cut into parts that are read alone. A table has the box and the
 * first vertex of each part. A part that is too far away to change an answer is not read: a straight edge replaces it.
 * So the outline of a country takes a few kilobytes to know whether a point is in it.
 * @module
 */
import type { BBox } from "./bbox.ts";
import { GEOMETRY_CODES } from "./geometry.ts";
import { TWKB_PRECISION_BITS, TWKB_SCALE } from "./twkb.ts";
import { ByteReader, ByteWriter } from "./varint.ts";

/** First byte of a table. WKB starts with 0 or 1, TWKB with 225 or more. */
export const TABLE_MARK = 2;
/** The first bytes of the SHA-256 of the TWKB, so that tables of different geometries differ. */
export const TABLE_CHECK_BYTES = 8;

/** What a part contains. A member is a line or a polygon. */
export const PART_FORMS = {
  /** Whole paths. At least one starts a member. */
  paths: 0,
  /** Whole holes of the polygon before. */
  holes: 1,
  /** The first vertices of a line, or of the first ring of a polygon. */
  member: 2,
  /** The first vertices of a hole. */
  hole: 3,
  /** Further vertices of the path of the part before. */
  further: 4,
} as const;

/** A line or a ring, in units of 1e-7 degrees: x and y of each vertex. */
export interface Path {
  readonly startsMember: boolean;
  readonly vertices: number[];
}

export interface Part {
  /** One of `PART_FORMS`. */
  readonly form: number;
  /** First vertex, in units of 1e-7 degrees. */
  readonly x: number;
  readonly y: number;
  /** West, south, east, north of all edges in units of 1e-7 degrees, the edge to the next part of the path included. */
  readonly box: readonly [number, number, number, number];
}

/** The table of a long geometry. */
export interface PartTable {
  /** A code of `GEOMETRY_CODES`. */
  readonly kind: number;
  /** In the order of the vertices. Each is a record without text. */
  readonly parts: readonly Part[];
}

/** Whether stored bytes of a geometry are a table of parts. */
export function isPartTable(stored: Uint8Array): boolean {
  return stored[0] === TABLE_MARK;
}

/** Returns the number of parts of a stored geometry: 0 unless it is a table. */
export function partsIn(stored: Uint8Array): number {
  return isPartTable(stored) ? readPartTable(stored).parts.length : 0;
}

/** Returns the box of a part in degrees. */
export function boxOfPart({ box: [west, south, east, north] }: Pick<Part, "box">): BBox {
  return [west / TWKB_SCALE, south / TWKB_SCALE, east / TWKB_SCALE, north / TWKB_SCALE];
}

/** Returns the box of all parts in degrees. */
export function boxOfParts({ parts }: Pick<PartTable, "parts">): BBox {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const part of parts) {
    const box = boxOfPart(part);
    west = Math.min(west, box[0]);
    south = Math.min(south, box[1]);
    east = Math.max(east, box[2]);
    north = Math.max(north, box[3]);
  }
  return [west, south, east, north];
}

/** Returns the first vertex of a part in degrees. */
export function startOfPart({ x, y }: Pick<Part, "x" | "y">): readonly [lon: number, lat: number] {
  return [x / TWKB_SCALE, y / TWKB_SCALE];
}

export function isPolygonal(kind: number): boolean {
  return kind === GEOMETRY_CODES.Polygon || kind === GEOMETRY_CODES.MultiPolygon;
}

/** Reads a table. Throws if it is damaged. */
export function readPartTable(table: Uint8Array): PartTable {
  const reader = new ByteReader(table);
  const [mark, header = 0] = reader.raw(2);
  const kind = header - TWKB_PRECISION_BITS;
  const isKnown = isPolygonal(kind) || kind === GEOMETRY_CODES.LineString || kind === GEOMETRY_CODES.MultiLineString;
  if (mark !== TABLE_MARK || !isKnown) throw new Error(`a table of parts starts with ${mark} and ${header}`);
  reader.raw(TABLE_CHECK_BYTES);
  const count = reader.varint();
  if (count > reader.left) throw new Error(`${count} parts do not fit`);
  let [x, y] = [0, 0];
  let isOpen = false;
  const parts = Array.from({ length: count }, (): Part => {
    const form = reader.varint();
    if (form > PART_FORMS.further || (form === PART_FORMS.further && !isOpen))
      throw new Error(`a part of form ${form}`);
    isOpen = form >= PART_FORMS.member;
    x += signed(reader);
    y += signed(reader);
    const [west, south, east, north] = [reader.varint(), reader.varint(), reader.varint(), reader.varint()];
    return { form, x, y, box: [x - west, y - south, x + east, y + north] };
  });
  if (reader.left > 0) throw new Error(`a table of parts has ${reader.left} bytes more than its parts`);
  return { kind, parts };
}

/**
 * Returns TWKB of a table's geometry. With all parts it is the geometry. A part without bytes is left out: a straight
 * edge goes from its first vertex to the next part, and whole paths are missing. This changes nothing outside of the
 * box of the part. So a test of a position or an area outside of these boxes has the same result.
 */
export function joinParts(table: PartTable, bytesOf: (part: number) => Uint8Array | undefined): Uint8Array {
  const { kind, parts } = table;
  const paths: Path[] = [];
  let hasMember = false;
  const addPath = (startsMember: boolean, vertices: number[]): void => {
    // The polygon of this hole is left out. A vertex of the hole stands for it.
    if (!startsMember && !hasMember) paths.push({ startsMember: true, vertices: vertices.slice(0, 2) });
    hasMember = true;
    paths.push({ startsMember, vertices });
  };
  for (const [index, { form, x, y }] of parts.entries()) {
    const bytes = bytesOf(index);
    const reader = bytes && new ByteReader(bytes);
    if (form === PART_FORMS.paths || form === PART_FORMS.holes) {
      if (!reader && form === PART_FORMS.paths) hasMember = false;
      if (reader) for (const path of wholePathsIn(reader, [x, y])) addPath(path.startsMember, path.vertices);
      continue;
    }
    if (form === PART_FORMS.further) paths.at(-1)?.vertices.push(x, y);
    else addPath(form === PART_FORMS.member, [x, y]);
    const own = paths.at(-1)?.vertices ?? [];
    if (reader) readSteps(reader, own, { last: [x, y] });
    else if (isPolygonal(kind) && parts[index + 1]?.form !== PART_FORMS.further) own.push(own[0] ?? x, own[1] ?? y);
  }
  return writePaths(kind, paths);
}

/** Yields the paths of a part of whole paths. `from` is its first vertex in the table. */
export function* wholePathsIn(reader: ByteReader, from: readonly [number, number]): Generator<Path> {
  let last = from;
  while (reader.left > 0) {
    const head = reader.varint();
    const vertices: number[] = [];
    last = readSteps(reader, vertices, { count: Math.floor(head / 2), last });
    yield { startsMember: head % 2 === 1, vertices };
  }
}

function writePaths(kind: number, paths: readonly Path[]): Uint8Array {
  const out = new ByteWriter();
  out.raw(Uint8Array.of(TWKB_PRECISION_BITS | kind, 0));
  let last: readonly [number, number] = [0, 0];
  const write = ({ vertices }: Path): void => {
    out.varint(vertices.length / 2);
    last = writeSteps(out, vertices, last);
  };
  const members: Path[][] = [];
  for (const path of paths) {
    if (path.startsMember) members.push([path]);
    else members.at(-1)?.push(path);
  }
  const isSingle = kind === GEOMETRY_CODES.LineString || kind === GEOMETRY_CODES.Polygon;
  if (!isSingle) out.varint(members.length);
  // A single line or polygon of which nothing was read is empty.
  if (isSingle && members.length === 0) out.varint(0);
  for (const member of members) {
    if (isPolygonal(kind)) out.varint(member.length);
    for (const path of member) write(path);
  }
  return out.bytes();
}

/** Writes the vertices as differences from the one before. Returns the last one. */
export function writeSteps(
  out: ByteWriter,
  vertices: readonly number[],
  from: readonly [number, number],
): readonly [number, number] {
  let [lastX, lastY] = from;
  for (let i = 0; i < vertices.length; i += 2) {
    const [x = 0, y = 0] = [vertices[i], vertices[i + 1]];
    out.varint(zigzag(x - lastX));
    out.varint(zigzag(y - lastY));
    [lastX, lastY] = [x, y];
  }
  return [lastX, lastY];
}

interface Steps {
  /** Default: all. */
  readonly count?: number;
  readonly last: readonly [number, number];
}

/** Reads vertices that are written as differences. Returns the last one. */
export function readSteps(reader: ByteReader, into: number[], { count, last }: Steps): readonly [number, number] {
  let [x, y] = last;
  for (let read = 0; count === undefined ? reader.left > 0 : read < count; read++) {
    x += signed(reader);
    y += signed(reader);
    into.push(x, y);
  }
  return [x, y];
}

function zigzag(value: number): number {
  return value >= 0 ? 2 * value : -2 * value - 1;
}

function signed(reader: ByteReader): number {
  const value = reader.varint();
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
