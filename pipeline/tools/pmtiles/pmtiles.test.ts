import { mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PMTiles, type Source, zxyToTileId } from "pmtiles";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bboxIntersects } from "../../../data/format/bbox.ts";
import { tileBBox } from "../../../data/format/tile-id.ts";
import type { Dataset } from "../../../web/engine/index.ts";
import { buildSample } from "../../../web/engine/testing/sample.ts";
import { openNodeDataset } from "../../../web/hosts/node/open.ts";
import { readTile } from "../../../web/tiles/index.ts";
import { createArchive } from "./archive.ts";
import { writeTiles } from "./write-tiles.ts";

let folder: string;
let dataset: Dataset;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-pmtiles-"));
  dataset = openNodeDataset(await buildSample());
});
afterAll(() => rm(folder, { recursive: true }));

const MAX_READ_BYTES = 64 * 1024 * 1024;

/** The tile at the position, and two more on each side. */
function around(lon: number, lat: number, z: number): (readonly [x: number, y: number])[] {
  const sin = Math.sin((lat * Math.PI) / 180);
  const x = Math.floor((lon / 360 + 0.5) * 2 ** z);
  const y = Math.floor((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * 2 ** z);
  const beside = [-2, -1, 0, 1, 2];
  const isThere = (place: number) => place >= 0 && place < 2 ** z;
  return beside.flatMap((i) => beside.map((j) => [x + i, y + j] as const)).filter((place) => place.every(isThere));
}

/** Reads the archive with the reference reader. */
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

test("another program reads the same tiles from the archive as the dataset gives", async () => {
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
    const towns = [...around(-105.27, 40.02, z), ...around(7.42, 43.73, z)];
    const places = new Map([...corners, ...towns].map(([x, y]) => [`${x} ${y}`, { z, x, y }]));
    for (const place of places.values()) {
      const { data } = await readTile(dataset, { ...place, layers: ["place"], maxReadBytes: MAX_READ_BYTES });
      const found = await archive.getZxy(place.z, place.x, place.y);
      if (found) tiles += 1;
      expect(found ? new Uint8Array(found.data) : new Uint8Array(), JSON.stringify(place)).toEqual(data);
    }
  }
  // The archive has no other tiles.
  expect(tiles).toBe(written.tiles);
  const header = await archive.getHeader();
  expect(header).toMatchObject({ minZoom: 0, maxZoom, clustered: true, numAddressedTiles: written.tiles, tileType: 1 });
  const { attribution } = await dataset.manifest();
  const metadata = (await archive.getMetadata()) as { attribution: string; vector_layers: { id: string }[] };
  expect(metadata.vector_layers.map(({ id }) => id)).toEqual(["place"]);
  for (const { text } of attribution) expect(metadata.attribution).toContain(text);
});

test("a box keeps exactly the tiles that intersect it", async () => {
  const out = join(folder, "monaco.pmtiles");
  const bbox = [7.4, 43.72, 7.44, 43.76] as const;
  const maxZoom = 12;
  const written = await writeTiles({ dataset, layers: ["building"], name: "buildings", out, maxZoom, bbox });
  const archive = read(out);
  let kept = 0;
  for (let z = 0; z <= maxZoom; z++) {
    for (const [x, y] of around(7.42, 43.74, z)) {
      const place = { z, x, y };
      const isWanted = bboxIntersects(bbox, tileBBox(place));
      const found = await archive.getZxy(z, x, y);
      if (found) kept += 1;
      const { data } = isWanted
        ? await readTile(dataset, { ...place, layers: ["building"], maxReadBytes: MAX_READ_BYTES })
        : { data: new Uint8Array() };
      expect(found ? new Uint8Array(found.data) : new Uint8Array(), JSON.stringify(place)).toEqual(data);
    }
  }
  expect(kept).toBe(written.tiles);
  expect(kept).toBeGreaterThan(1);
});

test("tiles of a complete zoom level are found behind leaf directories, and equal adjacent tiles are stored once", async () => {
  const out = join(folder, "many.pmtiles");
  const archive = await createArchive(out);
  const z = 8;
  const first = zxyToTileId(z, 0, 0);
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
    const i = zxyToTileId(z, x, y) - first;
    const found = await reader.getZxy(z, x, y);
    expect(new Uint8Array(found?.data ?? new ArrayBuffer())).toEqual(contentOf(i < 9 ? 0 : i));
  }
});

test("a failure leaves no files and does not change an older archive", async () => {
  const out = join(folder, "older.pmtiles");
  const options = { layers: ["place"], name: "places", out, maxZoom: 0 } as const;
  const { bytes } = await writeTiles({ ...options, dataset });
  const broken: Dataset = { ...dataset, inBox: () => Promise.reject(new Error("the disk failed")) };
  await expect(writeTiles({ ...options, dataset: broken })).rejects.toThrow("the disk failed");
  const empty = await createArchive(out);
  await expect(empty.finish({ minZoom: 0, maxZoom: 0, bbox: [0, 0, 1, 1], metadata: {} })).rejects.toThrow(
    "older.pmtiles would have no tile: the area is empty",
  );
  await empty.abandon();
  expect((await readdir(folder)).filter((name) => name.startsWith("older"))).toEqual(["older.pmtiles"]);
  expect((await stat(out)).size).toBe(bytes);
});
