/** Answers by brute force over the source rows: no index, and no code of a reader. @module */
import type { Geometry, Position } from "../../data/format/geometry.ts";
import { distanceTo } from "../../web/engine/testing/oracle.ts";
import { foldedWords, isFoundAmong } from "../conformance/folding.ts";
import type { SourceRow } from "./source.ts";

export interface Asked {
  readonly lat?: number;
  readonly lng?: number;
  readonly radius?: number;
  readonly country?: string;
  readonly name?: string;
  readonly category?: string | readonly string[];
  readonly brand?: string;
  readonly class?: string;
  readonly limit?: number;
  readonly offset?: number;
}

/** A question of one kind. */
export type VectorQuestion = { readonly collection: string } & (
  | { readonly search: Asked }
  | { readonly get: string }
  | { readonly cells: Asked & { readonly chars: number } }
);

interface FoundRow {
  readonly id: string;
  /** Metres, rounded to 1 mm. */
  readonly distance?: number;
}

export type VectorAnswer =
  | { readonly total: number; readonly rows: readonly FoundRow[] }
  | { readonly row: { readonly id: string; readonly country: string; readonly geometry: Geometry } | null }
  | { readonly cells: Readonly<Record<string, number>> };

export type Vector = VectorQuestion & { readonly answer: VectorAnswer };

/** Parts of a millimetre within which two correct programs may round differently. */
const UNSURE = 0.001;

/** Returns the answer. Throws if it depends on the last bits of a distance. */
export function answerOf(rows: readonly SourceRow[], question: VectorQuestion): VectorAnswer {
  const own = rows.filter(({ collection }) => collection === question.collection);
  if ("get" in question) {
    const found = own.find(({ id }) => id === question.get);
    return { row: found ? { id: found.id, country: found.country, geometry: found.geometry } : null };
  }
  if ("cells" in question) {
    const cells = new Map<string, number>();
    for (const { geometry } of matching(own, question.cells)) {
      const cell = geohashOf(middleOf(geometry), question.cells.chars);
      cells.set(cell, (cells.get(cell) ?? 0) + 1);
    }
    return { cells: Object.fromEntries([...cells].sort(([a], [b]) => (a < b ? -1 : 1))) };
  }
  const { offset = 0, limit = 25 } = question.search;
  const found = matching(own, question.search);
  return {
    total: found.length,
    rows: found.slice(offset, offset + limit).map(({ id, distance }) => ({
      id,
      ...(distance === undefined ? {} : { distance }),
    })),
  };
}

/** The matching rows in order. */
function matching(rows: readonly SourceRow[], asked: Asked): (SourceRow & { readonly distance?: number })[] {
  const { lat, lng, radius = 1000 } = asked;
  const chosen = rows.filter((row) => isChosen(row, asked));
  const byId = (a: SourceRow, b: SourceRow) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));
  if (lat === undefined || lng === undefined) return chosen.sort(byId);
  return chosen
    .map((row) => ({ ...row, distance: rounded(distanceTo([lng, lat], row.geometry)) }))
    .filter(({ distance }) => distance <= radius)
    .sort((a, b) => a.distance - b.distance || byId(a, b));
}

function isChosen(row: SourceRow, { country, name, category, brand, class: wanted }: Asked): boolean {
  const categories = typeof category === "string" ? [category] : category;
  return (
    (country === undefined || row.country === country) &&
    (name === undefined || isFoundAmong(name, row.names.flatMap(foldedWords))) &&
    (categories === undefined || categories.some((each) => row.categories.includes(each))) &&
    (brand === undefined || row.brand?.toLowerCase() === brand.toLowerCase()) &&
    (wanted === undefined || row.class === wanted)
  );
}

/** Rounds to 1 mm. */
export function rounded(meters: number): number {
  const part = (meters * 1000) % 1;
  if (Math.abs(part - 0.5) < UNSURE) throw new Error(`${meters} m is too near to the middle of two millimetres`);
  return Math.round(meters * 1000) / 1000;
}

const BASE_32 = "0123456789bcdefghjkmnpqrstuvwxyz";

/** The geohash by bisection. */
function geohashOf([lon, lat]: Position, chars: number): string {
  const [lons, lats]: [[number, number], [number, number]] = [
    [-180, 180],
    [-90, 90],
  ];
  let text = "";
  for (let char = 0, bit = 0; char < chars; char++) {
    let digit = 0;
    for (let part = 0; part < 5; part++, bit++) {
      const [range, value] = bit % 2 === 0 ? [lons, lon] : [lats, lat];
      const middle = (range[0] + range[1]) / 2;
      const isUpper = value >= middle;
      range[isUpper ? 0 : 1] = middle;
      digit = 2 * digit + Number(isUpper);
    }
    text += BASE_32[digit];
  }
  return text;
}

/** The point itself, or the centroid of the largest polygon, which in this source is inside it. */
function middleOf(geometry: Geometry): Position {
  if (geometry.type === "Point") return geometry.coordinates;
  if (geometry.type === "Polygon") return centroidOf(geometry.coordinates).position;
  if (geometry.type !== "MultiPolygon") throw new Error(`the source has a ${geometry.type}`);
  const [first, ...others] = geometry.coordinates.map(centroidOf);
  if (!first) throw new Error("the source has a MultiPolygon without polygons");
  return others.reduce((best, each) => (each.area > best.area ? each : best), first).position;
}

function centroidOf(rings: readonly (readonly Position[])[]): { readonly position: Position; readonly area: number } {
  let [x, y, area] = [0, 0, 0];
  for (const [index, ring] of rings.entries()) {
    let [ringX, ringY, ringArea] = [0, 0, 0];
    const [[x0, y0] = [0, 0]] = ring;
    for (let i = 1; i < ring.length; i++) {
      const [[x1, y1], [x2, y2]] = [ring[i - 1] as Position, ring[i] as Position];
      const cross = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
      ringArea += cross / 2;
      ringX += (cross * (x0 + x1 + x2)) / 6;
      ringY += (cross * (y0 + y1 + y2)) / 6;
    }
    const sign = Math.sign(ringArea) * (index === 0 ? 1 : -1);
    x += sign * ringX;
    y += sign * ringY;
    area += sign * ringArea;
  }
  return { position: [x / area, y / area], area };
}
