/**
 * Determines where to look for a text: in countries around the user, and in divisions that some of its words name.
 * @module
 */
import { type BBox, bboxContains } from "../../../data/format/bbox.ts";
import { nearestInBBox } from "../../../data/format/bbox-distance.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { termsOf } from "../../../data/format/fold.ts";
import { metersBetween, originAt } from "../../../data/format/sphere.ts";
import { findPartitions } from "../index-tree/tree.ts";
import type { Session } from "../store/session.ts";
import { mayLieInState, type State, stateCalled } from "./states.ts";
import { isTelling } from "./street-words.ts";
import { namedDivisions } from "./suggest-divisions.ts";
import type { Meaning } from "./suggestion.ts";

export interface Point {
  readonly lat: number;
  readonly lon: number;
}

/** A part of the text, and where to look for it. */
export interface Scope {
  readonly country: string;
  /** Prefixes of words, folded. */
  readonly words: readonly string[];
  /** Results nearer to this point rank higher. */
  readonly near: Point | undefined;
  /** The division that other words of the text name. */
  readonly division?: Meaning;
}

export interface NamedScope extends Scope {
  readonly division: Meaning;
  readonly population: number;
  readonly named: readonly string[];
  /**
   * Set if words after the name select the division: the part of its detail that they match, or "" if only its position matches.
   * Other divisions are then not considered.
   */
  readonly within?: string;
}

/** Farther away, people do not search for a place by name without its location. */
const REACH_METERS = 20_000;

/** Few points are near the border of more than three countries. */
const MOST_COUNTRIES = 3;

/** Number of divisions tried per name. */
const MOST_DIVISIONS = 2;

/** Names of divisions can have more words, but few are typed. */
const MOST_WORDS = 5;

/** Features that belong to a town may be this far outside its box, in degrees. */
const MARGIN_DEG = 0.02;

/** Words between the feature and its location. */
const BETWEEN = new Set(["in", "near", "at", "bei", "pres", "cerca", "en", "a"]);

/** Returns the collections whose rows are suggested as places: Overture's, and those with a schema of their own. */
export function placeCollections({ manifest: { collections } }: Pick<Session, "manifest">): readonly CollectionName[] {
  const own = Object.entries(collections).flatMap(([name, { schema }]) => (schema ? [name] : []));
  return ["place", ...own];
}

/** Countries for places, streets and addresses. */
export interface Countries {
  /** Likely countries: around the user, or those with the most rows. */
  readonly first: readonly string[];
  /** All others, those with the most rows first. */
  readonly others: readonly string[];
  /** Whether `first` are countries around the user, or the requested one. */
  readonly areAround: boolean;
}

/**
 * Returns the countries in search order: those with places or streets around the point first, nearest first, otherwise those with
 * the most rows.
 */
export async function countriesFrom(session: Session, near: Point | undefined): Promise<Countries> {
  const all = countriesByRows(session);
  const around = near ? await countriesAround(session, near) : [];
  const first = around.length > 0 ? around : all.slice(0, MOST_COUNTRIES);
  return { first, others: all.filter((country) => !first.includes(country)), areAround: around.length > 0 };
}

function countriesByRows(session: Session): string[] {
  const { collections } = session.manifest;
  const rows = new Map<string, number>();
  for (const name of [...placeCollections(session), "segment", "address"]) {
    for (const [country, own] of Object.entries(collections[name]?.countries ?? {})) {
      rows.set(country, (rows.get(country) ?? 0) + own);
    }
  }
  return [...rows].sort(([a, some], [b, others]) => others - some || (a < b ? -1 : 1)).map(([country]) => country);
}

async function countriesAround(session: Session, near: Point): Promise<string[]> {
  const meters = new Map<string, number>();
  const origin = originAt(near.lon, near.lat);
  const found = await Promise.all(
    [...placeCollections(session), "segment"].map((collection) =>
      findPartitions(session, { collection, run: "location" }, ({ bbox }) => {
        return nearestInBBox(origin, bbox) <= REACH_METERS;
      }),
    ),
  );
  for (const { node } of found.flat()) {
    const distance = nearestInBBox(origin, node.bbox);
    meters.set(node.country, Math.min(distance, meters.get(node.country) ?? distance));
  }
  const nearest = [...meters].sort(([, a], [, b]) => a - b).map(([country]) => country);
  return nearest.slice(0, MOST_COUNTRIES);
}

interface NamedQuery extends Pick<Scope, "words" | "near"> {
  readonly language: string | undefined;
}

/**
 * Returns the divisions that words at the start or end of the text name, each with the remaining words. If a country is named,
 * also divisions in that country.
 */
export async function scopesNamed(session: Session, query: NamedQuery): Promise<NamedScope[]> {
  const scopes = await scopesIn(session, query);
  const inside = await Promise.all(
    scopes
      .filter(({ division, words, within }) => division.kind === "country" && within === undefined && words.length > 1)
      .map(async ({ country, words, named }) => {
        const inner = await scopesIn(session, { ...query, words }, country);
        return inner.map((scope) => ({ ...scope, named: [...scope.named, ...named] }));
      }),
  );
  return [...inside.flat(), ...scopes];
}

async function scopesIn(
  session: Session,
  { words, near, language }: NamedQuery,
  country?: string,
): Promise<NamedScope[]> {
  const found = await Promise.all(
    partsOf(words).map(async (part) => {
      const { named, rest, sliceOf, state } = part;
      const divisions = await namedDivisions(session, {
        words: named,
        language,
        sliceOf,
        endings: state ? [state.letters, "city"] : [],
      });
      const own = divisions.filter(({ division }) => country === undefined || isInside(division, country));
      const meant = own.map(({ division, population }) => {
        return { division, population, rest, named, within: withinOf(division, part) };
      });
      const isMeant = ({ within }: { readonly within?: string | undefined }) => Number(within !== undefined);
      return meant.sort((a, b) => isMeant(b) - isMeant(a)).slice(0, MOST_DIVISIONS);
    }),
  );
  const all = found.flat();
  // if the words after a name select a division, others of the name are not meant
  const within = all.filter((one) => one.within !== undefined);
  const best = (within.length > 0 ? within : all.filter(({ rest }) => rest.length > 0))
    .sort((a, b) => b.named.length - a.named.length || b.population - a.population)
    .slice(0, MOST_DIVISIONS);
  return best.map(({ division, population, named, rest, within: where }) => ({
    named,
    population,
    country: division.country,
    words: rest,
    near: pointOf(division, near),
    division,
    ...(where === undefined ? {} : { within: where }),
  }));
}

function isInside(division: Meaning, country: string): boolean {
  return division.country === country && division.kind !== "country";
}

/** The matching part of the division's location, if the words after its name state it. */
function withinOf(division: Meaning, { isFirst, state, rest }: Part): string | undefined {
  if (state !== undefined) return mayLieInState(division, state) ? division.detail && state.name : undefined;
  if (!isFirst || rest.length === 0) return undefined;
  const around = termsOf(division.detail);
  return rest.every((word) => around.has(word)) ? division.detail : undefined;
}

/** The position of the user if inside the division, otherwise that of the division. */
function pointOf(division: Meaning, near: Point | undefined): Point {
  return near && division.bbox && isWithin(division, near) ? near : { lat: division.lat, lon: division.lon };
}

interface Part {
  readonly named: readonly string[];
  readonly rest: readonly string[];
  readonly isFirst: boolean;
  /** The word whose slice is read. */
  readonly sliceOf: string;
  /** The state named by the words after the name. */
  readonly state?: State;
}

const STATE_WORDS = 3;

function partsOf(words: readonly string[]): Part[] {
  const parts: Part[] = [];
  const add = (part: Omit<Part, "sliceOf">) => {
    // the outermost word is examined for shorter names too; words common in streets would read a slice for nothing
    const outside = part.isFirst ? part.named : part.named.toReversed();
    const sliceOf = outside.find(isTelling);
    if (sliceOf !== undefined) parts.push({ ...part, sliceOf });
  };
  for (let count = 1; count < words.length && count <= MOST_WORDS; count++) {
    add({ named: words.slice(-count), rest: restOf(words.slice(0, -count)), isFirst: false });
    add({ named: words.slice(0, count), rest: restOf(words.slice(count)), isFirst: true });
  }
  for (let count = 1; count < words.length && count <= STATE_WORDS; count++) {
    const state = stateCalled(words.slice(-count));
    const named = words.slice(0, -count);
    if (state !== undefined && named.length <= MOST_WORDS) add({ named, rest: [], isFirst: true, state });
  }
  return parts.filter(({ rest, state }) => rest.length > 0 || state !== undefined);
}

function restOf(words: readonly string[]): readonly string[] {
  return words.filter((word) => !BETWEEN.has(word));
}

/**
 * Returns whether the point is in the division's box or at most 0.02 degrees outside it; without a box, at most 20 km from its
 * point.
 */
export function isWithin({ bbox, lon, lat }: Meaning, point: Point): boolean {
  if (!bbox) return metersApart({ lon, lat }, point) <= REACH_METERS;
  const [west, south, east, north] = bbox;
  const wide: BBox = [west - MARGIN_DEG, south - MARGIN_DEG, east + MARGIN_DEG, north + MARGIN_DEG];
  return bboxContains(wide, point.lon, point.lat);
}

/** Returns the distance in metres, approximated in a plane. */
export function metersApart(a: Point, b: Point): number {
  return metersBetween(a, b);
}
