/**
 * Suggestions for what a person is typing: countries and towns anywhere, places and streets of one country.
 * @module
 */
import type { BBox } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { queryTermsOf } from "../../data/format/fold.ts";
import { bboxOf } from "../../data/format/geometry.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import type { Feature, Json, Query } from "./query.ts";

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

/** A feature whose name has all the words. */
export interface Suggestion {
  readonly kind: "country" | "division" | "place" | "street";
  readonly collection: CollectionName;
  readonly id: string;
  readonly name: string;
  /** What tells it from others of the name, such as a division's region; empty where nothing is known. */
  readonly detail: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Its representative point, degrees WGS84. */
  readonly lng: number;
  readonly lat: number;
  /** Its box where it is more than a point. */
  readonly bbox?: BBox;
}

/** Suggestions for the query, by searches that `search` carries out. */
export async function suggest(
  { text, country, language, limit }: SuggestQuery,
  search: (query: Query) => Promise<Iterable<Feature>>,
): Promise<readonly Suggestion[]> {
  const terms = queryTermsOf(text).map((word) => [`name:${word}`]);
  if (terms.length === 0) return [];
  const collections: CollectionName[] = country === undefined ? ["division"] : ["division", "place", "segment"];
  const found = await Promise.all(
    collections.map(async (collection) => {
      const inCountry = collection === "division" || country === undefined ? {} : { country };
      const query: Query = { collections: [collection], ...inCountry, filters: { terms }, offset: 0, limit };
      return Array.from(await search(query), (feature) =>
        suggestionOf(collection, feature, { country: "", language, ...inCountry }),
      );
    }),
  );
  return found.flat().slice(0, limit);
}

function suggestionOf(
  collection: CollectionName,
  { id, geometry, properties }: Feature,
  { country, language }: { readonly country: string; readonly language: string | undefined },
): Suggestion {
  const [lng = 0, lat = 0] = representativePoint(geometry) ?? [];
  const bbox = geometry.type === "Point" ? undefined : bboxOf(geometry);
  return {
    kind: kindOf(collection, properties.subtype),
    collection,
    id,
    name: nameOf(properties.names, language),
    detail: "",
    country: String(properties.country ?? country),
    lng,
    lat,
    ...(bbox ? { bbox } : {}),
  };
}

function kindOf(collection: CollectionName, subtype: Json | undefined): Suggestion["kind"] {
  if (collection === "place") return "place";
  if (collection === "segment") return "street";
  return subtype === "country" || subtype === "dependency" ? "country" : "division";
}

function nameOf(names: Json | undefined, language: string | undefined): string {
  const { primary, common } = (names ?? {}) as { primary?: string; common?: Readonly<Record<string, string>> };
  return (language === undefined ? undefined : common?.[language]) ?? primary ?? "";
}
