import { type DuckDBType, DuckDBTypeId } from "@duckdb/node-api";
import { isOvertureType, type OvertureType } from "../../data/format/collections.ts";
import type { Geometry, Position } from "../../data/format/geometry.ts";
import { writeWkb } from "../../data/format/write-wkb.ts";
import type { DescribedColumn } from "../database/index.ts";
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

/** Returns the record, or the reason for its rejection. Its id is the feature's or the property `id`. */
export function parseRecord(value: unknown, type: OvertureType, columns: readonly DescribedColumn[]): ParsedRecord {
  const feature = objectOf(value);
  const properties = objectOf(feature.properties);
  const id = idOf(feature.id) ?? idOf(properties.id);
  const ignored = Object.keys(properties).filter((name) => !columns.some((column) => column.name === name));
  const fail = (reason: Fault["reason"], detail: string): ParsedRecord => ({ id, result: { reason, detail }, ignored });
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
    const fitted = columns.map(({ name, type }) => ({ name, ...conform(name, properties[name], type) }));
    const text = JSON.stringify(Object.fromEntries(fitted.map(({ name, value }) => [name, value])));
    ignored.push(...fitted.flatMap((column) => column.ignored));
    return { id, result: { id, wkb, properties: text }, ignored };
  } catch (error) {
    return fail("value that cannot be cast", messageOf(error));
  }
}

function idOf(value: unknown): string | null {
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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

interface Conformed {
  readonly value: unknown;
  /** Members that the type lacks, such as `sources[].note`. */
  readonly ignored: readonly string[];
}

/** Converts a JSON value to a column's type. The error contains the path. */
export function conform(path: string, input: unknown, type: DuckDBType): Conformed {
  const ignored = new Set<string>();

  function adapt(at: string, value: unknown, wanted: DuckDBType): unknown {
    if (value === null || value === undefined) return null;
    switch (wanted.typeId) {
      case DuckDBTypeId.STRUCT: {
        const source = members(at, value, wanted);
        const names = wanted.entryNames;
        for (const name of Object.keys(source)) if (!names.includes(name)) ignored.add(`${at}.${name}`);
        return Object.fromEntries(
          names.map((name, i) => [name, adapt(`${at}.${name}`, source[name], wanted.entryTypes[i] ?? wanted)]),
        );
      }
      case DuckDBTypeId.MAP: {
        const entries = Object.entries(members(at, value, wanted));
        return Object.fromEntries(entries.map(([key, item]) => [key, adapt(`${at}.${key}`, item, wanted.valueType)]));
      }
      case DuckDBTypeId.LIST:
        if (!Array.isArray(value)) throw misfit(at, value, wanted);
        return value.map((item) => adapt(`${at}[]`, item, wanted.valueType));
      default:
        return scalar(at, value, wanted);
    }
  }

  return { value: adapt(path, input, type), ignored: [...ignored] };
}

function members(at: string, value: unknown, type: DuckDBType): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw misfit(at, value, type);
}

function scalar(at: string, value: unknown, type: DuckDBType): unknown {
  if (typeof value !== "object") {
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (type.typeId === DuckDBTypeId.VARCHAR) return String(value);
    if (type.typeId === DuckDBTypeId.BOOLEAN && typeof value === "boolean") return value;
    if (typeof number === "number" && Number.isFinite(number)) {
      if (type.typeId === DuckDBTypeId.DOUBLE) return number;
      if (type.typeId === DuckDBTypeId.INTEGER && number === (number | 0)) return number;
    }
  }
  throw misfit(at, value, type);
}

function misfit(at: string, value: unknown, type: DuckDBType): Error {
  return new Error(`${at}: ${JSON.stringify(value).slice(0, 120)} is no ${type.toString().slice(0, 40)}`);
}
