/**
 * Suggestions for what a person is typing: countries and towns anywhere, places and streets of one country.
 * @module
 */
import { FOLD_VERSION, queryTermsOf, wordsOf } from "../../../data/format/fold.ts";
import type { Session } from "../store/session.ts";
import { suggestDivisions } from "./suggest-divisions.ts";
import { suggestLocal } from "./suggest-local.ts";
import type { Suggestion } from "./suggestion.ts";

/** What is asked for. */
export interface SuggestQuery {
  /** As typed so far: each word is a beginning, in any script, case and accents ignored. */
  readonly text: string;
  /** Where places and streets are looked for, ISO 3166-1 alpha-2; without it there are none. */
  readonly country?: string | undefined;
  /** Places and streets come nearest to this first. Degrees WGS84. */
  readonly near?: { readonly lat: number; readonly lng: number } | undefined;
  /** Names are given in this language (a code of `names.common`) where the row has it. */
  readonly language?: string | undefined;
  /** Most suggestions wanted. */
  readonly limit: number;
}

/** Letters after which places and streets are looked for: before, nobody can mean one of them. */
const LOCAL_LETTERS = 3;

/** Divisions first, at least half of the list where there are so many; then places and streets in turn. */
export async function suggest(
  session: Session,
  { text, country, near, language, limit }: SuggestQuery,
): Promise<readonly Suggestion[]> {
  const words = queryTermsOf(text);
  const { collections, fold_version } = session.manifest;
  if (words.length === 0 || fold_version !== FOLD_VERSION) return [];
  const local = (kind: "place" | "street") =>
    country === undefined || !isLong(text)
      ? []
      : suggestLocal(session, { kind, words, country, near, language, limit });
  const [divisions, places, streets] = await Promise.all([
    collections.division ? suggestDivisions(session, { words, language }) : [],
    local("place"),
    local("street"),
  ]);
  const others = inTurn(places, streets);
  const shown = Math.max(Math.ceil(limit / 2), limit - others.length);
  const first = divisions.slice(0, shown);
  return [...first, ...others.slice(0, limit - first.length)];
}

function isLong(text: string): boolean {
  const words = wordsOf(text);
  return words.some(({ isUnspaced }) => isUnspaced) || words.map((word) => word.text).join("").length >= LOCAL_LETTERS;
}

function inTurn<T>(a: readonly T[], b: readonly T[]): T[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [
    ...a.slice(i, i + 1),
    ...b.slice(i, i + 1),
  ]).flat();
}
