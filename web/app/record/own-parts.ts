/** The parts of a record from a collection with its own schema, by the roles of its columns. @module */
import type { OwnType, Role } from "../../../data/format/own-schema.ts";
import type { Feature, Json } from "../../engine/index.ts";
import { columnsOf } from "../address/index.ts";
import { formatDay, formatDecimal, textOf } from "../text/index.ts";

/** Roles of columns that have a place in the detail: as title, subtitle, link or section. */
const SHOWN: ReadonlySet<Role> = new Set([
  ...(["name", "category", "address", "street", "housenumber", "postcode", "city", "region"] as const),
  ...(["phone", "website", "email", "image", "hours", "description"] as const),
]);

interface OwnParts {
  readonly hours: string | undefined;
  readonly image: string | undefined;
  readonly description: string | undefined;
  /** Values of the other columns by name, in the order of the collection. */
  readonly others: Readonly<Record<string, Json>>;
}

/** Returns the parts of the record; undefined if it is not from a collection with its own schema. */
export function ownParts(properties: Feature["properties"]): OwnParts | undefined {
  const columns = columnsOf(textOf(properties.type) ?? "");
  if (columns.length === 0) return undefined;
  const first = (role: Role): string | undefined =>
    columns.flatMap((column) => (column.role === role ? (textOf(properties[column.name]) ?? []) : []))[0];
  const others = columns.filter(({ role }) => role === undefined || !SHOWN.has(role));
  return {
    hours: first("hours"),
    image: first("image"),
    description: first("description"),
    others: Object.fromEntries(others.map(({ name, type }) => [name, cellOf(properties[name] ?? null, type)])),
  };
}

/** Returns a value as the detail shows it. Whole numbers may be years or codes, so they get no separators. */
function cellOf(value: Json, type: OwnType): Json {
  if (type === "number" && typeof value === "number") return formatDecimal(value);
  if (typeof value !== "string") return value;
  if (type === "date") return formatDay(value);
  return type === "json" ? nestedOf(value) : value;
}

/** Returns a nested value, which is stored as JSON text; the text if it is no JSON. */
function nestedOf(json: string): Json {
  try {
    return JSON.parse(json) as Json;
  } catch {
    return json;
  }
}
