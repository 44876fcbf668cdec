import { readFile } from "node:fs/promises";
import { type Area, parseArea } from "../../../data/format/area.ts";
import type { BBox } from "../../../data/format/bbox.ts";
import { isOvertureType, OVERTURE_TYPES, type OvertureType } from "../../../data/format/collections.ts";
import { messageOf } from "../../../data/format/message-of.ts";
import { type AskedArea, joinAreas } from "../../../data/release/index.ts";
import { parseJson } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";

/** A box around the Pacific is about 190 degrees wide. A wider one probably has west and east swapped. */
const WIDEST_CROSSING_DEG = 270;

/**
 * Returns the box of `west,south,east,north` in degrees; `west > east` means that it crosses the antimeridian. Throws
 * if the text is not a box, or if the box crosses the antimeridian and is wider than 270 degrees.
 */
export function parseBox(text: string): BBox {
  const numbers = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = numbers;
  const isSound =
    numbers.length === 4 &&
    [west, east].every((lon) => Math.abs(lon) <= 180) &&
    [south, north].every((lat) => Math.abs(lat) <= 90);
  if (!isSound)
    throw new CodedError(
      "CAIRN_E_AREA",
      `a box is west,south,east,north in degrees, such as 7.40,43.72,7.44,43.76, got ${text}`,
    );
  if (south > north)
    throw new CodedError("CAIRN_E_AREA", `a box has its south below its north, got south ${south}, north ${north}`);
  if (west - east > 0 && 360 - (west - east) > WIDEST_CROSSING_DEG)
    throw new CodedError(
      "CAIRN_E_AREA",
      `the box crosses the antimeridian (west > east) and is ${360 - (west - east)} degrees wide, ` +
        `got west ${west}, east ${east}: expected west before east, or at most ${WIDEST_CROSSING_DEG} degrees`,
    );
  return [west, south, east, north];
}

/**
 * Returns a country code of two letters (ISO 3166-1 alpha-2) in capitals. Throws for another text. Does not check that
 * the country exists.
 */
export function parseCountry(text: string): string {
  if (/^[A-Za-z]{2}$/.test(text)) return text.toUpperCase();
  throw new CodedError("CAIRN_E_AREA", `a country is a code of two letters, such as MC, got ${text}`);
}

/**
 * Returns a place name, such as `Springfield, US-IL`, with single spaces and a space after each comma. Throws if a part
 * between commas is empty.
 */
export function parsePlaceName(text: string): string {
  const parts = text.split(",").map((part) => part.trim().replaceAll(/\s+/g, " "));
  if (parts.every((part) => part !== "")) return parts.join(", ");
  throw new CodedError(
    "CAIRN_E_AREA",
    `a place is a name, such as Monaco or Springfield, US-IL, got ${text.trim() || "nothing"}`,
  );
}

/**
 * Returns Overture types from names with commas between them, in the order of the schema, without duplicates. Throws
 * for an unknown type.
 */
export function parseTypes(text: string): OvertureType[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !isOvertureType(name));
  if (unknown !== undefined)
    throw new CodedError("CAIRN_E_VALUE", `type ${unknown || "without a name"}: expected ${OVERTURE_TYPES.join(", ")}`);
  return OVERTURE_TYPES.filter((type) => names.includes(type));
}

/**
 * Returns the polygons of a GeoJSON file with a geometry, feature or feature collection. Throws if the file cannot be
 * read, has no feature, or has another geometry than polygons. Errors contain the path.
 */
export async function readAreaFile(path: string): Promise<Area> {
  const value = parseJson(path, await readFile(path, "utf8"));
  try {
    return joinAreas(membersOf(value).map(parseArea));
  } catch (error) {
    throw new CodedError("CAIRN_E_AREA", `${path}: ${messageOf(error)}`);
  }
}

function membersOf(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null || !("features" in value)) return [value];
  return Array.isArray(value.features) ? value.features : [];
}

/** Returns text that names the area, for the message that it has no rows. */
export function labelOf(asked: AskedArea): string {
  switch (asked.kind) {
    case "box":
      return labelOfBox(asked.bbox);
    case "polygon":
      return asked.label;
    case "country":
      return `country ${asked.code}`;
    case "division":
      return `division ${asked.id}`;
    case "place":
      return `place ${asked.name}`;
  }
}

/**
 * Returns text that names the box, for the message that it has no rows. Suggests the box with latitude and longitude
 * swapped, which is a frequent mistake.
 */
export function labelOfBox([west, south, east, north]: BBox): string {
  const box = `box ${[west, south, east, north].join(",")}`;
  const isSwappable = Math.abs(west) <= 90 && Math.abs(east) <= 90 && west <= east && south <= north;
  const order = "a box is west,south,east,north, longitude before latitude";
  return isSwappable
    ? `${box} (${order}; with both swapped it is ${[south, west, north, east].join(",")})`
    : `${box} (${order})`;
}
