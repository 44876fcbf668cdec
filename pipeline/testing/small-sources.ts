/**
 * A few hundred rows that go through every stage of a build.
 * @module
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { point } from "./folders.ts";

const CITIES = [
  { country: "MC", lon: 7.42, lat: 43.737 },
  { country: "JP", lon: 139.75, lat: 35.68 },
  { country: "US", lon: -105.28, lat: 40.015 },
] as const;

/** Rows of each city in a file. */
const ROWS = 60;

/** A reproducible number from 0 to 1 for a text. */
function fraction(text: string): number {
  let hash = 2166136261;
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619);
  return (hash >>> 8) / 2 ** 24;
}

function idOf(text: string): string {
  const digits = (salt: number) =>
    Math.floor(fraction(`${text}#${salt}`) * 2 ** 24)
      .toString(16)
      .padStart(6, "0");
  return [1, 2, 3, 4].map(digits).join("");
}

interface Spot {
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
}

function spots(file: string, { country, lon, lat }: (typeof CITIES)[number]): Spot[] {
  return Array.from({ length: ROWS }, (_, i) => {
    const name = `${file} ${country} ${i}`;
    return { name, lon: lon + fraction(`${name} x`) / 100, lat: lat + fraction(`${name} y`) / 100 };
  });
}

function square({ lon, lat }: Spot, sizeDeg: number): object {
  const [east, north] = [lon + sizeDeg, lat + sizeDeg];
  const ring = [
    [lon, lat],
    [east, lat],
    [east, north],
    [lon, north],
    [lon, lat],
  ];
  return { type: "Polygon", coordinates: [ring] };
}

const categories = ["cafe", "hotel", "museum"];

function place(spot: Spot, i: number): unknown {
  const names = { primary: `${["Blue", "Old", "Grand"][i % 3]} ${spot.name}` };
  const properties = { names, categories: { primary: categories[i % 3] }, confidence: fraction(spot.name) };
  return point(idOf(spot.name), spot.lon, spot.lat, properties);
}

function building(spot: Spot): unknown {
  return {
    type: "Feature",
    id: idOf(`building ${spot.name}`),
    geometry: square({ ...spot, lon: spot.lon - 1e-5, lat: spot.lat - 1e-5 }, 1e-4),
    properties: { height: 10 },
  };
}

function division(city: (typeof CITIES)[number]): unknown {
  const { country, lon, lat } = city;
  return point(idOf(`division ${country}`), lon, lat, { country, subtype: "locality", names: { primary: country } });
}

/** Writes the sources: `first` and `second` have places of all cities, other files have the other types. */
export async function writeSmallSources(folder: string): Promise<void> {
  const first = CITIES.flatMap((city) => spots("first", city));
  const second = CITIES.flatMap((city) => spots("second", city));
  // One row that both files have, and one invalid row.
  const repeated = [...second.slice(1), ...first.slice(0, 1)].map(place);
  await writeFeatures(folder, "first/place.geojson", first.map(place));
  await writeFeatures(folder, "second/place.geojson", [...repeated, point("lost", 200, 0)]);
  await writeFeatures(folder, "building.geojson", first.map(building));
  await writeFeatures(folder, "division.geojson", CITIES.map(division));
}

async function writeFeatures(folder: string, name: string, features: readonly unknown[]): Promise<void> {
  const path = join(folder, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, JSON.stringify({ type: "FeatureCollection", features }));
}
