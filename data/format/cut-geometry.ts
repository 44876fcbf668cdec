/**
 * Cuts the TWKB of long geometries into parts that are stored in one block each. `geometry-parts.ts` reads them.
 *
 * @module
 */
import { boxOfPositions } from "./bbox.ts";
import { BLOCK_BYTES, BLOCK_HEADER_BYTES } from "./blocks.ts";
import { bytesEqual, hexBytes } from "./bytes.ts";
import { GEOMETRY_CODES } from "./geometry.ts";
import {
  isPolygonal,
  MAX_PARTS,
  PART_CONTINUES,
  PART_OF_HOLES,
  PART_OF_PATHS,
  PART_STARTS_HOLE,
  PART_STARTS_MEMBER,
  type Part,
  type PartTable,
  type Path,
  readPartTable,
  readSteps,
  TABLE_CHECK_BYTES,
  TABLE_MARK,
  wholePathsIn,
} from "./geometry-parts.ts";
import { joinParts, writeSteps } from "./joined-parts.ts";
import { sha256Of } from "./sha256.ts";
import { ByteReader, ByteWriter } from "./varint.ts";

/** A geometry with more bytes of TWKB is cut. */
export const LONG_GEOMETRY_BYTES = 4096;

/** A vertex takes at least two bytes, and compression rarely halves them. */
const MOST_VERTICES = 2048;

const CONTENT_BYTES = BLOCK_BYTES - BLOCK_HEADER_BYTES;

/** Bytes that compression adds at most to so few bytes. */
const OVERHEAD_BYTES = 32;

interface CutGeometry {
  /** The table of parts, which is stored instead of the geometry. */
  readonly table: Uint8Array;
  /** The bytes of each part, in the order of the table. */
  readonly parts: readonly Uint8Array[];
}

interface CutPart extends Part {
  readonly bytes: Uint8Array;
}

/**
 * Cuts TWKB of lines or polygons into parts of at most one block each. Returns undefined if the geometry must be stored
 * whole: at most `LONG_GEOMETRY_BYTES`, not TWKB, points or collections, an open ring, an empty member, or more than
 * `MAX_PARTS` parts.
 *
 * @param sizeOf the bytes of a group of records that has only this part. Each part fits one block
 */
export async function cutGeometry(
  twkb: Uint8Array,
  sizeOf: (part: Uint8Array) => number,
): Promise<CutGeometry | undefined> {
  if (twkb.length <= LONG_GEOMETRY_BYTES || (twkb[0] ?? 0) <= TABLE_MARK) return undefined;
  const read = readPaths(twkb);
  if (!read || (isPolygonal(read.kind) && !read.paths.every(isClosed))) return undefined;
  const fits = (bytes: Uint8Array): boolean =>
    bytes.length <= CONTENT_BYTES - OVERHEAD_BYTES || sizeOf(bytes) <= CONTENT_BYTES;
  const parts: CutPart[] = [];
  let together: Path[] = [];
  const end = (): void => {
    if (together.length > 0) parts.push(wholePaths(together));
    together = [];
  };
  for (const path of read.paths) {
    const more = [...together, path];
    if (isShort(more) && fits(wholePaths(more).bytes)) {
      together = more;
      continue;
    }
    end();
    if (isShort([path]) && fits(wholePaths([path]).bytes)) together = [path];
    else parts.push(...piecesOf(path, fits));
  }
  end();
  if (parts.length > MAX_PARTS) return undefined;
  const cut = { table: await writeTable(twkb, parts), parts: parts.map(({ bytes }) => bytes) };
  // Members without rings are lost.
  const joined = joinParts(readPartTable(cut.table), (part) => cut.parts[part]);
  return bytesEqual(joined, twkb) ? cut : undefined;
}

/**
 * Returns the table of parts that a long geometry should have, to compare with the stored table. Boxes and hash are
 * computed from the TWKB and the bytes of the parts. Forms and first vertices are taken from the second argument, the
 * stored table.
 */
export async function tableOf(
  twkb: Uint8Array,
  { parts: described }: PartTable,
  parts: readonly Uint8Array[],
): Promise<Uint8Array> {
  const measured = described.map((part, index): Part => {
    const reader = new ByteReader(parts[index] ?? new Uint8Array());
    if (part.form <= PART_OF_HOLES) {
      const paths = [...wholePathsIn(reader, [part.x, part.y])];
      return wholePaths(paths);
    }
    const vertices = [part.x, part.y];
    readSteps(reader, vertices, [part.x, part.y]);
    const next = described[index + 1];
    if (next?.form === PART_CONTINUES) vertices.push(next.x, next.y);
    return { ...part, box: boxOfPositions(vertices) };
  });
  return writeTable(twkb, measured);
}

function isShort(paths: readonly Path[]): boolean {
  return paths.reduce((sum, { vertices }) => sum + vertices.length / 2, 0) <= MOST_VERTICES;
}

function isClosed({ vertices }: Path): boolean {
  return vertices.length >= 8 && vertices[0] === vertices.at(-2) && vertices[1] === vertices.at(-1);
}

/** The paths of TWKB; undefined for other kinds than lines and polygons. */
function readPaths(twkb: Uint8Array): { readonly kind: number; readonly paths: Path[] } | undefined {
  const reader = new ByteReader(twkb);
  const [header = 0] = reader.raw(2);
  const kind = header & 0x0f;
  const paths: Path[] = [];
  let last: readonly [number, number] = [0, 0];
  const path = (startsMember: boolean): void => {
    const vertices: number[] = [];
    last = readSteps(reader, vertices, last, reader.varint());
    paths.push({ startsMember, vertices });
  };
  const each = (read: (index: number) => void): void => {
    const count = reader.varint();
    for (let index = 0; index < count; index++) read(index);
  };
  const polygon = (): void => each((ring) => path(ring === 0));
  if (kind === GEOMETRY_CODES.LineString) path(true);
  else if (kind === GEOMETRY_CODES.MultiLineString) each(() => path(true));
  else if (kind === GEOMETRY_CODES.Polygon) polygon();
  else if (kind === GEOMETRY_CODES.MultiPolygon) each(polygon);
  else return undefined;
  return { kind, paths };
}

function wholePaths(paths: readonly Path[]): CutPart {
  const [x = 0, y = 0] = paths[0]?.vertices ?? [];
  const out = new ByteWriter();
  let last: readonly [number, number] = [x, y];
  for (const { startsMember, vertices } of paths) {
    out.varint(vertices.length + Number(startsMember));
    last = writeSteps(out, vertices, last);
  }
  const form = paths.some(({ startsMember }) => startsMember) ? PART_OF_PATHS : PART_OF_HOLES;
  return { form, x, y, box: boxOfPositions(paths.flatMap(({ vertices }) => vertices)), bytes: out.bytes() };
}

/** Cuts a path into parts with as many vertices as fit. */
function piecesOf({ startsMember, vertices }: Path, fits: (bytes: Uint8Array) => boolean): CutPart[] {
  const pieces: CutPart[] = [];
  const count = vertices.length / 2;
  for (let start = 0; start < count; ) {
    const [x = 0, y = 0] = [vertices[2 * start], vertices[2 * start + 1]];
    const pieceTo = (end: number): Uint8Array => {
      const out = new ByteWriter();
      writeSteps(out, vertices.slice(2 * start + 2, 2 * end), [x, y]);
      return out.bytes();
    };
    let [least, most] = [1, Math.min(MOST_VERTICES, count - start)];
    while (least < most) {
      const middle = (least + most + 1) >> 1;
      if (fits(pieceTo(start + middle))) least = middle;
      else most = middle - 1;
    }
    const end = start + least;
    const first = startsMember ? PART_STARTS_MEMBER : PART_STARTS_HOLE;
    const form = start > 0 ? PART_CONTINUES : first;
    // The edge to the next part belongs to this one.
    pieces.push({ form, x, y, box: boxOfPositions(vertices, 2 * start, 2 * end + 2), bytes: pieceTo(end) });
    start = end;
  }
  return pieces;
}

async function writeTable(twkb: Uint8Array, parts: readonly Part[]): Promise<Uint8Array> {
  const out = new ByteWriter();
  out.raw(Uint8Array.of(TABLE_MARK, twkb[0] ?? 0));
  out.raw(hexBytes((await sha256Of(twkb)).slice(0, 2 * TABLE_CHECK_BYTES)));
  out.varint(parts.length);
  let last: readonly [number, number] = [0, 0];
  for (const { form, x, y, box } of parts) {
    out.varint(form);
    last = writeSteps(out, [x, y], last);
    for (const distance of [x - box[0], y - box[1], box[2] - x, box[3] - y]) out.varint(distance);
  }
  return out.bytes();
}
