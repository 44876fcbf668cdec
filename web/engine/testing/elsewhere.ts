/** A small dataset of two collections, in a country that the sample does not have. @module */
import { boxRing } from "../../../data/format/bbox.ts";
import { type MadeUpRow, makeDataset } from "./made-up-dataset.ts";

const VADUZ = { lon: 9.52, lat: 47.14 };
const ROWS = 40;

/** Its bbox: west, south, east, north. */
export const ELSEWHERE_BOX = [VADUZ.lon, VADUZ.lat, VADUZ.lon + 0.008, VADUZ.lat + 0.005] as const;

/** Returns its files by path. */
export function elsewhereFiles(
  collections: readonly ("place" | "building")[] = ["place", "building"],
): Promise<Map<string, Uint8Array>> {
  const made = { place: places, building: buildings };
  return makeDataset(Object.fromEntries(collections.map((name) => [name, made[name]()])));
}

function positions(): (readonly [number, number])[] {
  return Array.from({ length: ROWS }, (_, i) => [VADUZ.lon + (i % 8) / 1000, VADUZ.lat + Math.floor(i / 8) / 1000]);
}

function places(): MadeUpRow[] {
  return positions().map((position, i) => ({
    id: `place-${i}`,
    country: "LI",
    geometry: { type: "Point", coordinates: position },
    values: { names: `{'primary': 'Städtle ${i + 1}', common: NULL, rules: NULL}` },
  }));
}

function buildings(): MadeUpRow[] {
  return positions().map(([west, south], i) => {
    const [east, north] = [west + 0.0003, south + 0.0002];
    return {
      id: `building-${i}`,
      country: "LI",
      geometry: { type: "Polygon", coordinates: [boxRing([west, south, east, north])] },
    };
  });
}
