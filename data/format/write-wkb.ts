/**
 * Writes geometries as two-dimensional WKB.
 * @see https://www.ogc.org/standards/sfa
 * @module
 */
import { GEOMETRY_CODES, type Geometry, type Position } from "./geometry.ts";

const HEADER_BYTES = 5;
const COUNT_BYTES = 4;
const POSITION_BYTES = 16;
const POINT_BYTES = HEADER_BYTES + POSITION_BYTES;

type Part = readonly Position[];

/** Returns the geometry as two-dimensional WKB, longitude first, little-endian by default. */
export function writeWkb(geometry: Geometry, littleEndian = true): Uint8Array {
  const bytes = new Uint8Array(wkbBytes(geometry));
  writeGeometry({ view: new DataView(bytes.buffer), littleEndian, offset: 0 }, geometry);
  return bytes;
}

/** Position of the next value, and its encoding. */
interface WkbWriter {
  readonly view: DataView;
  readonly littleEndian: boolean;
  offset: number;
}

function writeGeometry(writer: WkbWriter, geometry: Geometry): void {
  const { view, littleEndian, offset } = writer;
  view.setUint8(offset, littleEndian ? 1 : 0);
  view.setUint32(offset + 1, GEOMETRY_CODES[geometry.type], littleEndian);
  writer.offset += HEADER_BYTES;
  if (geometry.type === "Point") writePosition(writer, geometry.coordinates);
  else if (geometry.type === "LineString") writeList(writer, geometry.coordinates, writePosition);
  else if (geometry.type === "Polygon") writeList(writer, geometry.coordinates, writeRing);
  else writeList(writer, membersOf(geometry), writeGeometry);
}

function writeRing(writer: WkbWriter, ring: Part): void {
  writeList(writer, ring, writePosition);
}

function writePosition(writer: WkbWriter, [lon, lat]: Position): void {
  writer.view.setFloat64(writer.offset, lon, writer.littleEndian);
  writer.view.setFloat64(writer.offset + 8, lat, writer.littleEndian);
  writer.offset += POSITION_BYTES;
}

function writeList<T>(writer: WkbWriter, items: readonly T[], write: (writer: WkbWriter, item: T) => void): void {
  writer.view.setUint32(writer.offset, items.length, writer.littleEndian);
  writer.offset += COUNT_BYTES;
  for (const item of items) write(writer, item);
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

/** Returns the number of bytes of the geometry's WKB. */
export function wkbBytes(geometry: Geometry): number {
  const list = (part: Part): number => COUNT_BYTES + part.length * POSITION_BYTES;
  switch (geometry.type) {
    case "Point":
      return POINT_BYTES;
    case "LineString":
      return HEADER_BYTES + list(geometry.coordinates);
    case "Polygon":
      return geometry.coordinates.reduce((size, ring) => size + list(ring), HEADER_BYTES + COUNT_BYTES);
    default:
      return membersOf(geometry).reduce((size, member) => size + wkbBytes(member), HEADER_BYTES + COUNT_BYTES);
  }
}
