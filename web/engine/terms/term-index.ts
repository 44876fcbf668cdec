/**
 * Finds the posting range of a term in the index of a term run.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { cutTerm } from "../../../data/format/fold.ts";
import { compareIds } from "../../../data/format/ids.ts";
import {
  type DerivedRunName,
  type IndexNode,
  isPage,
  type PageNode,
  type Slice,
  type TermNode,
} from "../../../data/format/manifest.ts";
import { type Facet, prefixTerm, splitTerm } from "../../../data/format/terms.ts";
import { findPartitions, isPageRef, leavesOf, partitionOf, unopened } from "../index-tree/tree.ts";
import type { Session } from "../store/session.ts";

/** Sorts after every text with the same prefix. */
const LAST = "\u{10ffff}";

/** With more partitions for one prefix, its precomputed rows are looked up. */
const FEW_PARTITIONS = 2;

/** Most prefixes up to this length belong to many names. */
const SHORT_PREFIX = 3;

type CountryTerm = NonNullable<PageNode["first"]>;

/** Terms from `first` to `last`, both inclusive. */
export interface TermRange {
  readonly first: string;
  readonly last: string;
}

/** The partitions with all rows of a query term, and the range of stored terms that it means. */
export interface PostingRange extends TermRange {
  readonly partitions: readonly TermNode[];
  /** Whether the partitions contain only one term. The index then has the number of its rows. */
  readonly isCounted: boolean;
}

export interface TermRun {
  readonly session: Session;
  readonly collection: CollectionName;
  readonly run: DerivedRunName;
  readonly country: string;
}

/** Returns the posting range of a term; for a name, of all names that start with it. A name longer than stored names is cut. */
export async function postingRangeOf(run: TermRun, term: string): Promise<PostingRange> {
  const { facet, value } = splitTerm(term);
  if (facet !== "name") return postingRange(run, { first: term, last: term });
  const stored = cutTerm(value);
  const range = rangeOfNames(stored);
  const isShort = [...stored].length <= SHORT_PREFIX;
  // looked up in parallel to the names if likely; a rare word needs only the pages of its names
  const [otherNames, isInMany] = await Promise.all([
    isShort ? findReadyMade(run, stored) : undefined,
    isInManyPages(run, range),
  ]);
  const readyMade = () => (isShort ? otherNames : findReadyMade(run, stored));
  if (isInMany) {
    const ready = await readyMade();
    if (ready) return postingRange(run, ready);
  }
  const all = await postingRange(run, range);
  if (all.partitions.length <= FEW_PARTITIONS) return all;
  const only = onlyTermIn(all.partitions);
  if (only !== undefined) return { ...all, first: only, last: only, isCounted: true };
  const ready = await readyMade();
  return ready ? postingRange(run, ready) : all;
}

/**
 * Returns the posting range of a term, or of a prefix of names, if it takes at most two partitions. Undefined otherwise:
 * `postingRangeOf` may then find a better one.
 */
export async function rarePostingRangeOf(run: TermRun, term: string): Promise<PostingRange | undefined> {
  const { facet, value } = splitTerm(term);
  const range = facet === "name" ? rangeOfNames(cutTerm(value)) : { first: term, last: term };
  if (await isInManyPages(run, range)) return undefined;
  const found = await postingRange(run, range);
  return found.partitions.length <= FEW_PARTITIONS ? found : undefined;
}

/**
 * The term of the precomputed rows of a prefix: the first of all prefixes that extend it, because equal lists are
 * stored once. Undefined if the rows are few, or share a partition with other terms.
 */
async function findReadyMade(run: TermRun, prefix: string): Promise<TermRange | undefined> {
  const node = await firstPartitionFrom(run, prefixTerm(prefix));
  const term = node?.country === run.country ? onlyTermIn([node]) : undefined;
  return term?.startsWith(prefixTerm(prefix)) ? { first: term, last: term } : undefined;
}

function onlyTermIn(partitions: readonly TermNode[]): string | undefined {
  const term = partitions[0]?.first_term;
  return partitions.every((node) => node.first_term === term && node.last_term === term) ? term : undefined;
}

/** The first partition of the run that ends at or after the term of the country. */
async function firstPartitionFrom(run: TermRun, term: string): Promise<TermNode | undefined> {
  const { country } = run;
  const index = unopened(run.session);
  const reaches = (node: IndexNode): boolean => {
    const [lastCountry, lastTerm] = isPage(node) ? (node.last ?? [country, LAST]) : [node.country, lastTermOf(node)];
    return lastCountry > country || (lastCountry === country && compareIds(lastTerm, term) >= 0);
  };
  for (;;) {
    const leaves = leavesOf(index, run, reaches);
    const [leaf] = leaves;
    if (leaf === undefined) return undefined;
    const { node } = leaf;
    if (!isPage(node)) return partitionOf(leaf)?.node;
    // a prefix at the end of a page may continue on the next ones, which are then needed too
    const goesOn = node.last?.[0] === country && node.last[1].startsWith(term) ? node.last : undefined;
    const pages = leaves.filter(isPageRef).filter(({ node: page }) => {
      return page === node || (goesOn && isSame(goesOn, page.first));
    });
    await index.readPages(pages);
  }
}

function isSame([country, term]: CountryTerm, other: CountryTerm | undefined): boolean {
  return other !== undefined && other[0] === country && other[1] === term;
}

/** Returns the posting range of all names with the prefix. */
export function prefixRange(run: TermRun, prefix: string): Promise<PostingRange> {
  return postingRange(run, rangeOfNames(prefix));
}

/** Returns the posting range of all terms of the facet. */
export function facetRange(run: TermRun, facet: Facet): Promise<PostingRange> {
  return postingRange(run, { first: `${facet}:`, last: `${facet}:${LAST}` });
}

/** Returns the posting range of the terms in the range. */
export async function postingRange(run: TermRun, range: TermRange): Promise<PostingRange> {
  const found = await findPartitions(run.session, run, (node) => overlaps(run, range, node));
  const partitions = found.map(({ node }) => node);
  const isCounted = range.first === range.last && onlyTermIn(partitions) === range.first;
  return { ...range, partitions, isCounted };
}

/** Whether terms of the range are on several pages. Reads none of them. */
async function isInManyPages(run: TermRun, range: TermRange): Promise<boolean> {
  const index = unopened(run.session);
  for (;;) {
    const pages = leavesOf(index, run, (node) => overlaps(run, range, node)).filter(isPageRef);
    if (pages.length !== 1) return pages.length > 1;
    await index.readPages(pages);
  }
}

function rangeOfNames(prefix: string): TermRange {
  return { first: `name:${prefix}`, last: `name:${prefix}${LAST}` };
}

function overlaps({ country }: TermRun, range: TermRange, node: IndexNode): boolean {
  if (!isPage(node)) {
    if (node.country !== country) return false;
    return "first_term" in node && isWithin(range, node.first_term, node.last_term);
  }
  const [firstCountry, firstTerm] = node.first ?? [country, ""];
  const [lastCountry, lastTerm] = node.last ?? [country, LAST];
  if (firstCountry > country || lastCountry < country) return false;
  return isWithin(range, firstCountry === country ? firstTerm : "", lastCountry === country ? lastTerm : LAST);
}

/** Returns the number of rows in the partitions of the posting ranges: an upper bound of the rows with their terms. */
export function rowsOf(ranges: readonly PostingRange[]): number {
  return ranges.reduce((sum, { partitions }) => sum + partitions.reduce((rows, node) => rows + node.rows, 0), 0);
}

/** Returns the slices of the posting ranges. */
export function partitionsOf(ranges: readonly PostingRange[]): readonly TermNode[] {
  return ranges.flatMap(({ partitions }) => partitions);
}

/** Returns the bytes of the slices, each counted once. */
export function bytesOf(slices: readonly Slice[]): number {
  const bytes = new Map(slices.map((slice) => [slice.sha256, slice.bytes]));
  return [...bytes.values()].reduce((sum, each) => sum + each, 0);
}

function lastTermOf(node: IndexNode): string {
  return "last_term" in node ? node.last_term : LAST;
}

function isWithin({ first, last }: TermRange, least: string, greatest: string): boolean {
  return compareIds(least, last) <= 0 && compareIds(greatest, first) >= 0;
}
