/**
 * Which sections a slice of points has, as the index stores it: enough to read only those near a position.
 * @module
 */
import { type BBox, bboxUnion } from "./bbox.ts";
import { BLOCK_HEADER_BYTES } from "./blocks.ts";
import { bytesOfBase64 } from "./bytes.ts";
import { openSection, type Points, readSection, sectionsIn } from "./points.ts";
import { ByteReader, ByteWriter } from "./varint.ts";

/** A section of a slice of points. */
export interface PointSection {
  /** Position among the sections of its slice. */
  readonly index: number;
  /** Rows of the slice before it. */
  readonly firstRow: number;
  readonly rows: number;
  /** Offset and length in the slice. */
  readonly start: number;
  readonly bytes: number;
  /** Around its rows, up to 1/255 of the slice's box wider on each side. */
  readonly bbox: BBox;
}

/** The box of a section is in steps of this share of the box of the slice. */
const STEPS = 255;

/** The members used here. The types of browsers and Node differ. */
declare function btoa(text: string): string;

/**
 * Returns the sections of a slice of points as a text for the index. `bbox` is the box of the slice. Undefined if the slice has
 * only one section, or its box crosses the antimeridian.
 */
export function writeSections(slice: Uint8Array, bbox: BBox): string | undefined {
  const contents = sectionsIn(slice);
  const [west, south, east, north] = bbox;
  if (contents.length < 2 || west > east) return undefined;
  const out = new ByteWriter();
  for (const content of contents) {
    const { rows, boxes } = readSection(content);
    const [left, bottom, right, top] = bboxUnion(Array.from({ length: rows }, (_, row) => boxIn(boxes, row)));
    if (left < west || bottom < south || right > east || top > north) return undefined;
    out.varint(BLOCK_HEADER_BYTES + content.length);
    out.varint(rows);
    out.raw(Uint8Array.of(below(left, west, east), below(bottom, south, north)));
    out.raw(Uint8Array.of(above(right, west, east), above(top, south, north)));
  }
  return btoa(Array.from(out.bytes(), (byte) => String.fromCharCode(byte)).join(""));
}

/**
 * Checks that each section can be read alone, and then has the same addresses of records as in the slice. Rejects otherwise. `points`
 * are the points of the slice, `record` is the address of its first record.
 */
export async function checkSections(slice: Uint8Array, points: Points, record: number): Promise<void> {
  let [start, firstRow] = [0, 0];
  for (const [index, content] of sectionsIn(slice).entries()) {
    const bytes = BLOCK_HEADER_BYTES + content.length;
    const section = await openSection(slice.subarray(start, start + bytes), index);
    if (section.rows === 0) throw new Error(`section ${index} has no rows`);
    const [own, whole] = [section.address(0, record), points.address(firstRow, record)];
    if (own !== whole) throw new Error(`section ${index} begins at record ${own}, expected ${whole}`);
    [start, firstRow] = [start + bytes, firstRow + section.rows];
  }
}

function boxIn(boxes: Float64Array, row: number): BBox {
  const [west = 0, south = 0, east = 0, north = 0] = boxes.subarray(4 * row, 4 * row + 4);
  return [west, south, east, north];
}

/** The last step that is at most the value. */
function below(value: number, low: number, high: number): number {
  let step = high > low ? Math.min(STEPS, Math.ceil((STEPS * (value - low)) / (high - low))) : 0;
  while (step > 0 && stepAt(step, low, high) > value) step--;
  return step;
}

/** The first step that is at least the value. */
function above(value: number, low: number, high: number): number {
  let step = high > low ? Math.max(0, Math.floor((STEPS * (value - low)) / (high - low))) : 0;
  while (step < STEPS && stepAt(step, low, high) < value) step++;
  return step;
}

function stepAt(step: number, low: number, high: number): number {
  return step === STEPS ? high : low + (step * (high - low)) / STEPS;
}

/** A slice of the primary copy as the index describes it. */
interface Sectioned {
  readonly rows: number;
  readonly bbox: BBox;
  readonly points: { readonly bytes: number; readonly sections?: string | undefined };
}

/**
 * Returns the sections of a slice; one with all rows if the index does not list them. Throws if together they have other rows or
 * bytes than the slice.
 */
export function readSections({ rows, bbox, points }: Sectioned): readonly PointSection[] {
  if (points.sections === undefined) return [{ index: 0, firstRow: 0, rows, start: 0, bytes: points.bytes, bbox }];
  const reader = new ByteReader(bytesOfBase64(points.sections));
  const [west, south, east, north] = bbox;
  const sections: PointSection[] = [];
  let [firstRow, start] = [0, 0];
  while (reader.left > 0) {
    const [bytes, own] = [reader.varint(), reader.varint()];
    const [left = 0, bottom = 0, right = 0, top = 0] = reader.raw(4);
    sections.push({
      index: sections.length,
      firstRow,
      rows: own,
      start,
      bytes,
      bbox: [
        stepAt(left, west, east),
        stepAt(bottom, south, north),
        stepAt(right, west, east),
        stepAt(top, south, north),
      ],
    });
    [firstRow, start] = [firstRow + own, start + bytes];
  }
  if (firstRow !== rows || start !== points.bytes) {
    throw new Error(`sections of ${firstRow} rows and ${start} bytes, expected ${rows} and ${points.bytes}`);
  }
  return sections;
}
