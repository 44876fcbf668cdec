/**
 * Long geometries: lines and polygons of many vertices, cut into parts that are read alone. A table has the box and the
 * first vertex of each part. A part that is too far away to change an answer is not read: a straight edge replaces it.
 * So a reader knows from a few kilobytes whether a point is in a country.
 * @module
 */
import type { BBox } from "./bbox.ts";
import { GEOMETRY_CODES } from "./geometry.ts";
import { TWKB_PRECISION_BITS, TWKB_SCALE } from "./twkb.ts";
import { ByteReader } from "./varint.ts";

/** First byte of a table of parts. WKB starts with 0 or 1, a fine point with 3, TWKB with 225 or more. */
export const TABLE_MARK = 2;
/** Length in a table of the start of the SHA-256 of the whole TWKB, by which tables of different geometries differ. */
export const TABLE_CHECK_BYTES = 8;

/** Maximum number of parts of a geometry: more than the largest known record has. */
export const MAX_PARTS = 65_536;

// The forms of a part. A member is a line or a polygon.
/** Whole lines or rings. At least one is a line or the first ring of a polygon. */
export const PART_OF_PATHS = 0;
/** Whole holes of the polygon before. */
export const PART_OF_HOLES = 1;
/** The first vertices of a line, or of the first ring of a polygon. */
export const PART_STARTS_MEMBER = 2;
/** The first vertices of a hole. */
export const PART_STARTS_HOLE = 3;
/** Further vertices of the path of the part before. */
export const PART_CONTINUES = 4;

/** A line or a ring. `vertices` has longitude and latitude of each vertex in units of 1e-7 degrees. */
export interface Path {
  /** True for a line, and for the first ring of a polygon. */
  readonly startsMember: boolean;
  readonly vertices: number[];
}

/** An entry in the table of a long geometry: where one of its parts begins, and its box. */
export interface Part {
  /** One of `PART_OF_PATHS` to `PART_CONTINUES`. */
  readonly form: number;
  /** First vertex, in units of 1e-7 degrees. */
  readonly x: number;
  readonly y: number;
  /**
   * West, south, east, north of all edges of the part, in units of 1e-7 degrees. The edge to a next part of the same
   * path is included.
   */
  readonly box: readonly [number, number, number, number];
}

/** The table of a long geometry. */
export interface PartTable {
  /** A code of `GEOMETRY_CODES`. */
  readonly kind: number;
  /** In the order of the vertices. The bytes of each part are stored as a record without text. */
  readonly parts: readonly Part[];
}

/** Returns whether a stored geometry is a table of parts, by its first byte. */
export function isPartTable(stored: Uint8Array): boolean {
  return stored[0] === TABLE_MARK;
}

/** Returns the number of parts of a stored geometry, 0 if it is no table of parts. Throws if the table is cut short. */
export function partsIn(stored: Uint8Array): number {
  return isPartTable(stored) ? readPartTable(stored).parts.length : 0;
}

/** Returns the box of a part in degrees. The table stores it in units of 1e-7 degrees. */
export function boxOfPart({ box: [west, south, east, north] }: Pick<Part, "box">): BBox {
  return [west / TWKB_SCALE, south / TWKB_SCALE, east / TWKB_SCALE, north / TWKB_SCALE];
}

/** Returns the box of all parts in degrees. Without parts it is `[Infinity, Infinity, -Infinity, -Infinity]`. */
export function boxOfParts({ parts }: Pick<PartTable, "parts">): BBox {
  const union = parts.reduce(
    ([west, south, east, north], { box: [w, s, e, n] }): Part["box"] => [
      Math.min(west, w),
      Math.min(south, s),
      Math.max(east, e),
      Math.max(north, n),
    ],
    [Infinity, Infinity, -Infinity, -Infinity],
  );
  return boxOfPart({ box: union });
}

/** Returns whether the WKB type code is Polygon or MultiPolygon. */
export function isPolygonal(kind: number): boolean {
  return kind === GEOMETRY_CODES.Polygon || kind === GEOMETRY_CODES.MultiPolygon;
}

/** Reads a table of parts. Throws if it is cut short or has more than `MAX_PARTS` parts. */
export function readPartTable(table: Uint8Array): PartTable {
  const reader = new ByteReader(table);
  const [, header = 0] = reader.raw(2 + TABLE_CHECK_BYTES);
  let [x, y, count] = [0, 0, reader.varint()];
  if (count > MAX_PARTS) throw new Error(`${count} parts, expected at most ${MAX_PARTS}`);
  const parts: Part[] = [];
  for (; count > 0; count--) {
    const form = reader.varint();
    x += reader.signed();
    y += reader.signed();
    const [west, south, east, north] = [reader.varint(), reader.varint(), reader.varint(), reader.varint()];
    parts.push({ form, x, y, box: [x - west, y - south, x + east, y + north] });
  }
  return { kind: header - TWKB_PRECISION_BITS, parts };
}

/**
 * Returns the paths of a long geometry. `bytesOf` returns the bytes of a part by its index, or undefined to leave it
 * out: then its lines and rings are missing, or a straight edge replaces its vertices. Tests of positions and areas
 * outside of the boxes of such parts have the same result.
 */
export function joinPaths({ kind, parts }: PartTable, bytesOf: (part: number) => Uint8Array | undefined): Path[] {
  const paths: Path[] = [];
  let hasMember = false;
  let own: number[] = [];
  const add = (startsMember: boolean, vertices: number[]): void => {
    // The polygon of this hole is left out. A vertex of the hole takes its place.
    if (!startsMember && !hasMember) paths.push({ startsMember: true, vertices: vertices.slice(0, 2) });
    hasMember = true;
    own = vertices;
    paths.push({ startsMember, vertices });
  };
  for (const [index, { form, x, y }] of parts.entries()) {
    const bytes = bytesOf(index);
    const reader = bytes && new ByteReader(bytes);
    if (form <= PART_OF_HOLES) {
      if (reader) for (const path of wholePathsIn(reader, [x, y])) add(path.startsMember, path.vertices);
      else if (form === PART_OF_PATHS) hasMember = false;
      continue;
    }
    if (form < PART_CONTINUES) add(form === PART_STARTS_MEMBER, [x, y]);
    else own.push(x, y);
    if (reader) readSteps(reader, own, [x, y]);
    else if (isPolygonal(kind) && parts[index + 1]?.form !== PART_CONTINUES) own.push(own[0] ?? x, own[1] ?? y);
  }
  return paths;
}

/**
 * Yields the paths of a part of form `PART_OF_PATHS` or `PART_OF_HOLES`. `from` is the part's first vertex in the
 * table, in units of 1e-7 degrees.
 */
export function* wholePathsIn(reader: ByteReader, from: readonly [number, number]): Generator<Path> {
  let last = from;
  while (reader.left > 0) {
    const head = reader.varint();
    const vertices: number[] = [];
    last = readSteps(reader, vertices, last, head >> 1);
    yield { startsMember: head % 2 === 1, vertices };
  }
}

/**
 * Reads `count` vertices, or all to the end without `count`, and appends longitude and latitude of each to `into`, in
 * units of 1e-7 degrees. Each is stored as the difference from the one before, the first from `from`. Returns the last
 * vertex, or `from` if there is none.
 */
export function readSteps(
  reader: ByteReader,
  into: number[],
  from: readonly [number, number],
  count?: number,
): readonly [number, number] {
  let [x, y] = from;
  for (let read = 0; count === undefined ? reader.left > 0 : read < count; read++) {
    x += reader.signed();
    y += reader.signed();
    into.push(x, y);
  }
  return [x, y];
}
