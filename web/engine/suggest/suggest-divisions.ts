/**
 * Suggestions of countries and towns, from the suggest run: one or two files a key stroke.
 * @module
 */

import type { BBox } from "../../../data/format/bbox.ts";
import { cutTerm, foldText, termsOf } from "../../../data/format/fold.ts";
import { compareIds } from "../../../data/format/ids.ts";
import type { TermNode } from "../../../data/format/manifest.ts";
import { ALL_COUNTRIES } from "../../../data/format/manifest.ts";
import { firstIndex } from "../../../data/format/sorted.ts";
import { MOST_POPULOUS, populousTerm, shownNames } from "../../../data/format/suggestions.ts";
import type { Table, TableValue } from "../../../data/format/tables.ts";
import type { Session } from "../store/session.ts";
import { placeOf, placeOfNames, rowsOf, type TermPlace } from "../terms/term-index.ts";
import { boxOf, type Names, nameOf, type Suggestion } from "./suggestion.ts";

const COLUMNS = [
  "term",
  "id",
  "country",
  "names",
  "detail",
  "subtype",
  "population",
  "found",
  "point",
  "bbox",
] as const;

interface Candidate {
  readonly suggestion: Suggestion;
  readonly names: Names;
  /** The names that have the term it was read under; none under the term of the most populous. */
  readonly found: readonly string[];
  readonly population: number;
}

export interface DivisionQuery {
  /** Beginnings of words, folded. */
  readonly words: readonly string[];
  readonly language: string | undefined;
}

/**
 * Divisions with a name that has all the words, best first: those whose shown name has them, then by population, then
 * exact names, then by name. Of a single word that many have, the most populous alone.
 */
export async function suggestDivisions(session: Session, { words, language }: DivisionQuery): Promise<Suggestion[]> {
  const run = { session, collection: "division", run: "suggest", country: ALL_COUNTRIES } as const;
  const open = async (place: TermPlace): Promise<Candidate[]> => {
    const tables = await Promise.all(
      place.partitions.map(async (node) => ({ node, table: await session.readTable({ ...run, node }, COLUMNS) })),
    );
    return tables.flatMap((slice) => candidatesIn(slice, place, language));
  };
  const places = await Promise.all(words.map((word) => placeOfNames(run, cutTerm(word))));
  const [rarest] = places.toSorted((a, b) => rowsOf([a]) - rowsOf([b]));
  const [word] = words;
  if (!rarest || word === undefined) return [];
  let candidates: readonly Candidate[] = [];
  if (words.length === 1 && rarest.partitions.length > 1) {
    const term = populousTerm(cutTerm(word));
    candidates = await open(await placeOf(run, { first: term, last: term }));
  }
  if (candidates.length === 0) {
    const having = (await open(rarest)).filter(({ found }) => found.some((name) => hasWords(name, words)));
    const byId = new Map(having.map((candidate) => [candidate.suggestion.id, candidate]));
    candidates = words.length === 1 ? mostPopulous([...byId.values()], having) : [...byId.values()];
  }
  return rank(candidates, words).map(({ suggestion }) => suggestion);
}

/** What the term of the most populous would hold, had it been read. */
function mostPopulous(unique: readonly Candidate[], having: readonly Candidate[]): readonly Candidate[] {
  if (unique.length <= MOST_POPULOUS) return unique;
  const shown = new Set(
    having.filter(({ names, found }) => found.some((name) => shownNames(names).has(name))).map(idOf),
  );
  const order = unique.toSorted(
    (a, b) =>
      Number(shown.has(idOf(b))) - Number(shown.has(idOf(a))) ||
      b.population - a.population ||
      compareIds(idOf(a), idOf(b)),
  );
  return order.slice(0, MOST_POPULOUS);
}

const idOf = ({ suggestion }: Candidate): string => suggestion.id;

function rank(candidates: readonly Candidate[], words: readonly string[]): Candidate[] {
  const keyed = candidates.map((candidate) => {
    const { name } = candidate.suggestion;
    const folded = foldText(name);
    const isExact = folded === words.join(" ");
    return { candidate, folded, isShown: hasWords(name, words), isExact };
  });
  keyed.sort(
    (a, b) =>
      Number(b.isShown) - Number(a.isShown) ||
      b.candidate.population - a.candidate.population ||
      Number(b.isExact) - Number(a.isExact) ||
      compareIds(a.folded, b.folded) ||
      compareIds(idOf(a.candidate), idOf(b.candidate)),
  );
  return keyed.map(({ candidate }) => candidate);
}

function hasWords(name: string, words: readonly string[]): boolean {
  const terms = [...termsOf(name)];
  return words.every((word) => terms.some((term) => term.startsWith(word)));
}

/** The rows of the slice under the place's terms. */
function candidatesIn(
  { node, table }: { readonly node: TermNode; readonly table: Table },
  { first, last }: TermPlace,
  language: string | undefined,
): Candidate[] {
  const at = (name: (typeof COLUMNS)[number], row: number): TableValue => table[name]?.[row] ?? null;
  const candidates: Candidate[] = [];
  const start = firstIndex(node.rows, (row) => compareIds(String(at("term", row)), first) >= 0);
  for (let row = start; row < node.rows; row++) {
    if (compareIds(String(at("term", row)), last) > 0) break;
    const names = (at("names", row) ?? {}) as Names;
    const [lng = 0, lat = 0] = (at("point", row) ?? []) as readonly number[];
    const kind = ["country", "dependency"].includes(String(at("subtype", row))) ? "country" : "division";
    candidates.push({
      suggestion: {
        kind,
        collection: "division",
        id: String(at("id", row)),
        name: nameOf(names, language),
        detail: String(at("detail", row) ?? ""),
        country: String(at("country", row)),
        lng,
        lat,
        ...boxOf(at("bbox", row) as unknown as BBox),
      },
      names,
      found: (at("found", row) ?? []) as readonly string[],
      population: Number(at("population", row) ?? 0),
    });
  }
  return candidates;
}
