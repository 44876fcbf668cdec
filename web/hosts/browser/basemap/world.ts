/**
 * The world of low zooms, as the page ships it: whole numbers of `1 / scale` degrees, rings as steps.
 * @module
 */
import type * as GeoJSON from "geojson";

type Point = readonly [x: number, y: number];

export interface WorldCountry {
  readonly name: string;
  /** Names by language code. */
  readonly names: Readonly<Record<string, string>>;
  /** Where the name stands. */
  readonly label: Point;
  /** Degrees across, taken as a square. */
  readonly size: number;
  /** Rings of its polygons: first position, then steps, flat. */
  readonly polygons: readonly (readonly (readonly number[])[])[];
}

export interface World {
  readonly scale: number;
  readonly countries: readonly WorldCountry[];
  readonly towns: readonly { readonly name: string; readonly at: Point; readonly population: number }[];
}

/** Land as one feature per country; country names in the language, where they are known; towns by size. */
export function worldFeatures(
  world: World,
  language: string,
): Readonly<Record<"land" | "country" | "town", GeoJSON.FeatureCollection>> {
  const position = ([x, y]: Point): [number, number] => [x / world.scale, y / world.scale];
  const code = language.split("-")[0] ?? "en";
  return {
    land: collection(
      world.countries.map(({ polygons }) => ({
        type: "Feature",
        properties: {},
        geometry: {
          type: "MultiPolygon",
          coordinates: polygons.map((rings) => rings.map((ring) => positions(ring, world.scale))),
        },
      })),
    ),
    country: collection(
      world.countries.map(({ name, names, label, size }) => ({
        type: "Feature",
        properties: { name: names[code] ?? name, size },
        geometry: { type: "Point", coordinates: position(label) },
      })),
    ),
    town: collection(
      world.towns.map(({ name, at, population }) => ({
        type: "Feature",
        properties: { name, population },
        geometry: { type: "Point", coordinates: position(at) },
      })),
    ),
  };
}

function collection(features: GeoJSON.Feature[]): GeoJSON.FeatureCollection {
  return { type: "FeatureCollection", features };
}

function positions(steps: readonly number[], scale: number): GeoJSON.Position[] {
  const ring: GeoJSON.Position[] = [];
  let [x, y] = [0, 0];
  for (let i = 0; i < steps.length; i += 2) {
    x += steps[i] ?? 0;
    y += steps[i + 1] ?? 0;
    ring.push([x / scale, y / scale]);
  }
  return ring;
}
