/** Finds the towns around which a dataset has rows, if there are few such areas. @module */
import { metersBetween } from "../../../../data/format/sphere.ts";
import type { Dataset, Feature, RowBox } from "../../../engine/index.ts";
import { nameOf } from "../../../geocode/index.ts";
import type { Town } from "../protocol/index.ts";

/** Maximum number of towns. For more, the countries say enough. */
const MOST_TOWNS = 4;
/** Maximum width and height of a box. Wider ones are of countries or seas. */
const WIDEST_DEGREES = 0.5;
/** Boxes within this distance belong to the same town. */
const TOWN_METERS = 30_000;
/** How many of the nearest divisions are read to find a town, first and second try. Usually the first is one. */
const DIVISIONS = [1, 8] as const;

interface Area {
  readonly lon: number;
  readonly lat: number;
  readonly country: string;
  readonly rows: number;
}

interface TownsOptions {
  readonly language: string;
  readonly signal: AbortSignal;
}

/**
 * Returns at most four towns around which the boxes have rows, most rows first. Empty if there are more, or if some rows are near
 * no town. Throws like `Dataset.search`.
 */
export async function townsIn(
  dataset: Dataset,
  boxes: readonly RowBox[],
  { language, signal }: TownsOptions,
): Promise<readonly Town[]> {
  const areas = areasOf(boxes);
  const { collections } = await dataset.manifest(signal);
  if (!areas || !collections.division) return [];
  const towns = await Promise.all(
    areas.map(async (area): Promise<Town | undefined> => {
      const division = await townNear(dataset, area, signal);
      const name = division && nameOf(division, language);
      if (!name || division.geometry.type !== "Point") return undefined;
      const [lon, lat] = division.geometry.coordinates;
      return { name, rows: area.rows, lon, lat };
    }),
  );
  return towns.every((town) => town !== undefined) ? towns : [];
}

/**
 * Joins boxes within 30 km into areas, those with most rows first. Undefined if there are more than four, or if a box is wide or
 * has no country.
 */
export function areasOf(boxes: readonly RowBox[]): readonly Area[] | undefined {
  const areas: Area[] = [];
  for (const { bbox, rows, country } of boxes.toSorted((a, b) => b.rows - a.rows)) {
    const [west, south, east, north] = bbox;
    if (country === undefined || east < west || Math.max(east - west, north - south) > WIDEST_DEGREES) return undefined;
    const middle = { lon: (west + east) / 2, lat: (south + north) / 2 };
    const known = areas.findIndex((area) => metersBetween(area, middle) < TOWN_METERS);
    const area = areas[known];
    if (area) areas[known] = { ...area, rows: area.rows + rows };
    else areas.push({ ...middle, country, rows });
    if (areas.length > MOST_TOWNS) return undefined;
  }
  return areas.sort((a, b) => b.rows - a.rows);
}

async function townNear(
  dataset: Dataset,
  { lon, lat, country }: Area,
  signal: AbortSignal,
): Promise<Feature | undefined> {
  const circle = { lon, lat, radiusMeters: TOWN_METERS };
  for (const count of DIVISIONS) {
    const query = { collections: ["division"], country, circle, nearest: count, offset: 0, limit: count } as const;
    const divisions = [...(await dataset.search(query, { signal })).features()];
    const town = divisions.find(({ properties }) => properties.subtype === "locality");
    if (town || divisions.length < count) return town;
  }
  return undefined;
}
