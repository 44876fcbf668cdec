/**
 * Suggestions of places and streets in one country, from its term run.
 * @module
 */

import { nearestInBBox } from "../../../data/format/bbox-distance.ts";
import { foldText } from "../../../data/format/fold.ts";
import { readWkb } from "../../../data/format/geometry.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import { originAt } from "../../../data/format/sphere.ts";
import { facetValues } from "../../../data/format/terms.ts";
import type { Json } from "../contract/query.ts";
import { idPartitions } from "../store/id-run.ts";
import type { Partition } from "../store/partition.ts";
import type { Session } from "../store/session.ts";
import { storedColumn } from "../store/stored-columns.ts";
import { orderConditions } from "../terms/order-conditions.ts";
import type { TermRun } from "../terms/term-index.ts";
import { type Posting, readPostings, resolvePostings } from "../terms/term-rows.ts";
import { boxAt, type Names, nameOf, type Suggestion } from "./suggestion.ts";

/** A key stroke may cost so many files of the term run and as many of the id run; of what lies beyond, nothing is suggested. */
const MOST_FILES = 2;

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
  const run: TermRun = { session, collection: kind === "place" ? "place" : "segment", run: "term", country };
  const clauses = words.map((word) => [`name:${word}`]);
  const [place] = (await orderConditions(run, clauses)).rarest;
  if (!place) return [];
  const few = { ...place, partitions: place.partitions.slice(0, MOST_FILES) };
  const postings = await readPostings(run, few);
  const found = new Map<string, Suggestion>();
  for await (const { partition, row } of resolveFew(run, near ? byDistance(postings, near) : postings)) {
    const suggestion = suggestionAt(partition, row, query);
    if (!suggestion) continue;
    const key = kind === "place" ? suggestion.id : foldText(suggestion.name);
    if (!found.has(key)) found.set(key, suggestion);
    if (found.size >= limit) break;
  }
  return [...found.values()];
}

function byDistance(postings: readonly Posting[], { lat, lng }: { lat: number; lng: number }): Posting[] {
  const origin = originAt(lng, lat);
  const keyed = postings.map((posting) => {
    const { boxes } = posting.partition;
    const [west = 0, south = 0, east = 0, north = 0] = [boxes.west, boxes.south, boxes.east, boxes.north].map(
      (edge) => edge[posting.row] ?? 0,
    );
    return { posting, meters: nearestInBBox(origin, [west, south, east, north]) };
  });
  return keyed.sort((a, b) => a.meters - b.meters).map(({ posting }) => posting);
}

/** The postings as rows with their columns, in order, without those for which more files would have to be read. */
async function* resolveFew(run: TermRun, postings: readonly Posting[]) {
  const { session, collection } = run;
  const opened = new Set<string>();
  for (const posting of postings) {
    const { id, lightCountry: country } = posting;
    if (country !== undefined) {
      const refs = await idPartitions(session, { collection, country }, id);
      const missing = refs.filter(({ node }) => !opened.has(node.sha256));
      if (opened.size + missing.length > MOST_FILES) continue;
      for (const { node } of missing) opened.add(node.sha256);
    }
    yield* await resolvePostings(run, [posting]);
  }
}

/** The row as a suggestion; undefined when its names do not have all the words, or it is no street. */
function suggestionAt(partition: Partition, row: number, { kind, words, country, language }: LocalQuery) {
  const columnAt = (name: string): Json => storedColumn(partition, name)?.read(row) ?? null;
  const names = columnAt("names") as Names | null;
  const terms = [...facetValues("name", { names })];
  if (!names || !words.every((word) => terms.some((term) => term.startsWith(word)))) return undefined;
  if (kind === "street" && columnAt("subtype") !== "road") return undefined;
  const [lng = 0, lat = 0] = representativePoint(readWkb(partition.wkb(row))) ?? [];
  return {
    kind,
    collection: partition.collection,
    id: partition.id(row),
    name: nameOf(names, language),
    detail: kind === "place" ? addressOf(columnAt("addresses")) : "",
    country,
    lng,
    lat,
    ...boxAt(partition, row),
  } satisfies Suggestion;
}

function addressOf(addresses: Json): string {
  const [first] = (addresses ?? []) as readonly { readonly freeform?: string; readonly locality?: string }[];
  return [first?.freeform, first?.locality].filter((part) => part !== undefined && part !== "").join(", ");
}
