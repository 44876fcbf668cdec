import {
  BIGINT,
  BLOB,
  DOUBLE,
  DuckDBBlobValue,
  type DuckDBScalarFunction,
  STRUCT,
  TINYINT,
  VARCHAR,
} from "@duckdb/node-api";
import type { BBox } from "../../../data/format/bbox.ts";
import { encodeGeohash, sizeClassOf } from "../../../data/format/geohash.ts";
import {
  bboxOf,
  GEOMETRY_CODES,
  type Geometry,
  type Position,
  positionsOf,
  readWkb,
} from "../../../data/format/geometry.ts";
import { messageOf } from "../../../data/format/message-of.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import { wkbBytes, writeWkb } from "../../../data/format/write-wkb.ts";
import { GeometryFault, onGlobe } from "../../../data/tables/index.ts";
import { sqlFunction } from "../../base/database/index.ts";
import type { Fault } from "../sources/index.ts";

interface Figures {
  readonly wkb: Uint8Array | undefined;
  readonly kind: Geometry["type"];
  readonly bbox: BBox;
  readonly point: Position;
  readonly sizeClass: number;
  readonly geohash: number;
}

/**
 * Returns box, representative point, geohash and plain WKB of a geometry, or the reason for its rejection. Coordinates
 * up to 1e-5 degrees beyond the limits are clamped. Longitudes up to 540 degrees are wrapped, and lines and polygons
 * cut at the antimeridian. `wkb` is undefined if the given bytes are plain already.
 */
export function figuresOf(wkb: Uint8Array | null): Figures | Fault {
  if (wkb === null) return { reason: "missing geometry", detail: "geometry is null" };
  let geometry: Geometry;
  try {
    geometry = readWkb(wkb);
  } catch (error) {
    return { reason: "unreadable geometry", detail: messageOf(error) };
  }
  if (isEmpty(geometry)) return { reason: "missing geometry", detail: `${geometry.type} is empty` };
  const stray = strayPosition(geometry, bboxOf(geometry));
  if (stray) {
    const placed = onGlobe(geometry);
    if (placed instanceof GeometryFault || strayPosition(placed, bboxOf(placed)))
      return { reason: "position out of range", detail: `position ${stray[0]} ${stray[1]}` };
    geometry = placed;
  }
  const bbox = bboxOf(geometry);
  const point = representativePoint(geometry);
  if (!bbox || !point) return { reason: "missing geometry", detail: `${geometry.type} has no position` };
  return {
    wkb: stray ? writeWkb(geometry) : plainWkb(wkb, geometry),
    kind: geometry.type,
    bbox,
    point,
    sizeClass: sizeClassOf(bbox),
    geohash: encodeGeohash(point[0], point[1]),
  };
}

function isEmpty(geometry: Geometry): boolean {
  if (geometry.type === "Point") return geometry.coordinates.every(Number.isNaN);
  return positionsOf(geometry).next().done === true;
}

function strayPosition(geometry: Geometry, bbox: BBox | undefined): Position | undefined {
  if (bbox && bbox[0] >= -180 && bbox[2] <= 180 && bbox[1] >= -90 && bbox[3] <= 90) return undefined;
  for (const position of positionsOf(geometry)) {
    if (!(Math.abs(position[0]) <= 180 && Math.abs(position[1]) <= 90)) return position;
  }
  return undefined;
}

/** Undefined if the bytes are plain already. */
function plainWkb(wkb: Uint8Array, geometry: Geometry): Uint8Array | undefined {
  if (isPlain(wkb, geometry)) return undefined;
  const plain = writeWkb(geometry);
  return Buffer.compare(plain, wkb) === 0 ? undefined : plain;
}

/** A fast test for most geometries: one header, and no bytes for a height or an SRID. */
function isPlain(wkb: Uint8Array, geometry: Geometry): boolean {
  if (geometry.type !== "Point" && geometry.type !== "LineString" && geometry.type !== "Polygon") return false;
  const header = [1, GEOMETRY_CODES[geometry.type], 0, 0, 0];
  return wkb.length === wkbBytes(geometry) && header.every((byte, index) => wkb[index] === byte);
}

/**
 * Returns the country code of a row, given its representative point (longitude, latitude in degrees) and its declared
 * country.
 */
export type LocateCountry = (point: Position, declared: string | null) => string;

const MEMBERS = {
  reason: VARCHAR,
  detail: VARCHAR,
  wkb: BLOB,
  kind: VARCHAR,
  xmin: DOUBLE,
  ymin: DOUBLE,
  xmax: DOUBLE,
  ymax: DOUBLE,
  size_class: TINYINT,
  geohash: BIGINT,
  country: VARCHAR,
};

const NO_FIGURES = new Array<null>(Object.keys(MEMBERS).length - 2).fill(null);

/**
 * Returns the SQL function `geometry_figures(wkb, declared_country)`: the result of `figuresOf` and the country, as a
 * struct.
 */
export function geometryFigures(locate: LocateCountry): DuckDBScalarFunction {
  return sqlFunction("geometry_figures", [BLOB, VARCHAR], STRUCT(MEMBERS), (wkb, declared) => {
    const figures = figuresOf(wkb);
    if ("reason" in figures) return [figures.reason, figures.detail, ...NO_FIGURES];
    const { kind, bbox, point, sizeClass, geohash } = figures;
    const plain = figures.wkb ? new DuckDBBlobValue(figures.wkb) : null;
    return [null, null, plain, kind, ...bbox, sizeClass, BigInt(geohash), locate(point, declared)];
  });
}
