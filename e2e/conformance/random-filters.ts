/**
 * Random values of filters, most of them from rows, so that searches have results.
 * @module
 */
import { isUnspaced } from "./folding.ts";
import { at, listAt, numberAt, textAt, textsAt } from "./json.ts";
import type { Random } from "./random.ts";
import { namesOf, type SourceRow, speedLimitsOf } from "./source-rows.ts";

type Draw = (random: Random, row: SourceRow) => string | undefined;

const wholeOf =
  (valuesOf: (row: SourceRow) => readonly (string | undefined)[]): Draw =>
  (random, row) => {
    const values = valuesOf(row).filter((value) => value !== undefined && !value.includes(","));
    return values.length === 0 ? undefined : random.of(values);
  };

const oneOf =
  (...values: readonly string[]): Draw =>
  (random) =>
    random.of(values);

const DRAWS: Readonly<Record<string, Draw>> = {
  name: (random, row) => randomName(random, namesOf(row)),
  categories: wholeOf(({ properties: { categories } }) => [
    textAt(categories, "primary"),
    ...textsAt(categories, "alternate"),
  ]),
  taxonomy: wholeOf(({ properties: { taxonomy } }) => [textAt(taxonomy, "primary"), ...textsAt(taxonomy, "hierarchy")]),
  brand_name: (random, { properties }) => {
    const name = textAt(properties, "brand", "names", "primary");
    return random.chance(0.5) ? name?.toUpperCase() : name;
  },
  brand_wikidata: wholeOf(({ properties }) => [textAt(properties, "brand", "wikidata")]),
  min_confidence: (random, { properties }) =>
    random.chance(0.3) ? numberAt(properties, "confidence")?.toString() : random.next().toFixed(3),
  operating_status: oneOf("open", "temporarily_closed", "permanently_closed"),
  source: wholeOf(({ properties }) => listAt(properties, "sources").map((source) => textAt(source, "dataset"))),
  has_contact: oneOf("website", "phone", "email", "social", "email,social", "phone,website"),
  subtype: wholeOf(({ properties }) => [textAt(properties, "subtype")]),
  class: wholeOf(({ properties }) => [textAt(properties, "class")]),
  min_height: (random, { properties }) => numberAt(properties, "height")?.toString() ?? random.of(["0", "3", "20"]),
  max_height: (random, { properties }) => numberAt(properties, "height")?.toString() ?? random.of(["5", "10", "40"]),
  min_floors: (random, { properties }) => numberAt(properties, "num_floors")?.toString() ?? random.of(["1", "4"]),
  max_floors: (random, { properties }) => numberAt(properties, "num_floors")?.toString() ?? random.of(["1", "6"]),
  surface: wholeOf(({ properties }) => listAt(properties, "road_surface").map((part) => textAt(part, "value"))),
  speed_limit: wholeOf(speedLimitsOf),
  admin_level: (random, { properties }) => at(properties, "admin_level")?.toString() ?? random.of(["0", "1", "1,2"]),
  bbox: (random, { reach }) => randomBox(random, reach.box),
};

/** Returns a value for the filter, from the row if it has one. */
export function drawFilter(random: Random, name: string, row: SourceRow): string | undefined {
  return DRAWS[name]?.(random, row);
}

/** The filters with random values. */
export const DRAWN: readonly string[] = Object.keys(DRAWS);

/** Returns one or two word prefixes of a name, in any case; in scripts without spaces, a part of a word. */
export function randomName(random: Random, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const words = random.of(names).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const asked = random.chance(0.3)
    ? [random.of(words.length > 0 ? words : ["xx"]), ...words.slice(-1)]
    : words.slice(0, 1);
  const parts = asked.map((word) => startOf(random, word)).filter((part) => part !== "");
  const text = random.chance(0.2) ? parts.join(" ").toUpperCase() : parts.join(" ");
  return Array.from(text).length >= 2 ? text : undefined;
}

function startOf(random: Random, word: string): string {
  const letters = Array.from(word);
  const start = isUnspaced(word) ? random.integer(0, Math.max(0, letters.length - 2)) : 0;
  return letters.slice(start, random.integer(start + 2, letters.length)).join("");
}

function randomBox(random: Random, [west, south, east, north]: SourceRow["reach"]["box"]): string {
  const size = random.of([0.001, 0.1, 5, 40]);
  const [lon, lat] = [(west + east) / 2, (south + north) / 2];
  const wrap = (degrees: number) => (degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees);
  const clamp = (degrees: number) => Math.max(-90, Math.min(90, degrees));
  const box = [wrap(lon - size), clamp(lat - size), wrap(lon + size), clamp(lat + size)];
  return box.map((degrees) => degrees.toFixed(6)).join(",");
}
