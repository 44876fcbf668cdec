/**
 * Suggests categories of places in a country, from precomputed counts.
 * @module
 */
import { termsOf } from "../../../data/format/fold.ts";
import { spellRank } from "../../../data/format/lookup.ts";
import type { Session } from "../store/session.ts";
import { placeOf } from "../terms/term-index.ts";
import type { Point, Scope } from "./scope.ts";
import { bestMatch, type Meaning } from "./suggestion.ts";

/** A category and the number of places in the country that have it. */
export interface CategoryRows {
  readonly id: string;
  /** Its names: its id as words, and names in the language of the user. */
  readonly names: readonly [string, ...string[]];
  readonly rows: number;
}

/** Category names in the language of the user, by id; the first name is shown. */
export type CategoryWords = Readonly<Record<string, readonly string[]>>;

/** More would displace results that match by name. */
const MOST_CATEGORIES = 2;

/** Returns the categories of the country, largest first; empty where they are not counted. */
export async function categoriesOf(
  session: Session,
  country: string,
  called: CategoryWords = {},
): Promise<CategoryRows[]> {
  if (!session.manifest.collections.place?.runs.count_category) return [];
  // a category may be wanted in a country without places: the search then says so
  if (!session.manifest.collections.place.countries[country])
    return Object.entries(called).map(([id, names]) => ({ id, names: [wordsOfCategory(id), ...names], rows: 0 }));
  const run = { session, collection: "place", run: "count_category", country } as const;
  const { partitions } = await placeOf(run, { first: spellRank(0), last: "9".repeat(spellRank(0).length) });
  const tables = await Promise.all(
    partitions.map((node) =>
      session.readTable({ collection: run.collection, run: run.run, node }, ["value", "rows", "brands"]),
    ),
  );
  return tables.flatMap(({ value = [], rows = [] }) =>
    Array.from(value, (id, row) => ({
      id: String(id),
      names: [wordsOfCategory(String(id)), ...(called[String(id)] ?? [])],
      rows: Number(rows[row]),
    })),
  );
}

/** Returns `fast_food_restaurant` as words. */
export function wordsOfCategory(id: string): string {
  return id.replaceAll("_", " ");
}

/** Returns the categories that the words mean, to search around the point; the exact one first, then the largest. */
export function suggestCategories(
  categories: readonly CategoryRows[],
  { country, words, division }: Scope,
  { lon, lat }: Point,
): Meaning[] {
  const found = categories.flatMap(({ id, names, rows }): (Meaning & { readonly rows: number })[] => {
    const best = bestMatch(names, words) ?? sameStems(names, words);
    if (!best) return [];
    const [own, name = own] = names;
    return [
      {
        ...{ kind: "category", collection: "place", id, name, detail: "", country, lon, lat, rows },
        match: best.match,
        ...(best.name === name ? {} : { matched: best.name }),
        ...(division ? { within: division.name } : {}),
        ...(division?.kind === "country" ? { isCountryWide: true as const } : {}),
        ...(division?.bbox ? { bbox: division.bbox } : {}),
      },
    ];
  });
  const order = ["exact", "words", "prefix"];
  found.sort((a, b) => order.indexOf(a.match ?? "") - order.indexOf(b.match ?? "") || b.rows - a.rows);
  return found.slice(0, MOST_CATEGORIES).map(({ rows: _, ...suggestion }) => suggestion);
}

/** Returns the first name whose words have the stems of these words, and no others: *bakeries* is *bakery*. */
function sameStems(names: readonly string[], words: readonly string[]) {
  const stems = words.map(stemOf);
  const name = names.find((each) => {
    const terms = [...termsOf(each)].map(stemOf);
    return terms.length === stems.length && stems.every((stem) => terms.includes(stem));
  });
  return name === undefined ? undefined : { match: "exact" as const, name };
}

/** Shorter rests of words are too ambiguous. */
const MIN_STEM = 3;

/** The stem that singular and plural of most words share, in the page's languages with Latin letters. */
function stemOf(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  const singular = word.replace(/[sx]$/, "").replace(/en$/, "");
  const stem = singular.replace(/[aeiouy]+$/, "");
  return stem.length >= MIN_STEM ? stem : singular;
}
