/**
 * The tag that says what an object is, and the tags by which a closed way is an area.
 * @module
 */
import polygonFeatures from "osm-polygon-features";
import type { OsmTags } from "./elements.ts";

/**
 * Keys that say what an object is, the most telling first: a hotel in a building is a hotel.
 * @see https://wiki.openstreetmap.org/wiki/Map_features
 */
const MAIN_KEYS = [
  ...["amenity", "shop", "tourism", "leisure", "craft", "office", "healthcare", "club", "emergency", "historic"],
  ...["aeroway", "railway", "public_transport", "aerialway", "highway", "waterway", "man_made", "power", "telecom"],
  ...["natural", "landuse", "place", "boundary", "military", "barrier", "geological", "advertising", "traffic_calming"],
  ...["attraction", "playground", "golf", "piste:type", "area:highway", "indoor", "entrance", "building:part"],
  ...["building", "landcover", "cemetery", "allotments", "pipeline", "communication", "junction"],
] as const;

/** Keys that add little to another main key: a restaurant in a building is no building for people who search. */
const WEAK_KEYS: ReadonlySet<string> = new Set([
  "building",
  "building:part",
  "indoor",
  "entrance",
  "area:highway",
  "junction",
]);

interface MainTag {
  readonly key: string;
  /**
   * The values of the main keys without repeats, that of `key` first. For the value `yes` the key itself. Weak keys
   * such as `building` count only as `key`.
   */
  readonly categories: readonly string[];
}

/**
 * Returns the tag that says what an object is. Undefined for an object without such a tag, which is only a part of
 * another.
 */
export function mainTag(tags: OsmTags): MainTag | undefined {
  const keys = MAIN_KEYS.filter((key) => tags[key] !== undefined && tags[key] !== "no" && tags[key] !== "");
  const [key] = keys;
  if (key === undefined) return undefined;
  const strong = keys.filter((other, index) => index === 0 || !WEAK_KEYS.has(other));
  const categories = strong.flatMap((one) => valuesOf(tags[one] ?? "").map((value) => (value === "yes" ? one : value)));
  return { key, categories: [...new Set(categories)] };
}

/** A value with several parts has semicolons between them. */
function valuesOf(text: string): string[] {
  return text
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

const RULES = new Map(
  polygonFeatures.map(({ key, polygon, values }) => [key, { polygon, values: new Set(values ?? []) }]),
);

/**
 * Returns whether a closed way with these tags is an area: by the tag `area`, otherwise by the list of
 * osm-polygon-features.
 */
export function isArea(tags: OsmTags): boolean {
  if (tags.area !== undefined) return tags.area !== "no";
  for (const [key, value] of Object.entries(tags)) {
    const rule = RULES.get(key);
    if (!rule || value === "no") continue;
    const isListed = rule.values.has(value);
    if (rule.polygon === "all" || (rule.polygon === "whitelist" ? isListed : !isListed)) return true;
  }
  return false;
}
