/**
 * Searches and records as shapes to draw.
 * @module
 */
import type * as GeoJSON from "geojson";
import type { LngLatBoundsLike } from "maplibre-gl";
import { bboxOf } from "../../data/format/geometry.ts";
import { MAX_RADIUS_METERS } from "../../data/format/limits.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import type { Feature } from "../engine/index.ts";
import type { Matches } from "../hosts/browser/protocol/index.ts";
import { type Bounds, type Centre, circleBounds, circleShapes } from "./circle-shape.ts";
import { type DrawnArea, ringOf } from "./drawn-area.ts";

export const NO_FEATURES: GeoJSON.FeatureCollection = { type: "FeatureCollection", features: [] };

/** The circle or area of a search. */
export interface Searched {
  readonly centre: Centre | undefined;
  readonly radiusMeters: number;
  readonly area?: DrawnArea | undefined;
}

/** Shapes of records: a numbered point for each, and the outlines of those that are no points. */
interface ResultShapes {
  readonly points: GeoJSON.FeatureCollection;
  readonly outlines: GeoJSON.FeatureCollection;
}

export const NO_RESULTS: ResultShapes = { points: NO_FEATURES, outlines: NO_FEATURES };

/** Length of the steps in which edges of an area are drawn: long ones that are straight in degrees are curved on the map. */
const STEP_DEGREES = 1;

/** Returns whether a circle covers the whole globe. Such a circle only orders the records, and is not drawn. */
export function isEverywhere(radiusMeters: number): boolean {
  return radiusMeters >= MAX_RADIUS_METERS;
}

/**
 * Returns the shapes of the drawn area, otherwise of the circle and its centre, with the property `part`: `inside`, `edge` or
 * `centre`. Empty without either, and for a circle around the whole globe.
 */
export function areaShape({ centre, radiusMeters, area }: Searched): GeoJSON.FeatureCollection {
  if (area) return { type: "FeatureCollection", features: drawnShapes(area) };
  if (!centre || isEverywhere(radiusMeters)) return NO_FEATURES;
  const { features } = centreShape(centre);
  return { type: "FeatureCollection", features: [...circleShapes(centre, radiusMeters), ...features] };
}

/** Returns the shape of a search's centre, without a circle. */
export function centreShape({ lon, lat }: Centre): GeoJSON.FeatureCollection {
  const geometry: GeoJSON.Point = { type: "Point", coordinates: [lon, lat] };
  return { type: "FeatureCollection", features: [{ type: "Feature", properties: { part: "centre" }, geometry }] };
}

function drawnShapes(area: DrawnArea): GeoJSON.Feature[] {
  const corners = ringOf(area);
  const ring = corners.slice(1).flatMap(([x2, y2], i): GeoJSON.Position[] => {
    const [x1, y1] = corners[i] ?? [x2, y2];
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)) / STEP_DEGREES));
    return Array.from({ length: steps }, (_, step) => [
      x1 + ((x2 - x1) * step) / steps,
      y1 + ((y2 - y1) * step) / steps,
    ]);
  });
  const closed = [...ring, ...ring.slice(0, 1)];
  return [
    { type: "Feature", properties: { part: "inside" }, geometry: { type: "Polygon", coordinates: [closed] } },
    { type: "Feature", properties: { part: "edge" }, geometry: { type: "LineString", coordinates: closed } },
  ];
}

export interface Numbering {
  /** Number of the first record. */
  readonly first: number;
  readonly write: (number: number) => string;
  /** Whether counts of cells include the records. */
  readonly isCounted?: boolean;
  readonly colours?: RecordColours | undefined;
}

/** The colour of a shape, and of a number on it. */
interface ShapeColour {
  readonly colour: string;
  readonly ink: string;
}

/** Colours of records by a column. */
export interface RecordColours {
  readonly of: (record: Feature) => ShapeColour;
  /** Colour of matches that are not in the list. */
  readonly unknown: ShapeColour;
}

/** Returns the shapes of a record: its point, with the number if it is given, then its outline if it is no point. */
export function recordShapes(
  { id, geometry, properties: own }: Feature,
  number?: { number: number; label: string },
  colour?: ShapeColour,
): GeoJSON.Feature[] {
  const properties = { record: id, ...number, ...colour, ...(own.theme === "divisions" ? { nested: true } : {}) };
  const at = representativePoint(geometry);
  const shape = (of: GeoJSON.Geometry): GeoJSON.Feature => ({
    type: "Feature",
    ...(number && { id: number.number }),
    geometry: of,
    properties,
  });
  return [
    ...(at ? [shape({ type: "Point", coordinates: [...at] })] : []),
    ...(geometry.type === "Point" ? [] : [shape(geometry as GeoJSON.Geometry)]),
  ];
}

/** Returns the shapes of the records of a list, numbered from `first` on. */
export function resultShapes(
  records: readonly Feature[],
  { first, write, isCounted = false, colours }: Numbering,
): ResultShapes {
  const points: GeoJSON.Feature[] = [];
  const outlines: GeoJSON.Feature[] = [];
  for (const [index, record] of records.entries()) {
    const number = first + index;
    for (const shape of recordShapes(record, { number, label: write(number) }, colours?.of(record))) {
      if (shape.geometry.type !== "Point") outlines.push(shape);
      else points.push(isCounted ? { ...shape, properties: { ...shape.properties, weight: 0 } } : shape);
    }
  }
  return {
    points: { type: "FeatureCollection", features: points },
    outlines: { type: "FeatureCollection", features: outlines },
  };
}

/** Where all matches are, as the worker sends it. */
export type Located = Pick<Matches, "points" | "rows" | "outlines">;

/** A match that is not in the list (`rows` is undefined), or the matches of a cell. */
export interface Dot {
  readonly lon: number;
  readonly lat: number;
  readonly rows: number | undefined;
}

/** Returns the matches that are not among the records. Cells are returned unchanged: their counts include the records. */
export function dotsExcept({ points, rows }: Located, records: readonly Feature[]): Dot[] {
  // cells count the records too
  const drawn = rows ? new Map<string, number>() : countOf(records.map(({ geometry }) => keyOfGeometry(geometry)));
  const dots: Dot[] = [];
  for (let i = 0; i < points.length; i += 2) {
    const [lon = 0, lat = 0] = [points[i], points[i + 1]];
    if (!isTaken(drawn, keyOf(lon, lat))) dots.push({ lon, lat, rows: rows?.[i / 2] });
  }
  return dots;
}

/** Returns the outlines of matches that are not among the records. */
export function outlinesExcept({ outlines }: Located, records: readonly Feature[]): GeoJSON.Geometry[] {
  const drawn = countOf(records.map(({ geometry }) => keyOfGeometry(geometry)));
  return outlines.filter((outline) => !isTaken(drawn, keyOfGeometry(outline))) as GeoJSON.Geometry[];
}

/**
 * Returns the shapes of dots. Their ids are above those of lists, from an offset of `first` on. A dot of a cell has the property
 * `rows`, that of a match `lon` and `lat`.
 */
export function dotShapes(dots: readonly Dot[], first: number, colour?: ShapeColour): GeoJSON.FeatureCollection {
  const features = dots.map(({ lon, lat, rows }, index): GeoJSON.Feature => {
    const geometry: GeoJSON.Point = { type: "Point", coordinates: [lon, lat] };
    // a position in a tile is rounded
    const properties = rows === undefined ? { lon, lat, ...colour } : { rows };
    return { type: "Feature", id: FIRST_DOT_ID + first + index, geometry, properties };
  });
  return { type: "FeatureCollection", features };
}

/** Returns the shapes of outlines without a record. Their ids are made like those of `dotShapes`. */
export function outlineShapes(
  outlines: readonly GeoJSON.Geometry[],
  first: number,
  colour?: ShapeColour,
): GeoJSON.FeatureCollection {
  const features = outlines.map((geometry, index): GeoJSON.Feature => {
    const [lon, lat] = representativePoint(geometry as Feature["geometry"]) ?? [];
    return { type: "Feature", id: FIRST_DOT_ID + first + index, geometry, properties: { lon, lat, ...colour } };
  });
  return { type: "FeatureCollection", features };
}

/** First id of dots: above the numbers of all lists. */
const FIRST_DOT_ID = 1_000_000_000;
/** Decimals to compare positions: about 10 cm. Points and records may be rounded differently. */
const KEY_DECIMALS = 6;

function keyOf(lon: number, lat: number): string {
  return `${lon.toFixed(KEY_DECIMALS)} ${lat.toFixed(KEY_DECIMALS)}`;
}

function keyOfGeometry(geometry: Feature["geometry"]): string {
  const [lon, lat] = representativePoint(geometry) ?? [];
  return lon === undefined || lat === undefined ? "" : keyOf(lon, lat);
}

function countOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Whether the key is left in the counts. Takes one away. */
function isTaken(counts: Map<string, number>, key: string): boolean {
  const left = counts.get(key) ?? 0;
  if (left > 0) counts.set(key, left - 1);
  return left > 0;
}

/** Number of the nearest records that the map shows for a search that only has a centre. */
const NEAREST_SHOWN = 5;

/**
 * Returns the bounds to show for a search, `[west, south, east, north]` in degrees: those of its area, its circle, its centre
 * with the nearest records, or its records. Undefined without any.
 */
export function boundsOf({
  search,
  records,
}: {
  readonly search: Searched;
  readonly records: readonly Feature[];
}): LngLatBoundsLike | undefined {
  if (search.area) {
    const ring = ringOf(search.area);
    const [lons, lats] = [ring.map(([lon]) => lon), ring.map(([, lat]) => lat)];
    return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
  }
  const { centre, radiusMeters } = search;
  if (centre && !isEverywhere(radiusMeters)) return circleBounds(centre, radiusMeters);
  const shown = centre ? records.slice(0, NEAREST_SHOWN) : records;
  const middle: Bounds | undefined = centre && [centre.lon, centre.lat, centre.lon, centre.lat];
  return shown.map(recordBounds).reduce(union, middle);
}

/** Returns `[west, south, east, north]` of the record in degrees; undefined if its geometry has no positions. */
export function recordBounds({ geometry }: Feature): Bounds | undefined {
  const box = bboxOf(geometry);
  return box && [...box];
}

function union(a: Bounds | undefined, b: Bounds | undefined): Bounds | undefined {
  if (!a || !b) return a ?? b;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}
