/**
 * Suggestions of countries and towns, from the suggest run: one or two files a key stroke.
 * @module
 */
import { cutTerm, foldText, termsOf } from "../../../data/format/fold.ts";
import { readWkb } from "../../../data/format/geometry.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { ALL_COUNTRIES } from "../../../data/format/manifest.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import { firstIndex } from "../../../data/format/sorted.ts";
import { MOST_POPULOUS, populousTerm, shownNames } from "../../../data/format/suggestions.ts";
import { columnOf, onlyBatch } from "../arrow/columns.ts";
import { createJsonReader } from "../arrow/json-reader.ts";
import type { Partition } from "../store/partition.ts";
import type { Session } from "../store/session.ts";
import { placeOf, placeOfNames, rowsOf, type TermPlace } from "../terms/term-index.ts";
import { boxAt, type Names, nameOf, type Suggestion } from "./suggestion.ts";

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
    const partitions = await Promise.all(place.partitions.map((node) => session.readPartition({ ...run, node })));
    return partitions.flatMap((partition) => candidatesIn(partition, place, language));
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

/** The rows of the partition under the place's terms. */
function candidatesIn(partition: Partition, { first, last }: TermPlace, language: string | undefined): Candidate[] {
  const batch = onlyBatch(partition.table);
  const reader = (name: string) => createJsonReader(columnOf(batch, name));
  const term = reader("term");
  const [country, names, detail, subtype, population, found] = [
    "row_country",
    "names",
    "detail",
    "subtype",
    "population",
    "found",
  ].map(reader);
  const candidates: Candidate[] = [];
  const start = firstIndex(partition.rows, (row) => compareIds(String(term(row)), first) >= 0);
  for (let row = start; row < partition.rows; row++) {
    if (compareIds(String(term(row)), last) > 0) break;
    const own = (names?.(row) ?? {}) as Names;
    const [lng = 0, lat = 0] = representativePoint(readWkb(partition.wkb(row))) ?? [];
    const kind = ["country", "dependency"].includes(String(subtype?.(row))) ? "country" : "division";
    candidates.push({
      suggestion: {
        kind,
        collection: "division",
        id: partition.id(row),
        name: nameOf(own, language),
        detail: String(detail?.(row) ?? ""),
        country: String(country?.(row)),
        lng,
        lat,
        ...boxAt(partition, row),
      },
      names: own,
      found: (found?.(row) ?? []) as readonly string[],
      population: Number(population?.(row) ?? 0),
    });
  }
  return candidates;
}
