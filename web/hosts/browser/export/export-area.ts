/**
 * Export of a drawn area: the circle around it, of which only what meets the area is written.
 * @module
 */
import type { Dataset } from "../../../engine/index.ts";
import type { Feature } from "../../../engine/query.ts";
import { type Area, MAX_IN_CIRCLE, ringOf } from "../drawn-area/area.ts";
import { enclosingCircle } from "../drawn-area/enclosing-circle.ts";
import { createIntersects } from "../drawn-area/intersects.ts";

/** Places in an order, from 0, the end left out. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The address of all records in the circle around the area. */
export function aroundArea(address: URL, area: Area): URL {
  const url = new URL(address);
  const { lon, lat, radiusMeters } = enclosingCircle(ringOf(area));
  for (const [name, value] of Object.entries({ lat, lng: lon, radius: radiusMeters, limit: MAX_IN_CIRCLE, page: 0 })) {
    url.searchParams.set(name, String(value));
  }
  return url;
}

const NO_PROPERTIES: ReadonlySet<string> = new Set();

/** The dataset, its answers cut to what meets the area, and of that to a range. */
export function withinArea(dataset: Dataset, area: Area, { start, end }: Range): Dataset {
  const intersects = createIntersects(ringOf(area));
  /** Whether each of the features is to be written, until no more is. */
  function* choose(features: Iterable<Feature>): Generator<boolean> {
    let place = 0;
    for (const { geometry } of features) {
      if (place >= end) return;
      const isInside = intersects(geometry);
      yield isInside && place >= start;
      if (isInside) place += 1;
    }
  }
  return {
    ...dataset,
    async search(query, options) {
      const result = await dataset.search(query, options);
      return {
        ...result,
        features: (properties) => chosen(result.features(properties), choose(result.features(NO_PROPERTIES))),
        json: (options) => chosen(result.json(options), choose(result.features(NO_PROPERTIES))),
      };
    },
  };
}

/** The items that are chosen, one choice for each. */
function* chosen<T>(items: Iterator<T>, choices: Iterable<boolean>): Generator<T> {
  for (const isChosen of choices) {
    const { value, done } = items.next();
    if (done) return;
    if (isChosen) yield value;
  }
}
