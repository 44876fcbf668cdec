/**
 * Export of a drawn area: the circle around it, of which only what meets the area is written.
 * @module
 */
import type { Dataset } from "../../engine/index.ts";
import { type Area, MAX_IN_CIRCLE, ringOf } from "./area/area.ts";
import { enclosingCircle } from "./area/enclosing-circle.ts";
import { createIntersects } from "./area/intersects.ts";

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

/** The dataset, its answers cut to what meets the area, and of that to a range. */
export function withinArea(dataset: Dataset, area: Area, { start, end }: Range): Dataset {
  const intersects = createIntersects(ringOf(area));
  return {
    ...dataset,
    async search(query, options) {
      const result = await dataset.search(query, options);
      return {
        ...result,
        *features(properties) {
          let place = 0;
          for (const feature of result.features(properties)) {
            if (place >= end) return;
            if (!intersects(feature.geometry)) continue;
            if (place >= start) yield feature;
            place += 1;
          }
        },
      };
    },
  };
}
