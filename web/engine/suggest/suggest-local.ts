/**
 * Suggests places and streets in one country, from its posting lists.
 * @module
 */

import { nearestInBBox } from "../../../data/format/bbox-distance.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { createDistanceMeter } from "../../../data/format/distance.ts";
import { foldText, termsOf, wordsOf } from "../../../data/format/fold.ts";
import { isPage } from "../../../data/format/manifest.ts";
import { nearParts } from "../../../data/format/near-parts.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import { type Origin, originAt } from "../../../data/format/sphere.ts";
import { readStoredGeometry } from "../../../data/format/stored-geometry.ts";
import { allNames, facetValues, type TermColumns } from "../../../data/format/terms.ts";
import type { Json } from "../contract/query.ts";
import { findPartitions, type PartitionRef } from "../index-tree/tree.ts";
import { readPartitionPoints, unlessBroken } from "../store/addressed-rows.ts";
import { readLongGeometries } from "../store/long-geometries.ts";
import { readNumbered } from "../store/numbered-rows.ts";
import type { RowRef } from "../store/rows.ts";
import type { Session } from "../store/session.ts";
import { canAskTerms, candidateRows } from "../terms/conditions.ts";
import { firstFrom, type RowNumbers } from "../terms/posting-lists.ts";
import { isCalled, wordsOfCategory } from "./category-names.ts";
import { isWithin, type Scope } from "./scope.ts";
import type { CategoryRows } from "./suggest-categories.ts";
import { bestMatch, boxOf, type Meaning, type Names, nameOf } from "./suggestion.ts";

/** Limit on rows read, about 50 KB. Of more rows the nearest are read. */
const MOST_ROWS = 24;

/** Rows read per wanted result: the nearest rows with the terms may have them in different names. */
const ROWS_FOR_ONE = 3;

/** Limit per keystroke on partitions whose points show which rows are near. */
const MOST_PARTITIONS = 2;

/** Farther away, a place is not meant by just a prefix of its name. */
const NEAR_METERS = 20_000;

/** Limits on categories per word, and on rows of each: a list has a byte or two per row. */
const MOST_CATEGORIES = 6;
const MOST_CATEGORY_ROWS = 4096;

/**
 * Texts of up to this length match too much. Only the nearest rows are used, streets only if points are cached;
 * categories must have the text as a whole word.
 */
const FEW_LETTERS = 3;

/** Additional rows of the first read; the rest is read only if these are not enough. */
const MORE_ROWS = 3;

/** Whether to stop reading: enough results, or the street itself. */
function isEnough(found: readonly LocalFound[], limit: number): boolean {
  const isStreet = ({ suggestion: { kind, match } }: LocalFound) => kind === "street" && match === "exact";
  return found.length >= limit || found.some(isStreet);
}

export interface LocalQuery extends Scope {
  readonly kind: "place" | "street";
  /** Of places: the collection with their rows. */
  readonly collection?: CollectionName | undefined;
  readonly language: string | undefined;
  /** Categories of the country's places, because a word may be one. */
  readonly categories: readonly CategoryRows[];
  readonly limit: number;
  /** Terms of which a place must have one. */
  readonly placeTerms?: readonly string[] | undefined;
  readonly isTyped?: boolean | undefined;
}

export interface LocalFound {
  readonly suggestion: Meaning;
  /** From 0 to 1, if the row has it. */
  readonly confidence: number;
}

/**
 * Returns places or streets of the country whose names or categories match all words: those that match by name first, then those
 * that match by category; if `near` is given, both nearest first. One result per street name. With a division, only results in or
 * near it.
 */
export async function suggestLocal(session: Session, query: LocalQuery): Promise<LocalFound[]> {
  const { kind, country, words, near, limit, categories, isTyped = false } = query;
  const collection = collectionOf(query);
  const hasBegun = isTyped && isWordPrefix(words);
  const known = kind === "place" ? categories.filter(({ rows }) => rows <= MOST_CATEGORY_ROWS) : [];
  const { placeTerms } = query;
  const filters = {
    terms: [
      ...words.map((word) => {
        const isMeant = isCalled(word, { isWhole: hasBegun });
        const having = known.filter(({ called }) => isMeant(called)).slice(0, MOST_CATEGORIES);
        return [`name:${word}`, ...having.map(({ id }) => `category:${id}`)];
      }),
      ...(kind === "place" && placeTerms ? [placeTerms] : []),
    ],
  };
  if (!canAskTerms(session.manifest, collection, country, filters)) return [];
  const { numbers } = await candidateRows({ session, collection, run: "term", country }, filters);
  const origin = near && originAt(near.lon, near.lat);
  const most = Math.min(MOST_ROWS, origin ? limit * ROWS_FOR_ONE : limit);
  const areMany = numbers.length > most;
  const around = areMany && origin ? await partitionsAround(session, query, origin) : [];
  const areWorth = kind === "place" || around.every(({ node }) => session.isCached(node.points));
  if (areMany && hasBegun && !(origin && areWorth)) return [];
  const some = origin ? await nearest(session, { numbers, origin, around }) : new Map<number, number>();
  const others = numbers.filter((number) => !some.has(number));
  const wanted = [...some.keys(), ...others].slice(0, most);
  const found = new Map<string, LocalFound>();
  const read = async (part: readonly number[]) => {
    const rows = await readNumbered(session, collection, part, some);
    for (const ref of origin ? byDistance(rows, origin) : rows) {
      const one = foundAt(ref, query);
      if (!one) continue;
      const key = kind === "place" ? one.suggestion.id : foldText(one.suggestion.name);
      if (!found.has(key)) found.set(key, one);
    }
  };
  const first = limit + MORE_ROWS;
  await read(wanted.slice(0, first));
  if (wanted.length > first && !isEnough([...found.values()], limit)) await read(wanted.slice(first));
  const all = [...found.values()];
  const isByName = ({ suggestion }: LocalFound) => suggestion.match !== "category";
  return [...all.filter(isByName), ...all.filter((one) => !isByName(one))].slice(0, limit);
}

/** Reads the posting lists that `suggestLocal` needs for a text of one word into memory. Ignores an `EngineError`. */
export async function readListsAhead(session: Session, query: Omit<LocalQuery, "categories">): Promise<void> {
  const { words, country, placeTerms } = query;
  const terms = words.map((word) => [`name:${word}`]);
  const collection = collectionOf(query);
  if (words.length !== 1 || placeTerms) return;
  if (!canAskTerms(session.manifest, collection, country, { terms })) return;
  await unlessBroken(candidateRows({ session, collection, run: "term", country }, { terms }));
}

/** Whether the text is too short for a name. */
function isWordPrefix(words: readonly string[]): boolean {
  const [word = "", ...others] = words;
  return others.length === 0 && word.length <= FEW_LETTERS && !wordsOf(word).some(({ isUnspaced }) => isUnspaced);
}

type PointsRef = PartitionRef<"location">;

function collectionOf({ kind, collection = "place" }: Pick<LocalQuery, "kind" | "collection">): CollectionName {
  return kind === "place" ? collection : "segment";
}

async function partitionsAround(session: Session, query: LocalQuery, origin: Origin): Promise<PointsRef[]> {
  const refs = await findPartitions(session, { collection: collectionOf(query), run: "location" }, (node) => {
    return (isPage(node) || node.country === query.country) && nearestInBBox(origin, node.bbox) <= NEAR_METERS;
  });
  const near = refs.toSorted((a, b) => nearestInBBox(origin, a.node.bbox) - nearestInBBox(origin, b.node.bbox));
  return near.slice(0, MOST_PARTITIONS);
}

interface RowsAround {
  readonly numbers: RowNumbers;
  readonly origin: Origin;
  readonly around: readonly PointsRef[];
}

/**
 * The nearest of the rows, as far as the points of the partitions show: their numbers, in order of distance, with the
 * addresses of their records.
 */
async function nearest(session: Session, { numbers, origin, around }: RowsAround): Promise<Map<number, number>> {
  const measure = createDistanceMeter(origin);
  const isWanted = (number: number): boolean => numbers[firstFrom(numbers, 0, number)] === number;
  const found: { number: number; address: number; meters: number }[] = [];
  await Promise.all(
    around.map(async (ref) => {
      const points = await readPartitionPoints(session, ref);
      const long = await readLongGeometries(session, ref, points, {
        rows: points.longRows.filter((row) => isWanted(points.number(row))),
        partsOf: ({ parts }) => nearParts({ parts, origin, radiusMeters: Number.POSITIVE_INFINITY }),
      });
      for (let row = 0; row < points.rows; row++) {
        const number = points.number(row);
        if (!isWanted(number)) continue;
        const meters = measure(long.get(row) ?? points.geometry(row));
        found.push({ number, address: points.record(row).address, meters });
      }
    }),
  );
  found.sort((a, b) => a.meters - b.meters);
  return new Map(found.map(({ number, address }) => [number, address]));
}

function byDistance(rows: readonly RowRef[], origin: Origin): RowRef[] {
  const measure = createDistanceMeter(origin);
  const keyed = rows.map((ref) => ({ ref, meters: measure(ref.rows.geometry(ref.row)) }));
  return keyed.sort((a, b) => a.meters - b.meters).map(({ ref }) => ref);
}

/**
 * Returns the row as a suggestion. Undefined when it lacks a word, is not a street although one is wanted, or is outside the
 * division.
 */
export function foundAt({ rows, row }: RowRef, query: LocalQuery): LocalFound | undefined {
  const { kind, words, country, language, division } = query;
  const columnAt = (name: string): Json => rows.column(name)?.read(row) ?? null;
  const names = columnAt("names") as Names | null;
  if (!names || (kind === "street" && columnAt("subtype") !== "road")) return undefined;
  const name = nameOf(names, language);
  const own = allNames(names);
  const best = bestMatch([name, ...own], words);
  const categories = columnAt("categories") as NonNullable<TermColumns["categories"]> | null;
  const called = (id: string) =>
    query.categories.find((category) => category.id === id)?.called.names ?? [wordsOfCategory(id)];
  if (!best && !hasAll(words, [...own, ...[...facetValues("category", { categories })].flatMap(called)]))
    return undefined;
  const [lon = 0, lat = 0] = representativePoint(readStoredGeometry(rows.geometry(row))) ?? [];
  if (division && division.kind !== "country" && !isWithin(division, { lon, lat })) return undefined;
  const suggestion: Meaning = {
    kind,
    collection: rows.collection,
    id: rows.id(row),
    name,
    detail: kind === "place" ? addressOf(columnAt("addresses")) : "",
    country,
    lon,
    lat,
    ...boxOf(rows.bbox(row)),
    match: best?.match ?? "category",
    ...(best && best.name !== name ? { matched: best.name } : {}),
    ...(kind === "place" && categories?.primary ? { category: categories.primary } : {}),
    ...(division ? { within: division.name } : {}),
  };
  return { suggestion, confidence: Number(columnAt("confidence") ?? 0) };
}

/** Whether each word matches a name or a category. */
function hasAll(words: readonly string[], names: readonly string[]): boolean {
  const terms = names.flatMap((each) => [...termsOf(each)]);
  return words.every((word) => terms.some((term) => term.startsWith(word)));
}

function addressOf(addresses: Json): string {
  const [first] = (addresses ?? []) as readonly { readonly freeform?: string; readonly locality?: string }[];
  return [first?.freeform, first?.locality].filter((part) => part !== undefined && part !== "").join(", ");
}
