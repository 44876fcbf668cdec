/**
 * The region of a search: a circle, an area, or both, and the origin of distances.
 * @module
 */
import type { Area } from "../../../data/format/area.ts";
import { type AreaTest, type AreaWork, createAreaTest } from "../../../data/format/area-test.ts";
import type { BBox } from "../../../data/format/bbox.ts";
import { farthestInBBox, nearestInBBox, SLACK_METERS } from "../../../data/format/bbox-distance.ts";
import { createDistanceMeter } from "../../../data/format/distance.ts";
import type { PartTable } from "../../../data/format/geometry-parts.ts";
import { nearParts } from "../../../data/format/near-parts.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import {
  METERS_PER_DEGREE,
  metersTo,
  type Origin,
  originAt,
  roundToMillimeter,
  toRadians,
} from "../../../data/format/sphere.ts";
import type { Query } from "../contract/query.ts";
import { inTurn, stepsInTurn } from "../tasks/in-turn.ts";

export interface Region {
  /** Rows are ordered by their distance from here. */
  readonly origin: Origin;
  /** Southern and northern limit of the region, degrees. */
  readonly south: number;
  readonly north: number;
  /** Whether the box can contain a row of the region: false only if it surely does not. */
  reaches(box: BBox): boolean;
  /** Whether every row in the box is in the region. */
  holds(box: BBox): boolean;
  /** Returns the indexes of the parts that can change whether a long geometry is in the region, or its distance. */
  partsOf(table: PartTable): readonly number[];
  /** Returns metres from the origin to a position in degrees, rounded to 1 mm; Infinity outside the region. */
  metersOfPoint(lon: number, lat: number): number;
  /**
   * Returns metres from the origin to the nearest point of a WKB or TWKB geometry; Infinity outside the region. `box` is its
   * bbox.
   */
  metersOf(wkb: Uint8Array, box?: BBox): number;
  /** Makes the index of the area's edges in steps. If it is not called, the first tests make it. */
  prepare(): Iterable<void> & Iterator<void>;
  /** Number of comparisons with edges of the area that tests of this area have taken so far. */
  comparisons(): number;
}

/**
 * Maximum number of comparisons with edges of an area in a search: some seconds. A million buildings along a border take half of
 * it.
 */
const MAX_COMPARISONS = 300_000_000;

const areaTests = new WeakMap<Area, { readonly test: AreaTest; readonly work: AreaWork }>();

function testOf(area: Area): { readonly test: AreaTest; readonly work: AreaWork } {
  const known = areaTests.get(area);
  if (known) return known;
  const work = { comparisons: 0, most: MAX_COMPARISONS };
  const made = { test: createAreaTest(area, work), work };
  areaTests.set(area, made);
  return made;
}

/**
 * Returns the region of the query; undefined when it has neither a circle nor an area. Its tests throw
 * `AreaTooLargeError` where they take too long.
 */
export function regionOf({ circle, area }: Pick<Query, "circle" | "area">): Region | undefined {
  const origin = circle ? originAt(circle.lon, circle.lat) : area && originOf(area);
  if (!origin) return undefined;
  const { test, work } = area ? testOf(area) : {};
  if (work) work.most = work.comparisons + MAX_COMPARISONS;
  const radiusMeters = circle?.radiusMeters ?? Number.POSITIVE_INFINITY;
  const reachDeg = (radiusMeters + SLACK_METERS) / METERS_PER_DEGREE;
  const measure = createDistanceMeter(origin);
  const within = (exactMeters: number): number => {
    const meters = roundToMillimeter(exactMeters);
    return meters <= radiusMeters ? meters : Number.POSITIVE_INFINITY;
  };
  return {
    origin,
    south: Math.max(test?.south ?? -90, origin.lat - reachDeg),
    north: Math.min(test?.north ?? 90, origin.lat + reachDeg),
    reaches: (box) => nearestInBBox(origin, box) <= radiusMeters + SLACK_METERS && (test?.reaches(box) ?? true),
    holds: (box) => farthestInBBox(origin, box) <= radiusMeters - SLACK_METERS && (test?.holds(box) ?? true),
    partsOf: ({ parts }) => nearParts({ parts, origin, radiusMeters }, test?.reaches),
    metersOfPoint(lon, lat) {
      const meters = within(metersTo(origin, lon, lat, Math.cos(toRadians(lat))));
      return meters === Number.POSITIVE_INFINITY || !test || test.contains(lon, lat)
        ? meters
        : Number.POSITIVE_INFINITY;
    },
    metersOf(wkb, box) {
      const meters = within(measure(wkb));
      if (meters === Number.POSITIVE_INFINITY || !test || (box && test.holds(box)) || test.intersects(wkb))
        return meters;
      return Number.POSITIVE_INFINITY;
    },
    prepare: () => test?.prepare() ?? [].values(),
    comparisons: () => work?.comparisons ?? 0,
  };
}

/** The area's representative point, at a longitude that the globe has. */
function originOf(area: Area): Origin | undefined {
  const [lon, lat] = representativePoint(area) ?? [];
  if (lon === undefined || lat === undefined) return undefined;
  return originAt(lon - 360 * Math.round(lon / 360), lat);
}

/**
 * Returns the region of the query, with the index of its area's edges made; undefined without a circle or an area. Lets other
 * work run meanwhile. Rejects once the signal is aborted.
 */
export async function preparedRegionOf(
  query: Pick<Query, "circle" | "area">,
  signal?: AbortSignal,
): Promise<Region | undefined> {
  const region = await inTurn(() => regionOf(query));
  if (region) await stepsInTurn(region.prepare(), signal);
  return region;
}
