/**
 * Writes geometries as WKB of two dimensions.
 * @see https://www.ogc.org/standards/sfa
 * @module
 */
import { GEOMETRY_CODES, type Geometry, type Position } from "./geometry.ts";

const HEADER_BYTES = 5;
const COUNT_BYTES = 4;
const POSITION_BYTES = 16;
/** Bytes of a point. */
export const POINT_BYTES = HEADER_BYTES + POSITION_BYTES;

type Part = readonly Position[];

/** The geometry as WKB of either byte order. */
export function writeWkb(geometry: Geometry, littleEndian = true): Uint8Array {
  const bytes = new Uint8Array(sizeOf(geometry));
  const view = new DataView(bytes.buffer);
  let offset = 0;

  const header = (kind: Geometry["type"]): void => {
    view.setUint8(offset, littleEndian ? 1 : 0);
    view.setUint32(offset + 1, GEOMETRY_CODES[kind], littleEndian);
    offset += HEADER_BYTES;
  };
  const count = (value: number): void => {
    view.setUint32(offset, value, littleEndian);
    offset += COUNT_BYTES;
  };
  const position = ([lon, lat]: Position): void => {
    view.setFloat64(offset, lon, littleEndian);
    view.setFloat64(offset + 8, lat, littleEndian);
    offset += POSITION_BYTES;
  };
  const list = <T>(items: readonly T[], write: (item: T) => void): void => {
    count(items.length);
    for (const item of items) write(item);
  };
  const write = (member: Geometry): void => {
    header(member.type);
    if (member.type === "Point") position(member.coordinates);
    else if (member.type === "LineString") list(member.coordinates, position);
    else if (member.type === "Polygon") list(member.coordinates, (ring) => list(ring, position));
    else list(membersOf(member), write);
  };

  write(geometry);
  return bytes;
}

type Collected = Exclude<Geometry, { type: "Point" | "LineString" | "Polygon" }>;

function membersOf(geometry: Collected): readonly Geometry[] {
  switch (geometry.type) {
    case "MultiPoint":
      return geometry.coordinates.map((coordinates) => ({ type: "Point", coordinates }));
    case "MultiLineString":
      return geometry.coordinates.map((coordinates) => ({ type: "LineString", coordinates }));
    case "MultiPolygon":
      return geometry.coordinates.map((coordinates) => ({ type: "Polygon", coordinates }));
    case "GeometryCollection":
      return geometry.geometries;
  }
}

function sizeOf(geometry: Geometry): number {
  const list = (part: Part): number => COUNT_BYTES + part.length * POSITION_BYTES;
  switch (geometry.type) {
    case "Point":
      return POINT_BYTES;
    case "LineString":
      return HEADER_BYTES + list(geometry.coordinates);
    case "Polygon":
      return geometry.coordinates.reduce((size, ring) => size + list(ring), HEADER_BYTES + COUNT_BYTES);
    default:
      return membersOf(geometry).reduce((size, member) => size + sizeOf(member), HEADER_BYTES + COUNT_BYTES);
  }
}
