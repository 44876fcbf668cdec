import { mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PMTiles, type Source, zxyToTileId } from "pmtiles";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dataset } from "../../web/engine/index.ts";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { openNodeDataset } from "../../web/hosts/node/open.ts";
import { readTile } from "../../web/tiles/index.ts";
import { createArchive } from "./archive.ts";
import { writeTiles } from "./index.ts";
import { tileIdOf } from "./tile-id.ts";

let folder: string;
let dataset: Dataset;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-pmtiles-"));
  dataset = openNodeDataset(await buildSample());
});
afterAll(() => rm(folder, { recursive: true }));

/** The archive as anybody's program reads it. */
function read(path: string): PMTiles {
  const source: Source = {
    getKey: () => path,
    async getBytes(offset, length) {
      const file = await open(path);
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
        return { data: Uint8Array.from(buffer.subarray(0, bytesRead)).buffer };
      } finally {
        await file.close();
      }
    },
  };
  return new PMTiles(source);
}

test("tiles are numbered as readers number them", () => {
  for (let z = 0; z < 6; z++) {
    for (let x = 0; x < 2 ** z; x++) {
      for (let y = 0; y < 2 ** z; y++) expect(tileIdOf(z, x, y)).toBe(zxyToTileId(z, x, y));
    }
  }
  expect(tileIdOf(20, 123_456, 654_321)).toBe(zxyToTileId(20, 123_456, 654_321));
});

test("another program reads from the archive what the dataset gives, tile for tile", async () => {
  const out = join(folder, "places.pmtiles");
  const maxZoom = 12;
  const written = await writeTiles({ dataset, layers: ["place"], name: "places", out, maxZoom });
  expect(await readdir(folder)).toEqual(["places.pmtiles"]);
  const archive = read(out);
  let tiles = 0;
  for (let z = 0; z <= maxZoom; z++) {
    const last = 2 ** z - 1;
    const corners = [
      [0, 0],
      [0, last],
      [last, 0],
      [last, last],
    ] as const;
    const around = [
      [-105.27, 40.02],
      [7.42, 43.73],
    ].flatMap(([lon = 0, lat = 0]) => {
      const sin = Math.sin((lat * Math.PI) / 180);
      const x = Math.floor((lon / 360 + 0.5) * 2 ** z);
      const y = Math.floor((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * 2 ** z);
      return [-2, -1, 0, 1, 2].flatMap((i) => [-2, -1, 0, 1, 2].map((j) => [x + i, y + j] as const));
    });
    const places = new Map([...corners, ...around].map(([x, y]) => [`${x} ${y}`, { z, x, y }]));
    for (const place of places.values()) {
      if (Math.min(place.x, place.y) < 0 || Math.max(place.x, place.y) > last) continue;
      const { data } = await readTile(dataset, { ...place, layers: ["place"], maxReadBytes: 64 * 1024 * 1024 });
      const found = await archive.getZxy(place.z, place.x, place.y);
      if (found) tiles += 1;
      expect(found ? new Uint8Array(found.data) : new Uint8Array(), JSON.stringify(place)).toEqual(data);
    }
  }
  // those around the two towns are all there are
  expect(tiles).toBe(written.tiles);
  const header = await archive.getHeader();
  expect(header).toMatchObject({ minZoom: 0, maxZoom, clustered: true, numAddressedTiles: written.tiles, tileType: 1 });
  const { attribution } = await dataset.manifest();
  const metadata = (await archive.getMetadata()) as { attribution: string; vector_layers: { id: string }[] };
  expect(metadata.vector_layers.map(({ id }) => id)).toEqual(["place"]);
  for (const { text } of attribution) expect(metadata.attribution).toContain(text);
});

test("a box keeps the tiles that meet it", async () => {
  const out = join(folder, "monaco.pmtiles");
  const bbox = [7.4, 43.72, 7.44, 43.76] as const;
  await writeTiles({ dataset, layers: ["building"], name: "buildings", out, maxZoom: 12, bbox });
  const archive = read(out);
  expect(await archive.getZxy(12, 2132, 1493)).toBeDefined();
  // Boulder's
  expect(await archive.getZxy(12, 850, 1551)).toBeUndefined();
});

test("tiles of a whole zoom are found behind leaf directories, and equal neighbours are kept once", async () => {
  const out = join(folder, "many.pmtiles");
  const archive = await createArchive(out);
  const z = 8;
  const first = tileIdOf(z, 0, 0);
  const contentOf = (i: number) => new TextEncoder().encode(i % 3 === 0 ? "sea" : `tile ${(i * 7919) % 65_536}`);
  for (let i = 0; i < 4 ** z; i++) await archive.add(first + i, contentOf(i < 9 ? 0 : i));
  await archive.finish({ minZoom: z, maxZoom: z, bbox: [170, -10, -170, 10], metadata: {} });
  const reader = read(out);
  const header = await reader.getHeader();
  expect(header.leafDirectoryLength).toBeGreaterThan(0);
  expect(header.numTileEntries).toBe(4 ** z - 9);
  expect([header.minLon, header.maxLon]).toEqual([-180, 180]);
  for (const [x, y] of [
    [0, 0],
    [1, 1],
    [255, 255],
    [17, 200],
    [128, 127],
  ] as const) {
    const i = tileIdOf(z, x, y) - first;
    const found = await reader.getZxy(z, x, y);
    expect(new Uint8Array(found?.data ?? new ArrayBuffer())).toEqual(contentOf(i < 9 ? 0 : i));
  }
});

test("where it fails nothing is left, and an older archive stays", async () => {
  const out = join(folder, "older.pmtiles");
  const options = { layers: ["place"], name: "places", out, maxZoom: 0 } as const;
  const { bytes } = await writeTiles({ ...options, dataset });
  const broken: Dataset = { ...dataset, inBox: () => Promise.reject(new Error("the disk is gone")) };
  await expect(writeTiles({ ...options, dataset: broken })).rejects.toThrow("the disk is gone");
  const empty = await createArchive(out);
  await expect(empty.finish({ minZoom: 0, maxZoom: 0, bbox: [0, 0, 1, 1], metadata: {} })).rejects.toThrow(
    "older.pmtiles would have no tile: nothing is there",
  );
  await empty.abandon();
  expect((await readdir(folder)).filter((name) => name.startsWith("older"))).toEqual(["older.pmtiles"]);
  expect((await stat(out)).size).toBe(bytes);
});
