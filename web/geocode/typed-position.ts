/**
 * Positions in a text: degrees in any notation, links of maps, plus codes with or without a town, geohashes, H3 cells,
 * MGRS and UTM.
 * @module
 */

import { nearTown, type Point, parseCode, parseShortCode } from "../../data/positions/index.ts";
import { mayBeCode, parsePoint } from "../../data/typed-points/index.ts";
import type { Dataset, Feature } from "../engine/index.ts";
import type { RunOptions } from "../search/index.ts";
import { DEFAULT_REVERSE_METERS, runReverse } from "./reverse.ts";

export interface PositionText {
  readonly text: string;
  /** A short plus code without a town means the place nearest to this point. */
  readonly near?: Point | undefined;
  readonly country?: string | undefined;
  readonly language?: string | undefined;
}

/**
 * Returns the position that the text states, in degrees; undefined for any other text, also for a short plus code whose town is
 * unknown. Searches the dataset only for such a town.
 */
export async function positionOf(
  dataset: Dataset,
  { text, near, country, language }: PositionText,
  options: RunOptions = {},
): Promise<Point | undefined> {
  const point = parsePoint(text);
  if (point || !mayBeCode(text)) return point;
  const short = parseShortCode(text);
  if (!short) return parseCode(text);
  if (short.town === "") return near && nearTown(short.code, near);
  const found = await dataset.suggest({ text: short.town, near, country, language, limit: 5 }, options);
  const town = found.find(({ unused }) => unused.length === 0);
  return town && nearTown(short.code, town);
}

/**
 * Returns the nearest address, place and street within 1 km of the position, nearest first, at most `limit`. Each has the
 * properties `ext_match` `position`, an empty `ext_unused`, and `ext_distance` in metres.
 */
export async function recordsAt(
  dataset: Dataset,
  { lat, lon }: Point,
  { limit, language, ...options }: RunOptions & { readonly limit: number; readonly language?: string | undefined },
): Promise<Feature[]> {
  const circle = { lat, lon, radiusMeters: DEFAULT_REVERSE_METERS };
  const { address, place, street } = await runReverse(dataset, { circle, language, hasDivisions: false }, options);
  return [address, place, street]
    .filter((record) => record !== null)
    .sort((a, b) => Number(a.properties.ext_distance) - Number(b.properties.ext_distance))
    .slice(0, limit)
    .map((record) => ({
      ...record,
      properties: { ...record.properties, ext_match: "position", ext_unused: [] },
    }));
}
