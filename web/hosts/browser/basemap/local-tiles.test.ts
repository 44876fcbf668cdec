import { beforeAll, expect, test } from "vitest";
import type { ByteSource } from "../../../engine/contract/ports.ts";
import { FetchError, openDataset } from "../../../engine/index.ts";
import { buildSample } from "../../../engine/testing/sample.ts";
import { folderSource } from "../../node/folder-source.ts";
import { decodeParquet } from "../../node/parquet.ts";
import { localTiles } from "./local-tiles.ts";
import type { MakeTile } from "./world-tiles.ts";

const MONACO = [7.4246, 43.7384] as const;
const BOULDER = [-105.271, 40.0165] as const;

let folder: string;
beforeAll(async () => {
  folder = await buildSample();
}, 300_000);

/** Tiles of a dataset just opened, with the paths and bytes that it reads. */
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
  return { tile: localTiles(async () => openDataset({ source, decode: decodeParquet })), read };
}

/** Names of the tile's layers: each stands in it as text. */
async function layersOf(tile: MakeTile, [lon, lat]: readonly [number, number], z: number): Promise<string[]> {
  const x = Math.floor((lon / 360 + 0.5) * 2 ** z);
  const sin = Math.sin((lat * Math.PI) / 180);
  const y = Math.floor((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * 2 ** z);
  const bytes = await tile({ map: "local", z, x, y, language: "en" }, new AbortController().signal);
  const text = new TextDecoder("latin1").decode(bytes);
  const known = ["land_use", "water", "segment", "building", "division", "division_area", "ground", "area_name"];
  return known.filter((name) => text.includes(`${String.fromCharCode(name.length)}${name}`));
}

test("a tile holds what its zoom shows, and reads nothing else", async () => {
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

test("where lists are not at hand roads come from rows, and the ground without roads where those are not either", async () => {
  const saved = openTiles((path) => /_(points|term)\//.test(path) && path.startsWith("segment/"));
  expect(await layersOf(saved.tile, MONACO, 12)).toContain("segment");
  expect(saved.read.some(({ path }) => /^segment\/country=/.test(path))).toBe(true);
  const none = openTiles((path) => path.startsWith("segment/"));
  const layers = await layersOf(none.tile, MONACO, 12);
  expect(layers).not.toContain("segment");
  expect(layers).toEqual(expect.arrayContaining(["division", "ground"]));
});

test("no country's outline is read for a town's tile", async () => {
  const { tile, read } = openTiles();
  await layersOf(tile, BOULDER, 14);
  const outlines = read.filter(({ path }) => /^division_area\/country=/.test(path));
  expect(Math.max(0, ...outlines.map(({ bytes }) => bytes))).toBeLessThan(400_000);
  const bytes = read.reduce((sum, file) => sum + file.bytes, 0);
  expect(bytes, "all that it reads").toBeLessThan(3_200_000);
});
