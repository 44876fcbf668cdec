/**
 * Searches for the nearest rows, however far: circles that grow until one holds as many as are wanted.
 * @module
 */
import { HALF_CIRCUMFERENCE_METERS } from "../../../data/format/sphere.ts";
import type { Circle, Query } from "../contract/query.ts";
import type { Executor } from "../order/executor.ts";
import { regionOf } from "../plan/region.ts";
import type { Session } from "../store/session.ts";
import { type FoundPlace, searchPlace } from "./search-place.ts";

interface NearestQuery extends Query {
  /** The rows come from within it. */
  readonly circle: Circle;
  readonly nearest: number;
}

const FIRST_RADIUS_METERS = 1000;

/** The `nearest` rows of the query, and its page of them. */
export async function searchNearest(session: Session, query: NearestQuery, executor: Executor): Promise<FoundPlace> {
  const { circle, area, nearest } = query;
  const limit = Math.max(0, Math.min(query.limit, nearest - query.offset));
  const page = { ...query, limit: Math.max(1, limit) };
  let radiusMeters = Math.min(firstRadius(query), circle.radiusMeters);
  for (;;) {
    const grown = { ...circle, radiusMeters };
    const region = regionOf({ circle: grown, ...(area ? { area } : {}) });
    if (!region) throw new Error("a circle is always a region");
    const found = await searchPlace(session, { ...page, circle: grown }, region, executor);
    if (found.total >= nearest || radiusMeters >= circle.radiusMeters) {
      return { ...found, total: Math.min(found.total, nearest), rows: found.rows.slice(0, limit) };
    }
    radiusMeters = Math.min(circle.radiusMeters, nextRadius(radiusMeters, found.total, nearest));
  }
}

/** Where the index tells how many rows of its boxes match, the plan itself reads from the nearest outwards; an area bounds what is read. */
function firstRadius({ filters, country, area }: Query): number {
  return (filters || country !== undefined) && !area ? FIRST_RADIUS_METERS : Number.POSITIVE_INFINITY;
}

/** Room for a little more than the rows wanted, were they spread as those found are: from twice to sixteen times the ground. */
function nextRadius(radiusMeters: number, found: number, wanted: number): number {
  const factor = Math.max(Math.SQRT2, Math.min(4, 1.2 * Math.sqrt(wanted / found)));
  const next = radiusMeters * factor;
  return next < HALF_CIRCUMFERENCE_METERS ? next : Number.POSITIVE_INFINITY;
}
