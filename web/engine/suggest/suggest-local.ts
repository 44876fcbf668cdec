/**
 * Suggestions of places and streets in one country, from its posting lists.
 * @module
 */

import { nearestInBBox } from "../../../data/format/bbox-distance.ts";
import { createDistanceMeter } from "../../../data/format/distance.ts";
import { foldText } from "../../../data/format/fold.ts";
import { isPage } from "../../../data/format/manifest.ts";
import { firstNumberOf } from "../../../data/format/records.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import { type Origin, originAt } from "../../../data/format/sphere.ts";
import { readStoredGeometry } from "../../../data/format/stored-geometry.ts";
import { facetValues } from "../../../data/format/terms.ts";
import type { Json } from "../contract/query.ts";
import { findPartitions } from "../index-tree/tree.ts";
import { readNumbered } from "../store/numbered-rows.ts";
import type { RowRef } from "../store/rows.ts";
import type { Session } from "../store/session.ts";
import { canAskTerms, rowsTold } from "../terms/conditions.ts";
import { firstFrom, type RowNumbers } from "../terms/posting-lists.ts";
import { boxOf, type Names, nameOf, type Suggestion } from "./suggestion.ts";

/** So many rows are read whatever they are: some 100 KB. Of what lies beyond, the nearest are suggested. */
const MOST_ROWS = 48;

/** Partitions whose points tell which rows are near: a key stroke may cost so many. */
const MOST_PARTITIONS = 2;

/** Farther away nobody looks for a place by the beginning of its name alone. */
const NEAR_METERS = 20_000;

export interface LocalQuery {
  readonly kind: "place" | "street";
  readonly country: string;
  /** Beginnings of words, folded. */
  readonly words: readonly string[];
  readonly near: { readonly lat: number; readonly lng: number } | undefined;
  readonly language: string | undefined;
  readonly limit: number;
}

/** Features whose names have all the words, nearest first where `near` is given; of streets of one name the first. */
export async function suggestLocal(session: Session, query: LocalQuery): Promise<Suggestion[]> {
  const { kind, country, words, near, limit } = query;
  const collection = kind === "place" ? "place" : "segment";
  const filters = { terms: words.map((word) => [`name:${word}`]) };
  if (!canAskTerms(session.manifest, collection, country, filters)) return [];
  const { numbers } = await rowsTold({ session, collection, run: "term", country }, filters);
  const origin = near && originAt(near.lng, near.lat);
  const some = numbers.length <= MOST_ROWS || !origin ? [] : await nearest(session, query, numbers, origin);
  const others = numbers.filter((number) => !some.includes(number));
  const rows = await readNumbered(session, collection, [...some, ...others].slice(0, MOST_ROWS));
  const found = new Map<string, Suggestion>();
  for (const ref of origin ? byDistance(rows, origin) : rows) {
    const suggestion = suggestionAt(ref, query);
    if (!suggestion) continue;
    const key = kind === "place" ? suggestion.id : foldText(suggestion.name);
    if (!found.has(key)) found.set(key, suggestion);
    if (found.size >= limit) break;
  }
  return [...found.values()];
}

/** Those of the rows that lie nearest, as far as the points of the nearest partitions tell. */
async function nearest(
  session: Session,
  { kind, country }: LocalQuery,
  numbers: RowNumbers,
  origin: Origin,
): Promise<number[]> {
  const collection = kind === "place" ? "place" : "segment";
  const base = firstNumberOf(session.manifest.collections[collection]?.stretches[country] ?? 0);
  const refs = await findPartitions(session, { collection, run: "location" }, (node) => {
    return (isPage(node) || node.country === country) && nearestInBBox(origin, node.bbox) <= NEAR_METERS;
  });
  const near = refs.toSorted((a, b) => nearestInBBox(origin, a.node.bbox) - nearestInBBox(origin, b.node.bbox));
  const measure = createDistanceMeter(origin);
  const found: { number: number; meters: number }[] = [];
  for (const points of await Promise.all(near.slice(0, MOST_PARTITIONS).map((ref) => session.readPoints(ref)))) {
    for (let row = 0; row < points.rows; row++) {
      const number = base + points.number(row);
      if (numbers[firstFrom(numbers, 0, number)] === number) {
        found.push({ number, meters: measure(points.geometry(row)) });
      }
    }
  }
  return found.sort((a, b) => a.meters - b.meters).map(({ number }) => number);
}

function byDistance(rows: readonly RowRef[], origin: Origin): RowRef[] {
  const measure = createDistanceMeter(origin);
  const keyed = rows.map((ref) => ({ ref, meters: measure(ref.rows.geometry(ref.row)) }));
  return keyed.sort((a, b) => a.meters - b.meters).map(({ ref }) => ref);
}

/** The row as a suggestion; undefined when its names do not have all the words, or it is no street. */
function suggestionAt({ rows, row }: RowRef, { kind, words, country, language }: LocalQuery) {
  const columnAt = (name: string): Json => rows.column(name)?.read(row) ?? null;
  const names = columnAt("names") as Names | null;
  const terms = [...facetValues("name", { names })];
  if (!names || !words.every((word) => terms.some((term) => term.startsWith(word)))) return undefined;
  if (kind === "street" && columnAt("subtype") !== "road") return undefined;
  const [lng = 0, lat = 0] = representativePoint(readStoredGeometry(rows.geometry(row))) ?? [];
  return {
    kind,
    collection: rows.collection,
    id: rows.id(row),
    name: nameOf(names, language),
    detail: kind === "place" ? addressOf(columnAt("addresses")) : "",
    country,
    lng,
    lat,
    ...boxOf(rows.bbox(row)),
  } satisfies Suggestion;
}

function addressOf(addresses: Json): string {
  const [first] = (addresses ?? []) as readonly { readonly freeform?: string; readonly locality?: string }[];
  return [first?.freeform, first?.locality].filter((part) => part !== undefined && part !== "").join(", ");
}
