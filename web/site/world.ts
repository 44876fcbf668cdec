/**
 * Makes the base map of low zooms: countries with their names and the largest towns from the sample's world, lakes and
 * rivers from Natural Earth.
 * @module
 */
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import type { Geometry, Position } from "../../data/format/geometry.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import type { World, WorldCountry, WorldWater } from "../hosts/browser/basemap/index.ts";
import { countryNames } from "../map/country-name.ts";
import type { Recipe } from "./shipped-files.ts";

const SAMPLE = "data/sample/world";
const NATURAL_EARTH = "web/site/natural-earth";
/** Units per degree: a unit is 1.1 km, finer than the outlines of 1:50m. */
const SCALE = 100;
const MAX_TOWNS = 1900;

/** Natural Earth counts zooms of tiles of 256 pixels. For tiles of 512 pixels, the zoom is one less. */
const ZOOM_STEP = 1;

interface Row {
  readonly geometry: Geometry;
  readonly min_zoom?: number;
  readonly country?: string;
  readonly population?: number | bigint;
  readonly names?: { readonly primary?: string; readonly common?: Readonly<Record<string, string>> | null };
}

export const WORLD_FILE: Recipe = {
  key: "world",
  name: "assets/world-[hash].json",
  inputs: [
    `${SAMPLE}/division_area.parquet`,
    `${SAMPLE}/division.parquet`,
    `${NATURAL_EARTH}/lakes.parquet`,
    `${NATURAL_EARTH}/rivers.parquet`,
  ],
  version: 6,
  async make([
    areas = new Uint8Array(),
    towns = new Uint8Array(),
    lakes = new Uint8Array(),
    rivers = new Uint8Array(),
  ]) {
    const world: World = {
      scale: SCALE,
      countries: (await read(areas)).flatMap(country),
      towns: (await read(towns))
        .sort((a, b) => Number(b.population ?? 0) - Number(a.population ?? 0))
        .slice(0, MAX_TOWNS)
        .flatMap(({ geometry, names, population }) =>
          geometry.type === "Point" && names?.primary
            ? [{ name: names.primary, at: quantize(geometry.coordinates), population: Number(population ?? 0) }]
            : [],
        ),
      lakes: (await read(lakes)).map(water),
      rivers: (await read(rivers)).map(water),
    };
    return new TextEncoder().encode(JSON.stringify(world));
  },
};

async function read(bytes: Uint8Array): Promise<Row[]> {
  return (await parquetReadObjects({ file: Uint8Array.from(bytes).buffer, compressors })) as unknown as Row[];
}

const namesIn = new Map<string, ReturnType<typeof countryNames>>();

/**
 * Returns the common name of a country in each language that the data has. In languages without a common name it is the name of
 * the data, which comes from treaties.
 */
export function usualNames({ country: code = "", names }: Pick<Row, "country" | "names">): Record<string, string> {
  const entries = Object.entries(names?.common ?? {});
  return Object.fromEntries(
    entries.map(([language, given]) => {
      const nameIn = namesIn.get(language) ?? countryNames(language);
      namesIn.set(language, nameIn);
      return [language, nameIn(code) ?? given];
    }),
  );
}

function country(row: Row): WorldCountry[] {
  const { geometry, names } = row;
  const polygons =
    geometry.type === "Polygon" ? [geometry.coordinates] : geometry.type === "MultiPolygon" ? geometry.coordinates : [];
  const label = representativePoint(geometry);
  if (!label) return [];
  return [
    {
      name: names?.primary ?? "",
      names: usualNames(row),
      label: quantize(label),
      size: sizeOf(polygons),
      polygons: polygons.map((rings) => rings.map(deltas).filter((ring) => ring.length >= 8)),
    },
  ];
}

function water({ geometry, min_zoom = 0 }: Row): WorldWater {
  const lines =
    geometry.type === "LineString"
      ? [geometry.coordinates]
      : geometry.type === "Polygon" || geometry.type === "MultiLineString"
        ? geometry.coordinates
        : [];
  return { zoom: Math.max(0, Number((min_zoom - ZOOM_STEP).toFixed(1))), lines: lines.map(deltas) };
}

/** Side of a square as large as the largest polygon, in degrees of latitude. */
function sizeOf(polygons: readonly (readonly (readonly Position[])[])[]): number {
  const areas = polygons.map(([ring = []]) => {
    let twice = 0;
    let [lastX, lastY] = ring[0] ?? [0, 0];
    for (const [x, y] of ring) {
      twice += x * lastY - lastX * y;
      [lastX, lastY] = [x, y];
    }
    return (Math.abs(twice) / 2) * Math.cos((lastY * Math.PI) / 180);
  });
  return Number(Math.sqrt(Math.max(0, ...areas)).toFixed(1));
}

function quantize([lon, lat]: Position): readonly [number, number] {
  return [Math.round(lon * SCALE), Math.round(lat * SCALE)];
}

/** First position, then steps, as integers in one list without repeated positions. */
function deltas(ring: readonly Position[]): number[] {
  const steps: number[] = [];
  let [lastX, lastY] = [0, 0];
  for (const position of ring) {
    const [x, y] = quantize(position);
    if (steps.length > 0 && x === lastX && y === lastY) continue;
    steps.push(x - lastX, y - lastY);
    [lastX, lastY] = [x, y];
  }
  return steps;
}
