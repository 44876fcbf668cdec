/**
 * Finds rows by terms (words of names, categories, brands, classes). A posting list has the numbers of the rows with a term.
 * @module
 */
import { cutTerm, FOLD_VERSION, queryTermsOf } from "../../data/format/fold.ts";
import { compareIds } from "../../data/format/ids.ts";
import { type DerivedRunName, type IndexNode, isPage, type TermNode } from "../../data/format/manifest.ts";
import { readPostings } from "../../data/format/postings.ts";
import { foldBrand, nameTerms, prefixTerm, type TermColumns } from "../../data/format/terms.ts";
import { CairnError } from "./error.ts";
import { type Collection, inPack, nodesOf } from "./index-tree.ts";
import { readRecords, recordsOf } from "./records.ts";
import type { Conditions, Row } from "./types.ts";

/** Sorts after every text with the same prefix. */
const LAST = "\u{10ffff}";
/** If a prefix is in more slices than this, the posting list that is stored for the prefix itself is used, if there is one. */
const FEW_SLICES = 2;
/** Maximum number of rows that a search reads to compare words that are longer than the stored terms. */
const MAX_COMPARED_ROWS = 25_000;

/**
 * Conditions as terms. A row must have at least one term of each list in `clauses`. A term `name:…` is a prefix; others are whole
 * values.
 */
export interface Terms {
  readonly clauses: readonly (readonly string[])[];
  /** Words of the name that are longer than stored terms, which are cut: rows must be read to compare them. */
  readonly long: readonly string[];
}

/** Returns the terms of the conditions. Throws `CairnError` for a name without a letter or digit, and for an empty list. */
export function termsOf({ name, category, brand, class: classes }: Conditions): Terms {
  const words = name === undefined ? [] : queryTermsOf(name);
  if (name !== undefined && words.length === 0) {
    throw new CairnError(`name is ${JSON.stringify(name)}, expected a text with a letter or a digit`);
  }
  const clauses = words.map((word) => [`name:${cutTerm(word)}`]);
  const facets = { category, brand, class: classes };
  for (const [facet, wanted] of Object.entries(facets)) {
    if (wanted === undefined) continue;
    const values = typeof wanted === "string" ? [wanted] : wanted;
    if (values.length === 0) throw new CairnError(`${facet} is an empty list, expected one value or more`);
    clauses.push(values.map((value) => `${facet}:${facet === "brand" ? foldBrand(value) : value}`));
  }
  return { clauses, long: words.filter((word) => cutTerm(word) !== word) };
}

/**
 * Returns the numbers of the country's rows that match the terms, ascending; they count from the first of the country. Throws
 * `CairnError` if the collection has no terms, if they were made by another version of the rules for words, or if a long word
 * would need too many comparisons.
 */
export async function numbersWith(
  collection: Collection,
  country: string,
  { clauses, long }: Terms,
): Promise<readonly number[]> {
  const { name, manifest, about } = collection;
  if (!about.runs.term)
    throw new CairnError(`${name} has no terms, so it can be searched by place, country and id only`);
  if (manifest.fold_version !== FOLD_VERSION) {
    throw new CairnError(`terms have fold_version ${manifest.fold_version}, this program uses ${FOLD_VERSION}`);
  }
  const lists = await Promise.all(
    clauses.map(async (clause) => {
      const found = await Promise.all(clause.map((term) => numbersOf(collection, country, term)));
      return new Set(found.flat());
    }),
  );
  const [shortest = new Set<number>(), ...others] = lists.sort((a, b) => a.size - b.size);
  const numbers = [...shortest].filter((number) => others.every((list) => list.has(number))).sort((a, b) => a - b);
  return long.length === 0 ? numbers : compared(collection, country, numbers, long);
}

/**
 * Returns those of the rows whose names have words that start with each of `words`. Reads the rows. Throws `CairnError` above
 * 25,000 rows, and for a collection with its own schema.
 */
async function compared(
  collection: Collection,
  country: string,
  numbers: readonly number[],
  words: readonly string[],
): Promise<readonly number[]> {
  if (collection.about.schema) {
    throw new CairnError(
      `${words[0]} is too long, expected a word of at most ${cutTerm(words[0] ?? "").length} letters`,
    );
  }
  if (numbers.length > MAX_COMPARED_ROWS) {
    throw new CairnError(`${numbers.length} names would be compared, at most ${MAX_COMPARED_ROWS} may be`);
  }
  const rows = await readRecords(collection, await recordsOf(collection, country, numbers));
  return numbers.filter((_, index) => {
    const terms = [...nameTerms(rows[index] as Row as TermColumns)];
    return words.every((word) => terms.some((term) => term.startsWith(word)));
  });
}

async function numbersOf(collection: Collection, country: string, term: string): Promise<number[]> {
  if (!term.startsWith("name:")) return numbersFrom(collection, country, term, term);
  const prefix = term.slice("name:".length);
  const names = await termNodes(collection, "term", country, term, term + LAST);
  if (names.length > FEW_SLICES) {
    const frequent = prefixTerm(prefix);
    const [first] = await termNodes(collection, "term", country, frequent, frequent + LAST);
    const stored = first && (await firstTerm(collection, first, frequent));
    if (stored?.startsWith(frequent)) return numbersFrom(collection, country, stored, stored);
  }
  return numbersFrom(collection, country, term, term + LAST);
}

/** Returns the first term of a slice that is not before `term`; undefined without one. */
async function firstTerm(collection: Collection, node: TermNode, term: string): Promise<string | undefined> {
  const [postings] = await collection.files.slices([inPack(collection, "term", node)], readPostings);
  return postings?.terms[postings.rangeOf(term, term + LAST).start];
}

async function numbersFrom(collection: Collection, country: string, first: string, last: string): Promise<number[]> {
  const nodes = await termNodes(collection, "term", country, first, last);
  const slices = await collection.files.slices(
    nodes.map((node) => inPack(collection, "term", node)),
    readPostings,
  );
  return slices.flatMap((postings) => {
    const { start, end } = postings.rangeOf(first, last);
    return Array.from({ length: end - start }, (_, index) => [...postings.numbersAt(start + index)]).flat();
  });
}

/** Returns the slices of a run that may have terms of the country from `first` to `last`, both inclusive. */
export function termNodes(
  collection: Collection,
  run: DerivedRunName,
  country: string,
  first: string,
  last: string,
): Promise<TermNode[]> {
  return nodesOf(collection, run, (node: IndexNode) => {
    const [fromCountry, from] = isPage(node) ? (node.first ?? [country, ""]) : [node.country, firstOf(node)];
    const [toCountry, to] = isPage(node) ? (node.last ?? [country, LAST]) : [node.country, lastOf(node)];
    if (country < fromCountry || country > toCountry) return false;
    return (
      (country > fromCountry || compareIds(from, last) <= 0) && (country < toCountry || compareIds(to, first) >= 0)
    );
  });
}

function firstOf(node: IndexNode): string {
  return "first_term" in node ? node.first_term : "";
}

function lastOf(node: IndexNode): string {
  return "last_term" in node ? node.last_term : LAST;
}
