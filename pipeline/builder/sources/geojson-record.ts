import { isOvertureType, type OvertureType } from "../../../data/format/collections.ts";
import type { Geometry, Position } from "../../../data/format/geometry.ts";
import { messageOf } from "../../../data/format/message-of.ts";
import { writeWkb } from "../../../data/format/write-wkb.ts";
import type { DescribedColumn } from "../../base/database/index.ts";
import { conformRow } from "./conform.ts";
import { objectOf } from "./geojson.ts";
import type { Fault } from "./schema.ts";

interface GeoJsonRecord {
  readonly id: string | null;
  readonly wkb: Uint8Array | null;
  readonly properties: string;
}

interface ParsedRecord {
  readonly id: string | null;
  readonly result: GeoJsonRecord | Fault;
  readonly ignored: readonly string[];
}

/**
 * Returns the record of a parsed GeoJSON feature, or the reason for its rejection. Its id is the feature's, otherwise
 * the property `id`.
 */
export function parseRecord(value: unknown, type: OvertureType, columns: readonly DescribedColumn[]): ParsedRecord {
  const feature = objectOf(value);
  const properties = objectOf(feature.properties);
  const id = idOf(feature.id) ?? idOf(properties.id);
  const fail = (reason: Fault["reason"], detail: string): ParsedRecord => ({
    id,
    result: { reason, detail },
    ignored: [],
  });
  if (feature.type !== "Feature") return fail("unreadable record", `type is ${String(feature.type)}, expected Feature`);
  if (!id) return fail("missing id", "neither the feature nor its properties have an id");
  let wkb: Uint8Array | null = null;
  try {
    if (feature.geometry !== null && feature.geometry !== undefined) wkb = writeWkb(parseGeometry(feature.geometry));
  } catch (error) {
    return fail("unreadable geometry", messageOf(error));
  }
  const stated = properties.type;
  if (typeof stated === "string" && stated !== type && isOvertureType(stated)) {
    return fail("value that cannot be cast", `type: ${stated} in a file of ${type}`);
  }
  try {
    const { text, ignored } = conformRow(properties, columns);
    return { id, result: { id, wkb, properties: text }, ignored };
  } catch (error) {
    return fail("value that cannot be cast", messageOf(error));
  }
}

function idOf(value: unknown): string | null {
  return typeof value === "string" || typeof value === "number" ? String(value).toWellFormed() : null;
}

/** Removes heights. Throws if the value is not a geometry. */
function parseGeometry(value: unknown): Geometry {
  const { type, coordinates, geometries } = objectOf(value);
  switch (type) {
    case "Point":
      // An empty point is an empty array. WKB writes NaN.
      return { type, coordinates: isEmptyArray(coordinates) ? [Number.NaN, Number.NaN] : position(coordinates) };
    case "LineString":
    case "MultiPoint":
      return { type, coordinates: list(coordinates, position) };
    case "Polygon":
    case "MultiLineString":
      return { type, coordinates: list(coordinates, (part) => list(part, position)) };
    case "MultiPolygon":
      return { type, coordinates: list(coordinates, (part) => list(part, (ring) => list(ring, position))) };
    case "GeometryCollection":
      return { type, geometries: list(geometries, parseGeometry) };
    default:
      throw new Error(`geometry of type ${String(type)}`);
  }
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function list<T>(value: unknown, parse: (item: unknown) => T): T[] {
  if (!Array.isArray(value)) throw new Error(`coordinates hold ${JSON.stringify(value)}, expected an array`);
  return value.map(parse);
}

function position(value: unknown): Position {
  const [lon, lat] = Array.isArray(value) ? value : [];
  if (typeof lon === "number" && typeof lat === "number") return [lon, lat];
  throw new Error(`position is ${JSON.stringify(value)}, expected two numbers`);
}
