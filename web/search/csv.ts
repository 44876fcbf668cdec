/**
 * CSV (RFC 4180): flat columns, fixed for each path whatever the rows.
 * @module
 */

import Papa from "papaparse";
import { COLLECTIONS, type CollectionName, POINT_COLLECTIONS } from "../../data/format/collections.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import { writeWkt } from "../../data/format/wkt.ts";
import type { Feature, Json, Members } from "../engine/index.ts";
import type { Frame, Writer } from "./frame.ts";
import { BYTE_ORDER_MARK, inertCell } from "./spreadsheet.ts";

interface CsvColumn {
  readonly name: string;
  /** The property it comes from, for `includes`; undefined for what every record has. */
  readonly property?: string;
  /** What of the property it takes; all when left out. */
  readonly members?: Members;
  read(feature: Feature): Json | undefined;
}

const LIST_SEPARATOR = " | ";
const SCALARS = new Set(["VARCHAR", "INTEGER", "DOUBLE", "BOOLEAN", "VARCHAR[]"]);

/** The value at these keys of nested objects; undefined where one is missing. */
function at(value: Json | undefined, keys: readonly string[]): Json | undefined {
  let current = value;
  for (const key of keys) {
    if (typeof current !== "object" || current === null || Array.isArray(current)) return undefined;
    current = (current as Readonly<Record<string, Json>>)[key];
  }
  return current;
}

/** A member of a member, and so on. */
const membersAt = (keys: readonly string[]): Members =>
  keys.reduceRight<Members>((members, key) => ({ [key]: members }), true);

const nested = (name: string, property: string, ...keys: readonly string[]): CsvColumn => ({
  name,
  property,
  members: membersAt(keys),
  read: ({ properties }) => at(properties[property], keys),
});

/** A member of the items of a list, without repetition. */
const members = (name: string, property: string, ...keys: readonly string[]): CsvColumn => ({
  name,
  property,
  members: membersAt(keys),
  read: ({ properties }) => {
    const items = properties[property];
    if (!Array.isArray(items)) return undefined;
    const values: string[] = [];
    for (const item of items) {
      const value = at(item, keys);
      if (typeof value === "string" && !values.includes(value)) values.push(value);
    }
    return values;
  },
});

const firstAddress = (...keys: readonly [string]): CsvColumn => ({
  name: keys[0],
  property: "addresses",
  members: membersAt(keys),
  read: ({ properties }) => at((properties.addresses as readonly Json[] | undefined)?.[0], keys),
});

const NAME = nested("name", "names", "primary");
const SOURCES = members("sources", "sources", "dataset");

const PLACE_COLUMNS: readonly CsvColumn[] = [
  NAME,
  nested("category", "categories", "primary"),
  nested("alternate_categories", "categories", "alternate"),
  nested("confidence", "confidence"),
  ...["freeform", "locality", "postcode", "region", "country"].map((name) => firstAddress(name)),
  ...["phones", "websites", "socials", "emails"].map((list) => nested(list, list)),
  nested("brand", "brand", "names", "primary"),
  nested("brand_wikidata", "brand", "wikidata"),
  nested("operating_status", "operating_status"),
  nested("version", "version"),
  SOURCES,
];

const GEOMETRY: CsvColumn = { name: "geometry", read: ({ geometry }) => writeWkt(geometry) };

const BUILDING_COLUMNS = ["id", "distance", "subtype", "class", "height", "num_floors", "num_floors_underground"].map(
  (key) => nested(`building_${key}`, "ext_building", key),
);

function columnsOf(collections: readonly CollectionName[]): CsvColumn[] {
  const geometry = collections.every((name) => POINT_COLLECTIONS.has(name)) ? [] : [GEOMETRY];
  if (collections.includes("place")) return [...PLACE_COLUMNS, ...geometry];
  if (collections.includes("place_building")) return [...PLACE_COLUMNS, ...BUILDING_COLUMNS, ...geometry];
  const schemas = collections.map((name) => COLLECTIONS[name]);
  const all = schemas.flatMap(({ columns }) => columns);
  const scalars = all.filter(({ name, type }) => SCALARS.has(type) && name !== "id").map(({ name }) => name);
  const named = all.some(({ name }) => name === "names") ? [NAME] : [];
  const declared = schemas.some(({ countryRule }) => countryRule === "declared") ? ["country"] : [];
  const names = new Set(["theme", "type", ...scalars, ...declared]);
  return [...named, ...[...names].map((name) => nested(name, name)), SOURCES, ...geometry];
}

const text = (value: Json | undefined): string => {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(text).join(LIST_SEPARATOR);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

/** The cells as a line. */
export function csvLine(cells: readonly string[]): string {
  return `${Papa.unparse([[...cells]], { newline: "\r\n" })}\r\n`;
}

export interface CsvOptions {
  /** The collections a path may search. */
  readonly collections: readonly CollectionName[];
  /** Keeps the columns made from these properties; all when left out. */
  readonly includes?: ReadonlySet<string> | undefined;
  readonly hasGeometry?: boolean;
  /** Whether a spreadsheet is to run none of it: cells that could be formulas are escaped, and it begins with a byte order mark. */
  readonly isForSpreadsheets?: boolean;
}

/** What either needs. */
function bothOf(a: Members, b: Members): Members {
  if (a === true || b === true) return true;
  const entries = Object.entries(b).map(([name, of]) => [name, name in a ? bothOf(a[name] ?? true, of) : of] as const);
  return { ...a, ...Object.fromEntries(entries) };
}

function neededBy(columns: readonly CsvColumn[]): ReadonlyMap<string, Members> {
  const needed = new Map<string, Members>();
  for (const { property, members = true } of columns) {
    if (property === undefined) continue;
    const known = needed.get(property);
    needed.set(property, known === undefined ? members : bothOf(known, members));
  }
  return needed;
}

const FRAME: Pick<Frame, "contentType" | "extension" | "separator" | "close"> = {
  contentType: "text/csv; charset=utf-8",
  extension: "csv",
  separator: "",
  close: "",
};

export interface CsvWriter extends Writer {
  /** What the columns are made from: features need nothing else. */
  readonly properties: ReadonlyMap<string, Members>;
  /** A line. */
  write(feature: Feature): string;
}

/** CSV of features. */
export function csvWriter({
  collections,
  includes,
  hasGeometry = true,
  isForSpreadsheets = false,
}: CsvOptions): CsvWriter {
  const columns = columnsOf(collections)
    .filter(({ property }) => property === undefined || includes === undefined || includes.has(property))
    .filter((column) => hasGeometry || column !== GEOMETRY);
  const cell = (value: Json | undefined) => (isForSpreadsheets ? inertCell(text(value)) : text(value));
  const open =
    (isForSpreadsheets ? BYTE_ORDER_MARK : "") +
    csvLine(["id", "longitude", "latitude", ...columns.map(({ name }) => name)]);
  const write = (feature: Feature): string => {
    const [lon, lat] = representativePoint(feature.geometry) ?? [];
    return csvLine([cell(feature.id), text(lon), text(lat), ...columns.map((column) => cell(column.read(feature)))]);
  };
  const properties = neededBy(columns);
  return {
    ...FRAME,
    open,
    properties,
    write,
    *page(result) {
      for (const feature of result.features(properties)) yield write(feature);
    },
    alone: (feature) => open + write(feature),
  };
}

/** CSV of flat records: the columns are given, members of objects by a dot. */
export function flatCsv(columns: readonly string[]): Frame & { write(record: Readonly<Record<string, Json>>): string } {
  return {
    ...FRAME,
    open: csvLine(columns.map((name) => name.replaceAll(".", "_"))),
    write: (record) => csvLine(columns.map((name) => text(at(record, name.split("."))))),
  };
}
