import { readFile } from "node:fs/promises";
import { VectorTile, type VectorTileFeature } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { beforeAll, expect, test } from "vitest";
import type { Geometry } from "../../../../data/format/geometry.ts";
import { polygonContains } from "../../../../data/format/representative-point.ts";
import { tileAt } from "../../../../data/format/tile-id.ts";
import { WORLD_FILE } from "../../../site/world.ts";
import type { World } from "./world.ts";
import { type MakeTile, worldTiles } from "./world-tiles.ts";

type At = readonly [lon: number, lat: number];
const VICTORIA: At = [33, -1];
const KANSAS: At = [-98.5, 38.9];
const SUPERIOR: At = [-87.5, 47.7];
const NILE: At = [31.2, 27.5];

let tile: MakeTile;
beforeAll(async () => {
  const inputs = await Promise.all(WORLD_FILE.inputs.map((path) => readFile(path)));
  const world = JSON.parse(new TextDecoder().decode(await WORLD_FILE.make(inputs))) as World;
  tile = worldTiles(async () => world);
});

interface Found {
  readonly geometry: Geometry;
  readonly zoom: unknown;
}

/** Features of a layer in the tile around a position. */
async function around([lon, lat]: At, layer: string, z: number): Promise<Found[]> {
  const { x, y } = tileAt({ lon, lat }, z);
  const bytes = await tile({ map: "world", z, x, y, language: "en" }, new AbortController().signal);
  const found = new VectorTile(new PbfReader(new Uint8Array(bytes))).layers[layer];
  const features = Array.from({ length: found?.length ?? 0 }, (_, at) => found?.feature(at) as VectorTileFeature);
  return features.map((each) => ({
    geometry: each.toGeoJSON(x, y, z).geometry as Geometry,
    zoom: each.properties.zoom,
  }));
}

function covers({ geometry }: Found, at: At): boolean {
  if (geometry.type === "Polygon") return polygonContains(geometry.coordinates, at);
  return geometry.type === "MultiPolygon" && geometry.coordinates.some((rings) => polygonContains(rings, at));
}

/** Whether a line comes nearer than this. */
function passes({ geometry }: Found, [lon, lat]: At, degrees: number): boolean {
  const lines = geometry.type === "LineString" ? [geometry.coordinates] : [];
  const all = geometry.type === "MultiLineString" ? geometry.coordinates : lines;
  return all.flat().some(([x, y]) => Math.hypot(x - lon, y - lat) < degrees);
}

test.each([3, 5, 7])("large lakes and rivers are in the tiles of zoom %i", async (z) => {
  for (const at of [VICTORIA, SUPERIOR]) {
    const lakes = await around(at, "lake", z);
    expect(lakes.some((lake) => covers(lake, at))).toBe(true);
    expect(lakes.every(({ zoom }) => typeof zoom === "number" && zoom >= 0)).toBe(true);
  }
  const rivers = await around(NILE, "river", z);
  expect(rivers.some((river) => passes(river, NILE, 0.6))).toBe(true);
});

test("land is no lake, and a border between two countries is a line", async () => {
  const lakes = await around(KANSAS, "lake", 5);
  expect(lakes.some((lake) => covers(lake, KANSAS))).toBe(false);
  const borders = await around([12.1, 63], "border", 5);
  expect(borders.some((border) => passes(border, [12.1, 63], 0.6))).toBe(true);
});

test("the largest waters are drawn first", async () => {
  const lakes = await around(SUPERIOR, "lake", 4);
  const [superior] = lakes.filter((lake) => covers(lake, SUPERIOR));
  expect(superior?.zoom).toBeLessThanOrEqual(1);
  expect(Math.max(...lakes.map(({ zoom }) => Number(zoom)))).toBeGreaterThan(2);
});
