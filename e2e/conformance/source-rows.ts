/**
 * Source rows in the form that the interface must return.
 * @module
 */
import type { Geometry } from "geojson";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { at, isObject, type Json, type JsonObject, listAt, numberAt, textAt } from "./json.ts";
import { type Reach, reachOf } from "./reach.ts";
import { findSourceFiles, type SourceFile } from "./source-files.ts";
import { columnsOf, type OvertureType } from "./types.ts";

export interface SourceRow {
  readonly id: string;
  readonly type: OvertureType;
  /** Folder of the source file. */
  readonly folder: string;
  readonly version: number;
  readonly geometry: Geometry;
  readonly reach: Reach;
  /** Overture's columns that are not null, without null members of structs. `version` is a string. */
  readonly properties: JsonObject;
}

/** Reads the rows of all sources: for each id the highest version, of equal versions the first. */
export async function readSources(sources: readonly string[]): Promise<SourceRow[]> {
  const best = new Map<string, SourceRow>();
  for (const file of await findSourceFiles(sources)) {
    for (const row of await readFile(file)) {
      const key = `${row.type} ${row.id}`;
      const known = best.get(key);
      if (!known || row.version > known.version) best.set(key, row);
    }
  }
  return [...best.values()];
}

async function readFile({ path, type, folder }: SourceFile): Promise<SourceRow[]> {
  const records: Record<string, unknown>[] = await parquetReadObjects({
    file: await asyncBufferFromFile(path),
    compressors,
  });
  return records.map((record) => toRow(record, type, folder, path));
}

function toRow(record: Record<string, unknown>, type: OvertureType, folder: string, path: string): SourceRow {
  const { id, geometry } = record;
  if (typeof id !== "string" || id === "") throw new Error(`${path}: id ${String(id)}, expected text`);
  if (!isGeometry(geometry)) throw new Error(`${path}: geometry of ${id} cannot be read`);
  const version = Number(record.version ?? 0);
  const properties: Record<string, Json> = {};
  for (const name of columnsOf(type)) {
    const value = toJson(record[name]);
    if (value !== null) properties[name] = value;
  }
  properties.version = String(version);
  completeTexts(properties);
  if (type === "place") fillCategories(properties);
  return { id, type, folder, version, geometry, reach: reachOf(geometry), properties };
}

/** Adds texts that the interface always returns, and removes a brand without content. */
function completeTexts(properties: Record<string, Json>): void {
  const { sources, brand } = properties;
  const whole = { property: "", dataset: "", record_id: "" };
  if (Array.isArray(sources))
    properties.sources = sources.map((source: Json) => (isObject(source) ? { ...whole, ...source } : source));
  if (!isObject(brand)) return;
  if (holdsText(brand))
    properties.brand = { ...brand, names: { primary: "", ...(isObject(brand.names) ? brand.names : {}) } };
  else delete properties.brand;
}

function holdsText(value: Json): boolean {
  if (typeof value !== "object" || value === null) return value !== null && value !== "";
  return Object.values(value).some((member) => holdsText(member));
}

/** Fills `categories` for releases that lack it. */
function fillCategories(properties: Record<string, Json>): void {
  const { categories, taxonomy } = properties;
  if (at(categories, "primary") !== undefined || at(categories, "alternate") !== undefined) return;
  const primary = textAt(taxonomy, "primary") ?? textAt(properties, "basic_category");
  const alternate = at(taxonomy, "alternates");
  if (primary === undefined && alternate === undefined) return;
  properties.categories = {
    ...(primary === undefined ? {} : { primary }),
    ...(alternate === undefined ? {} : { alternate }),
  };
}

function isGeometry(value: unknown): value is Geometry {
  return typeof value === "object" && value !== null && "type" in value;
}

/** Converts a Parquet value to JSON without null members. */
function toJson(value: unknown): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number") return value + 0;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== "object") throw new Error(`value of type ${typeof value}, expected one that Parquet has`);
  const members = Object.entries(value).map(([key, member]): [string, Json] => [key, toJson(member)]);
  return Object.fromEntries(members.filter(([, member]) => member !== null));
}

/** Every name of a row: primary, common in all languages, and rules; of an address, all of its text. */
export function namesOf({ type, properties }: Pick<SourceRow, "type" | "properties">): string[] {
  const { names } = properties;
  if (type === "address") {
    const own = ["number", "street", "unit", "postcode", "postal_city"].map((name) => properties[name]);
    const levels = listAt(properties, "address_levels").map((level) => at(level, "value"));
    return [...own, ...levels].filter((value): value is string => typeof value === "string" && value !== "");
  }
  if (!isObject(names)) return [];
  const { primary, common, rules } = names;
  const values = [primary, ...Object.values(isObject(common) ? common : {})];
  if (Array.isArray(rules)) values.push(...rules.map((rule) => at(rule, "value")));
  return values.filter((value): value is string => typeof value === "string" && value !== "");
}

/** Speed limits of a road as search values: `50kmh`, `25mph`. */
export function speedLimitsOf({ properties }: Pick<SourceRow, "properties">): string[] {
  return listAt(properties, "speed_limits").flatMap((limit) => {
    const [value, unit] = [numberAt(limit, "max_speed", "value"), textAt(limit, "max_speed", "unit")];
    return value === undefined || unit === undefined ? [] : [`${value}${unit.replace("/", "")}`];
  });
}
