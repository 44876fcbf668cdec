/**
 * Suggests countries and towns from the suggest run: one or two files per keystroke.
 * @module
 */

import type { BBox } from "../../../data/format/bbox.ts";
import { cutTerm, foldText, wordsOf } from "../../../data/format/fold.ts";
import { compareIds } from "../../../data/format/ids.ts";
import type { TermNode } from "../../../data/format/manifest.ts";
import { ALL_COUNTRIES } from "../../../data/format/manifest.ts";
import { firstIndex } from "../../../data/format/sorted.ts";
import { MOST_POPULOUS, populousTerm, shownNames } from "../../../data/format/suggestions.ts";
import type { Table, TableValue } from "../../../data/format/tables.ts";
import type { Session } from "../store/session.ts";
import { type PostingRange, postingRange, prefixRange, rowsOf } from "../terms/term-index.ts";
import { isTelling } from "./street-words.ts";
import { bestMatch, boxOf, hasWords, type Meaning, type Names, nameOf } from "./suggestion.ts";

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
  readonly suggestion: Meaning;
  readonly names: Names;
  /** The names with the term it was read under; empty under the term of the most populous. */
  readonly found: readonly string[];
  readonly population: number;
}

export interface DivisionQuery {
  /** Prefixes of words, folded. */
  readonly words: readonly string[];
  readonly language: string | undefined;
  /** A filter of divisions. With a filter, all divisions that match the words are examined, unless there are very many. */
  readonly isWanted?: (division: Meaning) => boolean;
}

export interface FoundDivision {
  readonly division: Meaning;
  readonly population: number;
}

/** Slices read to find a few wanted divisions among all that match a word. */
const FEW_SLICES = 2;

/** With words in more slices, such as two letters, a division is not searched: each slice takes about 9 KB. */
const MOST_SLICES = 4;

/**
 * Returns divisions with a name that matches all words, best first: those whose shown name matches, then by population, exact
 * name and name. For a single frequent word, only the most populous.
 */
export async function suggestDivisions(
  session: Session,
  { words, language, isWanted }: DivisionQuery,
): Promise<FoundDivision[]> {
  const run = runOf(session);
  const open = (range: PostingRange) => candidatesAt(session, range, language);
  const ranges = await Promise.all(words.map((word) => prefixRange(run, cutTerm(word))));
  const outer = (range: PostingRange) => rankOf(words, ranges.indexOf(range));
  const [rarest] = ranges.toSorted(
    (a, b) => sliceCount(a) - sliceCount(b) || outer(a) - outer(b) || rowsOf([a]) - rowsOf([b]),
  );
  const [word] = words;
  if (!rarest || word === undefined) return [];
  if (isWanted && words.length > 1 && rarest.partitions.length > MOST_SLICES) return [];
  let candidates: readonly Candidate[] = [];
  const areFew = isWanted && rarest.partitions.length <= FEW_SLICES;
  if (words.length === 1 && rarest.partitions.length > 1 && !areFew) {
    const term = populousTerm(cutTerm(word));
    candidates = await open(await postingRange(run, { first: term, last: term }));
  }
  if (candidates.length === 0) {
    const having = (await open(rarest)).filter(({ found }) => found.some((name) => hasWords(name, words)));
    const byId = new Map(having.map((candidate) => [candidate.suggestion.id, candidate]));
    candidates = words.length === 1 && !areFew ? mostPopulous([...byId.values()], having) : [...byId.values()];
  }
  const wanted = isWanted ? candidates.filter(({ suggestion }) => isWanted(suggestion)) : candidates;
  return rank(wanted, words).map((candidate) => foundWith(candidate, words));
}

/** The first and the last word can be names; a word common in streets would read a slice for nothing. */
function rankOf(words: readonly string[], at: number): number {
  if (!isTelling(words[at] ?? "")) return 2;
  return at === 0 || at === words.length - 1 ? 0 : 1;
}

/** One or two words take one or two slices; of more words the rarest is used. */
function sliceCount({ partitions }: PostingRange): number {
  return Math.max(FEW_SLICES, partitions.length);
}

export interface NameQuery extends DivisionQuery {
  /** The word whose slices are read. */
  readonly sliceOf: string;
  /** Allowed words after the name: *Washington, D.C.*, *New York City*. */
  readonly endings: readonly string[];
}

/**
 * Returns divisions whose whole name is the words, most populous first; then those whose name has one of the `endings` after the
 * words.
 */
export async function namedDivisions(
  session: Session,
  { words, language, sliceOf, endings }: NameQuery,
): Promise<FoundDivision[]> {
  const run = runOf(session);
  const ranges = await Promise.all(
    words.map((word) => postingRange(run, { first: `name:${cutTerm(word)}`, last: `name:${cutTerm(word)}` })),
  );
  const own = ranges[words.indexOf(sliceOf)];
  const [fewest] = ranges.toSorted((a, b) => rowsOf([a]) - rowsOf([b]));
  const rarest = own && own.partitions.length <= FEW_SLICES ? own : fewest;
  if (!rarest || rarest.partitions.length > FEW_SLICES || ranges.some(({ partitions }) => partitions.length === 0)) {
    return [];
  }
  const wanted = ["", ...endings].map((ending) => words.join("") + ending);
  const named = (await candidatesAt(session, rarest, language)).flatMap((candidate) => {
    const matches = candidate.found.map((name) => wanted.indexOf(joined(name))).filter((index) => index >= 0);
    return matches.length > 0 ? [{ candidate, isWhole: matches.includes(0) }] : [];
  });
  return named
    .sort((a, b) => Number(b.isWhole) - Number(a.isWhole) || b.candidate.population - a.candidate.population)
    .map(({ candidate }) => foundWith(candidate, words));
}

/** The words of the name, without separators. */
function joined(name: string): string {
  return wordsOf(name)
    .map(({ text }) => text)
    .join("");
}

function runOf(session: Session) {
  return { session, collection: "division", run: "suggest", country: ALL_COUNTRIES } as const;
}

async function candidatesAt(session: Session, range: PostingRange, language: string | undefined): Promise<Candidate[]> {
  const { collection, run } = runOf(session);
  const tables = await Promise.all(
    range.partitions.map(async (node) => ({
      node,
      table: await session.readTable({ collection, run, node }, COLUMNS),
    })),
  );
  return tables.flatMap((slice) => candidatesIn(slice, range, language));
}

/** The candidate, with the name that the words matched. */
function foundWith({ suggestion, names, found, population }: Candidate, words: readonly string[]): FoundDivision {
  const { name } = suggestion;
  const best = bestMatch([name], words) ?? bestMatch([...found, ...shownNames(names)], words);
  const division = {
    ...suggestion,
    match: best?.match ?? ("prefix" as const),
    ...(best && best.name !== name ? { matched: best.name } : {}),
  };
  return { division, population };
}

/** What the list of the most populous would contain. */
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

function candidatesIn(
  { node, table }: { readonly node: TermNode; readonly table: Table },
  { first, last }: PostingRange,
  language: string | undefined,
): Candidate[] {
  const at = (name: (typeof COLUMNS)[number], row: number): TableValue => table[name]?.[row] ?? null;
  const candidates: Candidate[] = [];
  const start = firstIndex(node.rows, (row) => compareIds(String(at("term", row)), first) >= 0);
  for (let row = start; row < node.rows; row++) {
    if (compareIds(String(at("term", row)), last) > 0) break;
    const names = (at("names", row) ?? {}) as Names;
    const [lon = 0, lat = 0] = (at("point", row) ?? []) as readonly number[];
    const kind = ["country", "dependency"].includes(String(at("subtype", row))) ? "country" : "division";
    candidates.push({
      suggestion: {
        kind,
        collection: "division",
        id: String(at("id", row)),
        name: nameOf(names, language),
        detail: String(at("detail", row) ?? ""),
        country: String(at("country", row)),
        lon,
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
