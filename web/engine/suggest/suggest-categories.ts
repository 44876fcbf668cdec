/**
 * Suggests categories of places in a country, from precomputed counts.
 * @module
 */
import { spellRank } from "../../../data/format/lookup.ts";
import type { Session } from "../store/session.ts";
import { postingRange } from "../terms/term-index.ts";
import {
  bestName,
  type CategoryNames,
  type CategoryWords,
  EXACT_RANK,
  namesOfCategory,
  typedWords,
} from "./category-names.ts";
import type { Intents } from "./intents.ts";
import type { Point, Scope } from "./scope.ts";
import type { Match, Meaning } from "./suggestion.ts";

/** A category and the number of places in the country that have it. */
export interface CategoryRows {
  readonly id: string;
  readonly called: CategoryNames;
  readonly rows: number;
}

/** Maximum number of categories found by name. More would displace other results. */
const MOST_CATEGORIES = 2;
/** An intent is nearly always among the first five. */
const MOST_INTENTS = 5;

/** A phrase with this score is nearly the text. */
const SURE = 0.9;

/** Ranks of intents among those of names. */
const INTENT = EXACT_RANK + 1;
const UNSURE_INTENT = EXACT_RANK + 6;

/**
 * Returns the categories of the country, those with the most places first. Empty if the dataset has no counts of categories. For
 * a country without places, returns all categories of the tables, with 0 rows.
 */
export async function categoriesOf(
  session: Session,
  country: string,
  tables: readonly CategoryWords[] = [],
): Promise<CategoryRows[]> {
  if (!session.manifest.collections.place?.runs.count_category) return [];
  // a category may be wanted in a country without places: the search then says so
  if (!session.manifest.collections.place.countries[country])
    return [...new Set(tables.flatMap((table) => Object.keys(table)))].map((id) => categoryRows(id, tables, 0));
  const run = { session, collection: "place", run: "count_category", country } as const;
  const { partitions } = await postingRange(run, { first: spellRank(0), last: "9".repeat(spellRank(0).length) });
  const counted = await Promise.all(
    partitions.map((node) =>
      session.readTable({ collection: run.collection, run: run.run, node }, ["value", "rows", "brands"]),
    ),
  );
  return counted.flatMap(({ value = [], rows = [] }) =>
    Array.from(value, (id, row) => categoryRows(String(id), tables, Number(rows[row]))),
  );
}

/** Returns the category with its names in the tables. */
export function categoryRows(id: string, tables: readonly CategoryWords[], rows: number): CategoryRows {
  return { id, called: namesOfCategory(id, tables), rows };
}

/** A category that a text means. */
export interface RankedCategory {
  readonly category: CategoryRows;
  readonly match: Match;
  /** The name or the phrase that matched. */
  readonly name: string;
  /** Folded words of the text that the category does not use. */
  readonly unused: readonly string[];
}

/**
 * Returns the categories that the words mean, best first: by their names, then by what people want to do there. Of
 * equal matches the one with the most places is first, then the more general one.
 */
export function rankCategories(
  categories: readonly CategoryRows[],
  words: readonly string[],
  intents: Intents | undefined,
): RankedCategory[] {
  const typed = typedWords(words);
  const meant = new Map(intents?.find(words).map((intent) => [intent.id, intent]));
  const found = categories.flatMap(
    (category): (RankedCategory & { readonly rank: number; readonly score: number })[] => {
      const best = bestName(category.called, typed);
      const intent = meant.get(category.id);
      const score = intent?.score ?? 0;
      const isSure = intent !== undefined && intent.unused.length === 0 && score >= SURE;
      const rank = isSure ? INTENT : UNSURE_INTENT;
      if (best && (!intent || best.rank < rank)) return [{ ...best, category, unused: [], score }];
      if (!intent) return [];
      return [{ category, match: "intent", name: intent.phrase, unused: intent.unused, rank, score }];
    },
  );
  return found.sort(
    (a, b) =>
      a.rank - b.rank ||
      (a.rank === UNSURE_INTENT || a.rank === INTENT ? b.score - a.score : 0) ||
      b.category.rows - a.category.rows ||
      b.score - a.score ||
      a.category.id.length - b.category.id.length ||
      (a.category.id < b.category.id ? -1 : 1),
  );
}

export interface SuggestedBy {
  readonly point: Point;
  readonly intents: Intents | undefined;
  /** Whether an intent may leave out words. */
  readonly arePartial?: boolean | undefined;
}

/**
 * Returns the categories that the words mean, best first: at most 2, or 5 if all are intents. Their position is the point to
 * search around.
 */
export function suggestCategories(
  categories: readonly CategoryRows[],
  { country, words, division }: Scope,
  { point: { lon, lat }, intents, arePartial = false }: SuggestedBy,
): Meaning[] {
  const ranked = rankCategories(categories, words, intents).filter(({ unused }) => arePartial || unused.length === 0);
  const named = ranked.filter(({ match }) => match !== "intent").length;
  return ranked
    .slice(0, named > 0 ? MOST_CATEGORIES : MOST_INTENTS)
    .map(({ category, match, name: matched, unused }): Meaning => {
      const { id, called } = category;
      const [own, name = own] = called.own;
      return {
        ...{ kind: "category", collection: "place", id, name, detail: "", country, lon, lat, match },
        ...(matched === name ? {} : { matched }),
        ...(division ? { within: division.name } : {}),
        ...(division?.kind === "country" ? { isCountryWide: true as const } : {}),
        ...(division?.bbox ? { bbox: division.bbox } : {}),
        ...(unused.length > 0 ? { unused } : {}),
      };
    });
}
