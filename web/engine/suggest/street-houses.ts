/**
 * Finds the course of a street and the addresses near it from the points of segments and addresses, read on demand.
 * @module
 */
import { type BBox, bboxContains } from "../../../data/format/bbox.ts";
import { nearestInBBox } from "../../../data/format/bbox-distance.ts";
import { isPage } from "../../../data/format/manifest.ts";
import { METERS_PER_DEGREE, originAt } from "../../../data/format/sphere.ts";
import { findPartitions, leavesOf, type PartitionRef, unopened } from "../index-tree/tree.ts";
import { type RecordRef, readPartitionPoints } from "../store/addressed-rows.ts";
import type { Session } from "../store/session.ts";
import type { RowNumbers } from "../terms/posting-lists.ts";
import { type Line, linesIn, linesOfSome } from "./find-street.ts";
import type { House, Spot } from "./house-search.ts";
import type { Scope } from "./scope.ts";

/** A point with addresses, by their records. */
export interface StreetHouse extends House {
  offMeters: number;
  readonly rows: RecordRef[];
}

/** The records of fewer segments are read one by one, a block each. */
const FEW_SEGMENTS = 16;

/**
 * For more segments, points of the nearest slices are read until one has the street; for a town or small country then
 * records of some segments.
 */
const FIRST_BYTES = 48 * 1024;
const SEGMENT_BYTES = 96 * 1024;
const SHORT_LIST = 512;

/** Farther away, a street of the name is not meant. */
const NEAR_METERS = 20_000;

/** Houses of a street are within this distance of it. */
const STREET_METERS = 60;

/** Limit on bytes of address points; the first read stops at this number of addresses near the street. */
const ADDRESS_BYTES = 72 * 1024;
const ENOUGH_HOUSES = 8;

/** A line of the street with the bbox of its houses. */
interface LineBox {
  readonly line: Line;
  readonly box: BBox;
}

type Slice = PartitionRef<"location">;

export interface Street {
  /** Returns all addresses near the street that were read so far. With a position, first reads those around it. */
  readonly housesAt: (spot: Spot | undefined) => Promise<readonly StreetHouse[]>;
}

/**
 * Returns the street with these segments. Nothing is read before its houses are requested; then only the part nearest to `near`.
 */
export function openStreet(session: Session, { country, near }: Scope, segments: RowNumbers): Street {
  const lines: LineBox[] = [];
  const houses = new Map<string, StreetHouse>();
  const done = new Set<string>();
  const left = { segment: SEGMENT_BYTES, address: ADDRESS_BYTES };
  const areAll = segments.length <= FEW_SEGMENTS;
  let slicesLeft: Slice[] | undefined;
  let areSomeRead = false;
  let scale: { readonly x: number; readonly y: number } | undefined;

  /** Whether to read the slice: once, and within the limit. */
  function take({ collection, node: { points } }: Slice): boolean {
    const kind = collection === "segment" ? "segment" : "address";
    if (done.has(points.sha256) || points.bytes > left[kind]) return false;
    done.add(points.sha256);
    left[kind] -= points.bytes;
    return true;
  }

  /** Reads more of the street, nearest first; false when there is no more. */
  async function findLines(): Promise<boolean> {
    slicesLeft ??= areAll || !near ? [] : await slicesNear(session, country, near);
    const slice = slicesLeft.shift();
    const isCostly = SEGMENT_BYTES - left.segment + (slice?.node.points.bytes ?? 0) > FIRST_BYTES;
    if (slice && !(isCostly && segments.length <= SHORT_LIST)) {
      if (!take(slice)) return false;
      add(await linesIn(session, slice, segments));
      return true;
    }
    slicesLeft = [];
    if (segments.length > SHORT_LIST || areSomeRead) return false;
    areSomeRead = true;
    add(await linesOfSome(session, segments, FEW_SEGMENTS));
    return true;
  }

  function add(more: readonly Line[]): void {
    const [first] = more;
    if (!first) return;
    scale ??= { x: METERS_PER_DEGREE * originAt(0, first[1] ?? 0).cosLat, y: METERS_PER_DEGREE };
    const boxed = more.map((line) => ({ line, box: boxAround(line) }));
    lines.push(...boxed);
    for (const house of houses.values()) house.offMeters = Math.min(house.offMeters, metersOff(house, boxed));
  }

  function metersOff({ x, y }: Spot, some: readonly LineBox[]): number {
    let least = Number.POSITIVE_INFINITY;
    if (!scale) return least;
    const [lon, lat] = [x / scale.x, y / scale.y];
    for (const { line, box } of some) {
      if (bboxContains(box, lon, lat)) least = Math.min(least, metersToLine(line, { x, y }, scale));
    }
    return least;
  }

  async function readHouses(slice: Slice): Promise<void> {
    if (!scale || !take(slice)) return;
    const points = await readPartitionPoints(session, slice);
    for (let row = 0; row < points.rows; row++) {
      const [lon = 0, lat = 0] = points.boxes.subarray(4 * row, 4 * row + 2);
      const key = `${lon} ${lat}`;
      const spot = { x: lon * scale.x, y: lat * scale.y };
      const house = houses.get(key) ?? { ...spot, offMeters: metersOff(spot, lines), rows: [] };
      house.rows.push(points.record(row));
      houses.set(key, house);
    }
  }

  const slicesAt = (collection: "segment" | "address", boxes: readonly BBox[]): Promise<Slice[]> =>
    findPartitions(session, { collection, run: "location" }, (node) => {
      // near a border the houses of a street may be in the next country
      const isWanted = isPage(node) || collection === "address" || node.country === country;
      return isWanted && boxes.some((box) => overlap(box, node.bbox));
    });

  async function readFirst(): Promise<void> {
    while (await findLines()) {
      const [first] = lines;
      if (!first) continue;
      const boxes = lines.map(({ box }) => box);
      const slices = await slicesAt("address", boxes);
      for (const slice of byDistance(slices, near ?? { lon: first.box[0], lat: first.box[1] })) {
        await readHouses(slice);
        if (closeHouses() >= ENOUGH_HOUSES) return;
      }
      if (closeHouses() > 0) return;
    }
  }

  function closeHouses(): number {
    return [...houses.values()].filter(({ offMeters }) => offMeters <= STREET_METERS).length;
  }

  async function readAround(spot: Spot): Promise<void> {
    if (!scale) return;
    const box = boxAround(Float64Array.of(spot.x / scale.x, spot.y / scale.y));
    const isKnown = lines.some((line) => overlap(box, line.box));
    const segmentSlices = areAll || isKnown ? [] : await slicesAt("segment", [box]);
    for (const slice of bySize(segmentSlices).slice(0, 2)) {
      if (take(slice)) add(await linesIn(session, slice, segments));
    }
    for (const slice of bySize(await slicesAt("address", [box]))) await readHouses(slice);
  }

  let first: Promise<void> | undefined;
  return {
    async housesAt(spot) {
      first ??= readFirst();
      await first;
      if (spot) await readAround(spot);
      return [...houses.values()];
    },
  };
}

/**
 * Returns whether there may be addresses within 20 km of the point, by the boxes in the manifest; without a point, in the
 * country.
 */
export function mayHaveAddresses(session: Session, { country, near }: Scope): boolean {
  const { address } = session.manifest.collections;
  if (!address || !near) return address?.countries[country] !== undefined;
  const origin = originAt(near.lon, near.lat);
  const around = leavesOf(unopened(session), { collection: "address", run: "location" }, ({ bbox }) => {
    return nearestInBBox(origin, bbox) <= NEAR_METERS;
  });
  return around.length > 0;
}

/** The nearest first; of those around the point the densest, because sparse slices contain long lines. */
async function slicesNear(session: Session, country: string, near: { lon: number; lat: number }): Promise<Slice[]> {
  const origin = originAt(near.lon, near.lat);
  const slices = await findPartitions(session, { collection: "segment", run: "location" }, (node) => {
    return (isPage(node) || node.country === country) && nearestInBBox(origin, node.bbox) <= NEAR_METERS;
  });
  return byDistance(slices, near);
}

function byDistance(slices: readonly Slice[], { lon, lat }: { lon: number; lat: number }): Slice[] {
  const origin = originAt(lon, lat);
  const meters = new Map(slices.map((slice) => [slice, nearestInBBox(origin, slice.node.bbox)]));
  return bySize(slices).sort((a, b) => (meters.get(a) ?? 0) - (meters.get(b) ?? 0));
}

function bySize(slices: readonly Slice[]): Slice[] {
  const size = ({
    node: {
      bbox: [west, south, east, north],
    },
  }: Slice) => (east - west) * (north - south);
  return slices.toSorted((a, b) => size(a) - size(b));
}

/** The bbox of the line, extended to include its houses. */
function boxAround(line: Line): BBox {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (let i = 0; i < line.length; i += 2) {
    const [lon = 0, lat = 0] = [line[i], line[i + 1]];
    [west, east, south, north] = [Math.min(west, lon), Math.max(east, lon), Math.min(south, lat), Math.max(north, lat)];
  }
  const tall = STREET_METERS / METERS_PER_DEGREE;
  const wide = tall / Math.max(0.01, originAt(west, Math.max(Math.abs(south), Math.abs(north))).cosLat);
  return [west - wide, south - tall, east + wide, north + tall];
}

function overlap(a: BBox, b: BBox): boolean {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}

/** In a plane, which is accurate enough along a street. */
function metersToLine(line: Line, { x, y }: Spot, scale: Spot): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 3 < line.length; i += 2) {
    const [lng1 = 0, lat1 = 0, lng2 = 0, lat2 = 0] = line.subarray(i, i + 4);
    const [x1, y1] = [lng1 * scale.x, lat1 * scale.y];
    const [dx, dy] = [lng2 * scale.x - x1, lat2 * scale.y - y1];
    const squared = dx * dx + dy * dy;
    const share = squared === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / squared));
    least = Math.min(least, Math.hypot(x - x1 - share * dx, y - y1 - share * dy));
  }
  return least;
}
