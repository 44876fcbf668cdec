import { readFile } from "node:fs/promises";
import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { beforeAll, expect, test } from "vitest";
import type { Position } from "../../../../data/format/geometry.ts";
import { type TileId, tileAt, tileBBox } from "../../../../data/format/tile-id.ts";
import type { ByteSource } from "../../../engine/contract/ports.ts";
import { FetchError, openDataset } from "../../../engine/index.ts";
import { buildSample } from "../../../engine/testing/sample.ts";
import { WORLD_FILE } from "../../../site/world.ts";
import { folderSource } from "../../node/folder-source.ts";
import { decodeParquet } from "../../node/parquet.ts";
import { coarseLandIn } from "./coarse-land.ts";
import { type Ground, kindAt } from "./coast.ts";
import { localTiles } from "./local-tiles.ts";
import type { World } from "./world.ts";
import type { MakeTile } from "./world-tiles.ts";

const MONACO = [7.4246, 43.7384] as const;
const BOULDER = [-105.271, 40.0165] as const;

let folder: string;
let world: World;
beforeAll(async () => {
  folder = await buildSample();
  const inputs = await Promise.all(WORLD_FILE.inputs.map((path) => readFile(path)));
  world = JSON.parse(new TextDecoder().decode(await WORLD_FILE.make(inputs))) as World;
}, 300_000);

/** Tiles of a newly opened dataset, with the paths and bytes that it reads. */
function openTiles(isLost: (path: string) => boolean = () => false): {
  readonly tile: MakeTile;
  readonly read: { path: string; bytes: number }[];
} {
  const inner = folderSource(folder);
  const read: { path: string; bytes: number }[] = [];
  const source: ByteSource = {
    name: inner.name,
    async read(path, options) {
      if (isLost(path)) throw new FetchError(`${path} is not here`, { path });
      const bytes = await inner.read(path, options);
      read.push({ path, bytes: bytes.byteLength });
      return bytes;
    },
  };
  return {
    tile: localTiles(
      async () => openDataset({ source, decode: decodeParquet }),
      async () => world,
    ),
    read,
  };
}

/** Names of the layers in the tile. Each occurs in the encoded bytes as text. */
async function layersOf(tile: MakeTile, [lon, lat]: readonly [number, number], z: number): Promise<string[]> {
  const x = Math.floor((lon / 360 + 0.5) * 2 ** z);
  const sin = Math.sin((lat * Math.PI) / 180);
  const y = Math.floor((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * 2 ** z);
  const bytes = await tile({ map: "local", z, x, y, language: "en" }, new AbortController().signal);
  const text = new TextDecoder("latin1").decode(bytes);
  const known = ["land_use", "water", "segment", "building", "division", "division_area", "ground", "area_name"];
  return known.filter((name) => text.includes(`${String.fromCharCode(name.length)}${name}`));
}

test("an overview has main roads and towns, and reads no row of roads", async () => {
  const overview = openTiles();
  expect(await layersOf(overview.tile, BOULDER, 8)).toEqual(["segment", "division"]);
  expect(overview.read.filter(({ path }) => /^segment\/(country=|_records)/.test(path))).toEqual([]);
  expect(overview.read.reduce((sum, file) => sum + file.bytes, 0)).toBeLessThan(1_100_000);
  expect(await layersOf(openTiles().tile, MONACO, 10)).toEqual(["segment", "division", "ground"]);
  expect(await layersOf(openTiles().tile, [20, 20], 9)).toEqual([]);
});

test("a tile contains what its zoom shows, and reads nothing more", async () => {
  const coarse = openTiles();
  expect(await layersOf(coarse.tile, MONACO, 11)).toEqual(["segment", "division", "division_area", "ground"]);
  expect(coarse.read.filter(({ path }) => /^segment\/(country=|_records)/.test(path))).toEqual([]);
  const middle = openTiles();
  expect(await layersOf(middle.tile, MONACO, 13)).toEqual(
    expect.arrayContaining(["land_use", "water", "segment", "division", "ground"]),
  );
  expect(middle.read.filter(({ path }) => path.startsWith("building/"))).toEqual([]);
  const fine = openTiles();
  expect(await layersOf(fine.tile, MONACO, 15)).toEqual(
    expect.arrayContaining(["land_use", "segment", "building", "ground", "area_name"]),
  );
});

test("without posting lists roads come from rows; without rows the base map has no roads", async () => {
  const saved = openTiles((path) => /_(points|term)\//.test(path) && path.startsWith("segment/"));
  expect(await layersOf(saved.tile, MONACO, 12)).toContain("segment");
  expect(saved.read.some(({ path }) => /^segment\/country=/.test(path))).toBe(true);
  const none = openTiles((path) => path.startsWith("segment/"));
  const layers = await layersOf(none.tile, MONACO, 12);
  expect(layers).not.toContain("segment");
  expect(layers).toEqual(expect.arrayContaining(["division", "ground"]));
});

/** Midpoints of the edges of all roads and buildings in and around Monaco, one in five. */
const EVERY = 5;
let onLand: Promise<Position[]> | undefined;

async function positionsOnLand(): Promise<Position[]> {
  const dataset = openDataset({ source: folderSource(folder), decode: decodeParquet });
  const positions: Position[] = [];
  for (const collection of ["segment", "building"] as const) {
    const filters = { bbox: [7.35, 43.68, 7.5, 43.8] as const };
    const found = await dataset.search({ collections: [collection], filters, offset: 0, limit: 50_000 });
    for (const { geometry, properties } of found.features(new Set(["subtype"]))) {
      const line =
        geometry.type === "LineString"
          ? geometry.coordinates
          : geometry.type === "Polygon"
            ? geometry.coordinates[0]
            : [];
      if (properties.subtype === "water" || !line) continue;
      for (const [i, [x, y]] of line.entries()) {
        const before = line[i - 1];
        if (before && (i - 1) % EVERY === 0) positions.push([(before[0] + x) / 2, (before[1] + y) / 2]);
      }
    }
  }
  return positions;
}

async function baseMapOf(tile: MakeTile, place: TileId): Promise<Ground[]> {
  const bytes = await tile({ map: "local", ...place, language: "en" }, new AbortController().signal);
  const layer = new VectorTile(new PbfReader(new Uint8Array(bytes))).layers.ground;
  return Array.from({ length: layer?.length ?? 0 }, (_, i) => layer?.feature(i)).flatMap((feature): Ground[] => {
    if (!feature) return [];
    const { geometry } = feature.toGeoJSON(place.x, place.y, place.z);
    const polygons =
      geometry.type === "Polygon"
        ? [geometry.coordinates]
        : geometry.type === "MultiPolygon"
          ? geometry.coordinates
          : [];
    const kind = feature.properties.kind === "sea" ? "sea" : "land";
    return polygons.map(([ring = []]) => ({ kind, ring: ring.map(([x = 0, y = 0]): Position => [x, y]) }));
  });
}

/** The position, and those a pixel away from it. */
function nextTo([x, y]: Position, zoom: number): Position[] {
  const pixel = 360 / (512 * 2 ** zoom);
  return [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((up): Position => [x + right * pixel, y + up * pixel]));
}

test.each([7, 8, 9, 10, 11, 12, 13, 14, 15])(
  "no road and no building of the dataset is in the coarse sea at zoom %i",
  async (z) => {
    const { tile } = openTiles();
    const coarse = coarseLandIn(world, [7.3, 43.6, 7.6, 43.9]);
    const byTile = new Map<string, { readonly place: TileId; readonly positions: Position[] }>();
    onLand ??= positionsOnLand();
    const all = await onLand;
    for (const position of all) {
      const place = tileAt({ lon: position[0], lat: position[1] }, z);
      const key = `${place.x}/${place.y}`;
      byTile.set(key, byTile.get(key) ?? { place, positions: [] });
      byTile.get(key)?.positions.push(position);
    }
    expect(all.length).toBeGreaterThan(5000);
    if (z > 12) expect(byTile.size, "tiles").toBeGreaterThan(3);
    const [inCoarseSea, inSea]: [Position[], Position[]] = [[], []];
    for (const { place, positions } of byTile.values()) {
      const ground = await baseMapOf(tile, place);
      for (const position of positions) {
        const kind = kindAt(ground, position);
        if (kind === undefined && !coarse.contains(position)) inCoarseSea.push(position);
        // a tile draws the coast to half a pixel
        if (nextTo(position, z).every((near) => kindAt(ground, near) === "sea")) inSea.push(position);
      }
    }
    expect(inCoarseSea).toEqual([]);
    // piers, gangways and a hotel over the harbour: in the sea by the coastline of the dataset
    expect(inSea.length).toBeLessThan(all.length / 500);
    // without the rows it is a tenth
    expect(all.filter((position) => !coarse.contains(position)).length).toBeGreaterThan(all.length / 10);
  },
);

test.each([8, 10, 11, 12, 13])("land and sea of neighbouring tiles agree at zoom %i", async (z) => {
  const { tile } = openTiles();
  const [first, last] = [tileAt({ lon: 7.33, lat: 43.79 }, z), tileAt({ lon: 7.52, lat: 43.69 }, z)];
  const coarse = coarseLandIn(world, [6, 43, 9, 45]);
  const grounds = new Map<string, Ground[]>();
  const groundOf = async (place: TileId) => {
    const key = `${place.x}/${place.y}`;
    if (!grounds.has(key)) grounds.set(key, await baseMapOf(tile, place));
    return grounds.get(key) ?? [];
  };
  const differing: Position[] = [];
  let compared = 0;
  const compare = async (place: TileId, other: TileId, side: (share: number) => Position) => {
    const [ground, beside] = [await groundOf(place), await groundOf(other)];
    for (let share = 0.01; share < 1; share += 0.01) {
      const near = nextTo(side(share), z);
      const [isLand, isLandToo] = [ground, beside].map((each) =>
        near.map((position) => (kindAt(each, position) ?? (coarse.contains(position) ? "land" : "sea")) === "land"),
      ) as [boolean[], boolean[]];
      compared += 1;
      // next to the coast a tile rounds to its own grid
      const isEqual = (one: readonly boolean[]) => one.every((value) => value === one[0]);
      if (isEqual(isLand) && isEqual(isLandToo) && isLand[0] !== isLandToo[0]) differing.push(side(share));
    }
  };
  for (let x = first.x; x <= last.x; x++) {
    for (let y = first.y; y <= last.y; y++) {
      const [west, south, east, north] = tileBBox({ z, x, y });
      const between = (a: number, b: number, share: number) => a + share * (b - a);
      await compare({ z, x, y }, { z, x: x + 1, y }, (share) => [east, between(south, north, share)]);
      await compare({ z, x, y }, { z, x, y: y + 1 }, (share) => [between(west, east, share), south]);
    }
  }
  expect(compared).toBeGreaterThan(100);
  expect(differing).toEqual([]);
});

test("no outline of a country is read for a tile of a town", async () => {
  const { tile, read } = openTiles();
  await layersOf(tile, BOULDER, 14);
  const outlines = read.filter(({ path }) => /^division_area\/country=/.test(path));
  expect(Math.max(0, ...outlines.map(({ bytes }) => bytes))).toBeLessThan(400_000);
  const bytes = read.reduce((sum, file) => sum + file.bytes, 0);
  expect(bytes, "all that it reads").toBeLessThan(3_200_000);
});
