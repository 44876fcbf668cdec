/** The parts of a record of a table by the roles of its columns. @module */
import type { OwnType, Role } from "../../../data/format/own-schema.ts";
import type { Feature, Json } from "../../engine/index.ts";
import { columnsOf } from "../address/index.ts";
import { formatDay, formatDecimal, textOf } from "../text/index.ts";

/** Roles whose columns are shown in their own place: as title, subtitle, link or section. */
const SHOWN: ReadonlySet<Role> = new Set([
  ...(["name", "category", "address", "street", "housenumber", "postcode", "city", "region"] as const),
  ...(["phone", "website", "email", "image", "hours", "description"] as const),
]);

interface OwnParts {
  readonly hours: string | undefined;
  readonly image: string | undefined;
  readonly description: string | undefined;
  /** The columns without a place of their own, in the order of the table. */
  readonly others: Readonly<Record<string, Json>>;
}

/** Returns the parts; undefined for a record of no table. */
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

/** Returns a value as a record shows it. Whole numbers may be years or codes, so they have no separators. */
function cellOf(value: Json, type: OwnType): Json {
  if (type === "number" && typeof value === "number") return formatDecimal(value);
  if (typeof value !== "string") return value;
  if (type === "date") return formatDay(value);
  return type === "json" ? nestedOf(value) : value;
}

/** Nested values are stored as JSON text. */
function nestedOf(json: string): Json {
  try {
    return JSON.parse(json) as Json;
  } catch {
    return json;
  }
}
