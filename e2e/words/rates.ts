/**
 * Measures whether the categories that people mean come first: for everyday words, and for intents that the lists do
 * not contain.
 * @module
 */
import { readFile } from "node:fs/promises";
import { queryTermsOf } from "../../data/format/fold.ts";
import { LANGUAGES } from "../../data/format/languages.ts";
import type { CategoryWords, IntentWords } from "../../web/engine/index.ts";
import { createIntents } from "../../web/engine/suggest/intents.ts";
import { categoryRows, rankCategories } from "../../web/engine/suggest/suggest-categories.ts";

const TABLES = "web/hosts/category-words";

export interface Rate {
  readonly language: string;
  readonly texts: number;
  readonly first: number;
  readonly three: number;
  readonly five: number;
  /** The texts whose category is not first, with the categories that are. */
  readonly missed: readonly string[];
  /** Milliseconds of each look-up, ascending. */
  readonly milliseconds: readonly number[];
}

interface Asked {
  /** Categories that answer each text, with spaces between them. */
  readonly meanings: Readonly<Record<string, string>>;
  /** Texts by language and meaning. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, "utf8"));
}

export const readIntents = (language: string) => readJson<IntentWords>(`${TABLES}/intents-${language}.json`);

interface HeldFile extends Asked {
  readonly intents: Asked["texts"];
}

/** Intents that the lists do not contain, 40 in each of six languages. */
export async function readHeldIntents(): Promise<Asked> {
  const { meanings, intents } = await readJson<HeldFile>("e2e/words/intents.json");
  return { meanings, texts: intents };
}

/** Other intents, to choose thresholds with, so that the ones above stay unseen. */
export async function readOwnIntents(): Promise<Asked> {
  const { meanings, intents } = await readJson<HeldFile>("e2e/words/own-intents.json");
  return { meanings, texts: intents };
}

/** Everyday words for categories, 50 in each language of the page. */
export async function readEverydayWords(): Promise<Asked> {
  const { meanings, words } = await readJson<Asked & { readonly words: Asked["texts"] }>("e2e/words/everyday.json");
  return { meanings, texts: words };
}

/** Measures each language, among all categories of all tables. No counts of places help. */
export async function measureRates({ meanings, texts }: Asked): Promise<Rate[]> {
  const names = await Promise.all(
    LANGUAGES.map((language) => readJson<CategoryWords>(`${TABLES}/words-${language}.json`)),
  );
  const lists = await Promise.all(LANGUAGES.map(readIntents));
  const parents = await readJson<Readonly<Record<string, string>>>("web/hosts/browser/search/category-parents.json");
  const ids = new Set([
    ...names.flatMap((table) => Object.keys(table)),
    ...Object.keys(parents),
    ...lists.flatMap(({ phrases }) => Object.keys(phrases).flatMap((key) => key.split(" "))),
  ]);
  return LANGUAGES.flatMap((language, at): Rate[] => {
    const [table, list] = [names[at], lists[at]];
    const asked = Object.entries(texts[language] ?? {});
    if (!table || !list || asked.length === 0) return [];
    const categories = Array.from(ids, (id) => categoryRows(id, [table], 0));
    const intents = createIntents([list], [table]);
    const places = asked.map(([meaning, text]) => {
      const right = meanings[meaning]?.split(" ") ?? [];
      const words = queryTermsOf(text);
      rankCategories(categories, words, intents);
      const start = performance.now();
      const found = rankCategories(categories, words, intents).map(({ category }) => category.id);
      const milliseconds = performance.now() - start;
      const place = found.findIndex((id) => right.includes(id));
      return { place, milliseconds, missed: `${text}: ${found.slice(0, 5).join(" ")}` };
    });
    const within = (most: number) => places.filter(({ place }) => place >= 0 && place < most).length;
    return [
      {
        ...{ language, texts: asked.length, first: within(1), three: within(3), five: within(5) },
        missed: places.flatMap(({ place, missed }) => (place === 0 ? [] : [missed])),
        milliseconds: places.map((each) => each.milliseconds).sort((a, b) => a - b),
      },
    ];
  });
}
