/**
 * Where a text is looked for: the countries around the reader, and divisions that some of its words name.
 * @module
 */
import { type BBox, bboxContains } from "../../../data/format/bbox.ts";
import { nearestInBBox } from "../../../data/format/bbox-distance.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { metersBetween, originAt } from "../../../data/format/sphere.ts";
import { findPartitions } from "../index-tree/tree.ts";
import type { Session } from "../store/session.ts";
import { namedDivisions } from "./suggest-divisions.ts";
import type { Suggestion } from "./suggestion.ts";

export interface Point {
  readonly lat: number;
  readonly lon: number;
}

/** A part of the text, and where it is looked for. */
export interface Scope {
  readonly country: string;
  /** Beginnings of words, folded. */
  readonly words: readonly string[];
  /** What is nearest to it comes first. */
  readonly near: Point | undefined;
  /** The division that the other words name. */
  readonly division?: Suggestion;
}

export interface NamedScope extends Scope {
  readonly division: Suggestion;
  readonly population: number;
  /** Words that name the division. */
  readonly named: readonly string[];
}

/** Farther away nobody looks for a place by its name without saying where. */
const REACH_METERS = 20_000;

/** At borders three countries meet, hardly ever more. */
const MOST_COUNTRIES = 3;

/** A name may be that of several divisions: so many are tried. */
const MOST_DIVISIONS = 2;

/** Names of divisions have more words, but few are typed. */
const MOST_WORDS = 3;

/** What belongs to a town lies about so far outside of its box, in degrees. */
const MARGIN_DEG = 0.02;

/** Words between what is looked for and where. */
const BETWEEN = new Set(["in", "near", "at", "bei", "pres", "cerca", "en", "a"]);

const LOCAL = ["place", "segment"] as const satisfies readonly CollectionName[];

/** The countries whose places or streets lie around the point, the nearest first; of a dataset of few countries all, where there is no such point. */
export async function countriesAround(session: Session, near: Point | undefined): Promise<string[]> {
  const { collections } = session.manifest;
  const meters = new Map<string, number>();
  if (near) {
    const origin = originAt(near.lon, near.lat);
    const found = await Promise.all(
      LOCAL.map((collection) =>
        findPartitions(session, { collection, run: "location" }, ({ bbox }) => {
          return nearestInBBox(origin, bbox) <= REACH_METERS;
        }),
      ),
    );
    for (const { node } of found.flat()) {
      const distance = nearestInBBox(origin, node.bbox);
      meters.set(node.country, Math.min(distance, meters.get(node.country) ?? distance));
    }
  }
  if (meters.size > 0) {
    const nearest = [...meters].sort(([, a], [, b]) => a - b).map(([country]) => country);
    return nearest.slice(0, MOST_COUNTRIES);
  }
  const all = new Set(LOCAL.flatMap((name) => Object.keys(collections[name]?.countries ?? {})));
  return all.size <= MOST_COUNTRIES ? [...all] : [];
}

/** The divisions that words at the end or the beginning of the text name, with what is left of it. */
export async function scopesNamed(
  session: Session,
  { words, near, language }: Pick<Scope, "words" | "near"> & { readonly language: string | undefined },
): Promise<NamedScope[]> {
  const parts = partsOf(words);
  const found = await Promise.all(
    parts.map(async ({ named, rest }) => {
      const divisions = await namedDivisions(session, { words: named, language });
      return divisions
        .slice(0, MOST_DIVISIONS)
        .map(({ division, population }) => ({ division, population, rest, named }));
    }),
  );
  const best = found
    .flat()
    .sort((a, b) => b.named.length - a.named.length || b.population - a.population)
    .slice(0, MOST_DIVISIONS);
  return best.map(({ division, population, named, rest }) => ({
    named,
    population,
    country: division.country,
    words: rest,
    near: pointOf(division, near),
    division,
  }));
}

/** In a division that the reader is in, from where he is. */
function pointOf(division: Suggestion, near: Point | undefined): Point {
  return near && division.bbox && isWithin(division, near) ? near : { lat: division.lat, lon: division.lon };
}

/** Words that may name a division, and the others. */
function partsOf(words: readonly string[]) {
  const parts: { named: readonly string[]; rest: readonly string[] }[] = [];
  for (let count = 1; count < words.length && count <= MOST_WORDS; count++) {
    parts.push({ named: words.slice(-count), rest: words.slice(0, -count) });
    parts.push({ named: words.slice(0, count), rest: words.slice(count) });
  }
  return parts
    .map(({ named, rest }) => ({ named, rest: rest.filter((word) => !BETWEEN.has(word)) }))
    .filter(({ rest }) => rest.length > 0);
}

/** Whether the point lies in the division or near it. */
export function isWithin({ bbox, lon, lat }: Suggestion, point: Point): boolean {
  if (!bbox) return metersApart({ lon, lat }, point) <= REACH_METERS;
  const [west, south, east, north] = bbox;
  const wide: BBox = [west - MARGIN_DEG, south - MARGIN_DEG, east + MARGIN_DEG, north + MARGIN_DEG];
  return bboxContains(wide, point.lon, point.lat);
}

export function metersApart(a: Point, b: Point): number {
  return metersBetween(a, b);
}
