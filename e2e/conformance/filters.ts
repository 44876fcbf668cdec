/**
 * Every filter of the interface as a simple test of a source row.
 * @module
 */
import { meetsBox } from "./boxes.ts";
import { foldedWords, isFoundAmong } from "./folding.ts";
import { at, listAt, numberAt, textAt, textsAt } from "./json.ts";
import { namesOf, type SourceRow, speedLimitsOf } from "./source-rows.ts";

/** Query parameters of a request. */
export type Parameters = Readonly<Record<string, string>>;

/** `maybe` if the two documents leave a row undecided. */
export type Verdict = "yes" | "no" | "maybe";

type Test = (row: SourceRow, asked: string, parameters: Parameters) => Verdict;

const verdict = (holds: boolean): Verdict => (holds ? "yes" : "no");
const anyOf =
  (values: (row: SourceRow) => readonly (string | undefined)[]): Test =>
  (row, asked) =>
    verdict(asked.split(",").some((item) => values(row).includes(item)));

/** A row without a value passes if `include_unknown` names a bound of the column. */
const bound =
  (column: string, isMet: (value: number, asked: number) => boolean, names: readonly string[]): Test =>
  ({ properties }, asked, { include_unknown: unknown = "" }) => {
    const value = numberAt(properties, column);
    return verdict(
      value === undefined ? unknown.split(",").some((name) => names.includes(name)) : isMet(value, Number(asked)),
    );
  };
const atLeast = (column: string, ...names: readonly string[]): Test =>
  bound(column, (value, asked) => value >= asked, names);
const atMost = (column: string, ...names: readonly string[]): Test =>
  bound(column, (value, asked) => value <= asked, names);

const CONTACTS: Readonly<Record<string, string>> = {
  website: "websites",
  phone: "phones",
  email: "emails",
  social: "socials",
};

const knownWords = new WeakMap<SourceRow, readonly string[]>();

/** Cached: folding all names for every search would take longer than the rest of the suite. */
export function wordsOf(row: SourceRow): readonly string[] {
  const words = knownWords.get(row) ?? [...new Set(namesOf(row).flatMap(foldedWords))];
  knownWords.set(row, words);
  return words;
}

const TESTS: Readonly<Record<string, Test>> = {
  name: (row, asked) => verdict(isFoundAmong(asked, wordsOf(row))),
  categories: anyOf(({ properties: { categories } }) => [
    textAt(categories, "primary"),
    ...textsAt(categories, "alternate"),
  ]),
  taxonomy: anyOf(({ properties: { taxonomy } }) => [textAt(taxonomy, "primary"), ...textsAt(taxonomy, "hierarchy")]),
  brand_name: ({ properties }, asked) =>
    verdict(textAt(properties, "brand", "names", "primary")?.toLowerCase() === asked.toLowerCase()),
  brand_wikidata: ({ properties }, asked) => verdict(textAt(properties, "brand", "wikidata") === asked),
  min_confidence: atLeast("confidence", "min_confidence"),
  operating_status: ({ properties }, asked) => verdict(textAt(properties, "operating_status") === asked),
  source: ({ properties }, asked) =>
    verdict(listAt(properties, "sources").some((source) => at(source, "dataset") === asked)),
  has_contact: ({ properties }, asked) =>
    verdict(asked.split(",").some((kind) => textsAt(properties, CONTACTS[kind] ?? "").some((text) => text !== ""))),
  subtype: anyOf(({ properties }) => [textAt(properties, "subtype")]),
  class: anyOf(({ properties }) => [textAt(properties, "class")]),
  min_height: atLeast("height", "min_height", "max_height"),
  max_height: atMost("height", "min_height", "max_height"),
  min_floors: atLeast("num_floors", "min_floors", "max_floors"),
  max_floors: atMost("num_floors", "min_floors", "max_floors"),
  surface: anyOf(({ properties }) => listAt(properties, "road_surface").map((part) => textAt(part, "value"))),
  speed_limit: anyOf(speedLimitsOf),
  admin_level: anyOf(({ properties }) => [numberAt(properties, "admin_level")?.toString()]),
  bbox: isInBox,
};

/** Tests a row with all filters among the parameters. */
export function passes(row: SourceRow, parameters: Parameters): Verdict {
  let result: Verdict = "yes";
  for (const [name, asked] of Object.entries(parameters)) {
    const found = TESTS[name]?.(row, asked, parameters) ?? "yes";
    if (found === "no") return "no";
    if (found === "maybe") result = "maybe";
  }
  return result;
}

/** Degrees: closer to the box's edge than this, rounding decides. */
const CLOSE = 1e-9;

function isInBox({ geometry }: SourceRow, asked: string): Verdict {
  const [west = 0, south = 0, east = 0, north = 0] = asked.split(",").map(Number);
  const spans =
    west <= east
      ? [[west, east]]
      : [
          [west, 180],
          [-180, east],
        ];
  const meets = (by: number) =>
    spans.some(([from = 0, to = 0]) => meetsBox(geometry, [from - by, south - by, to + by, north + by]));
  if (!meets(CLOSE)) return "no";
  return meets(-CLOSE) ? "yes" : "maybe";
}
