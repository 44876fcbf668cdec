/** The parts of a record that the list and the detail show. Values are foreign: each is checked. @module */
import { humanize } from "../../../data/format/humanize.ts";
import { type Json, listOf, objectOf, textOf } from "../../../data/format/json.ts";
import { writtenName } from "../../../data/format/own-collections.ts";
import type { OwnColumn, Role } from "../../../data/format/own-schema.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import type { Feature } from "../../engine/index.ts";
import type { Speech } from "./text.ts";

/** Roles of columns that the record view shows in a place of their own, so not among the facts. */
const SHOWN: ReadonlySet<Role> = new Set([
  ...(["name", "names", "category", "address", "street", "housenumber", "postcode", "city", "region"] as const),
  ...(["phone", "website", "email", "image", "hours", "description"] as const),
]);

/** Returns the name in the reader's language, otherwise the main name, the first line of the address, or "Unnamed". */
export function titleOf({ properties }: Feature, { text, locale }: Speech): string {
  const names = objectOf(properties.names);
  const common = objectOf(names?.common)?.[locale.split("-")[0] ?? ""];
  return textOf(common) ?? textOf(names?.primary) ?? addressOf(properties)[0] ?? text("record.unnamed");
}

/** Returns category and address in one line, with " · " between them. Empty if the record has neither. */
export function subtitleOf({ properties }: Feature): string {
  return [categoryOf(properties), ...addressOf(properties)].filter(Boolean).join(" · ");
}

function categoryOf(properties: Feature["properties"]): string | undefined {
  const category = textOf(objectOf(properties.categories)?.primary);
  if (category === undefined || properties.theme === "own") return category;
  // Overture's are words such as `bike_rental`
  return humanize(category);
}

function addressOf(properties: Feature["properties"]): string[] {
  const address = objectOf(listOf(properties.addresses)[0]);
  const town = [textOf(address?.postcode), textOf(address?.locality)].filter(Boolean).join(" ");
  return [textOf(address?.freeform) ?? "", town].filter((part) => part !== "");
}

/**
 * Returns the distance for display, in metres below a kilometre, otherwise in kilometres. Undefined if the record has no
 * distance.
 */
export function distanceText({ properties }: Feature, { locale }: Speech): string | undefined {
  const meters = properties.ext_distance;
  if (typeof meters !== "number") return undefined;
  const isNear = meters < 999.5;
  const unit = isNear ? "meter" : "kilometer";
  const maximumFractionDigits = isNear || meters >= 99_950 ? 0 : 1;
  return (isNear ? meters : meters / 1000).toLocaleString(locale, { style: "unit", unit, maximumFractionDigits });
}

/** Returns the first text that the record has in a column with this role, such as `phone`; undefined without one. */
export function roleText({ properties }: Feature, columns: readonly OwnColumn[], role: Role): string | undefined {
  return columns.flatMap((column) => (column.role === role ? (textOf(properties[column.name]) ?? []) : []))[0];
}

/**
 * Returns the name and the value of each column that the record view shows nowhere else, in the order of `columns`. Names are as
 * in the table. Leaves out empty values.
 */
export function factsOf(
  { properties }: Feature,
  columns: readonly OwnColumn[],
  { text, locale }: Speech,
): readonly (readonly [name: string, value: string])[] {
  const shown = (value: Json | undefined): string => {
    if (value === null || value === undefined) return "";
    if (typeof value === "boolean") return text(value ? "detail.yes" : "detail.no");
    if (typeof value === "number")
      return value.toLocaleString(locale, { maximumFractionDigits: 6, useGrouping: false });
    if (Array.isArray(value)) return (value as readonly Json[]).map(shown).filter(Boolean).join(", ");
    return typeof value === "object" ? JSON.stringify(value) : value;
  };
  return columns
    .filter(({ role }) => role === undefined || !SHOWN.has(role))
    .map(({ name }) => [writtenName(name), shown(properties[name])] as const)
    .filter(([, value]) => value !== "");
}

/** Returns the URL of directions to the record on openstreetmap.org, which needs no account. Undefined without a position. */
export function directionsTo(feature: Feature): string | undefined {
  const [lon, lat] = representativePoint(feature.geometry) ?? [];
  if (lon === undefined || lat === undefined) return undefined;
  return `https://www.openstreetmap.org/directions?to=${lat.toFixed(6)}%2C${lon.toFixed(6)}`;
}
