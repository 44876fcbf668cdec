import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { beforeAll, describe, expect, test } from "vitest";
import { type BBox, bboxIntersects } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { bboxOf } from "../../data/format/geometry.ts";
import { type TileId, tileBBox } from "../../data/format/tile-id.ts";
import { type Dataset, openDataset } from "../engine/index.ts";
import { makeDataset } from "../engine/testing/made-up-dataset.ts";
import { hardRows, oracleRows } from "../engine/testing/made-up-rows.ts";
import type { OracleRow } from "../engine/testing/oracle.ts";
import { openSampleRows, type SampleRows } from "../engine/testing/sample.ts";
import { type CountingSource, countingSource, memorySource } from "../engine/testing/sources.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { detailOf } from "./detail.ts";
import { readTile } from "./read-tile.ts";

const open = (source: CountingSource) => openDataset({ source, decode: decodeParquet });

function idsIn(data: Uint8Array): Record<string, string[]> {
  const { layers } = new VectorTile(new PbfReader(data));
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [
      name,
      Array.from({ length: layer.length }, (_, i) => String(layer.feature(i).properties.id)).sort(),
    ]),
  );
}

function tileAt(z: number, lon: number, lat: number): TileId {
  const sin = Math.sin((lat * Math.PI) / 180);
  const y = 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI);
  return { z, x: Math.floor((lon / 360 + 0.5) * 2 ** z), y: Math.floor(y * 2 ** z) };
}

/** Points of the collection in the tile or its margin, by a plain loop. */
function pointsIn(rows: readonly OracleRow[], collection: CollectionName, { z, x, y }: TileId): string[] {
  const margin = 64 / 4096;
  return rows
    .filter((row) => row.collection === collection && row.geometry.type === "Point")
    .filter(({ geometry }) => {
      const [lon, lat] = geometry.type === "Point" ? geometry.coordinates : [0, 0];
      const sin = Math.sin((lat * Math.PI) / 180);
      const row = (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * 2 ** z - y;
      const columns = [-1, 0, 1].map((turn) => (lon / 360 + 0.5 + turn) * 2 ** z - x);
      const isNear = (at: number) => at >= -margin && at <= 1 + margin;
      return isNear(row) && Math.abs(lat) <= 85.0511287798066 && columns.some(isNear);
    })
    .map(({ id }) => id)
    .sort();
}

describe("over the sample", () => {
  let sample: SampleRows;
  let source: CountingSource;
  let dataset: Dataset;
  beforeAll(async () => {
    sample = await openSampleRows();
    source = countingSource(sample.source);
    dataset = open(source);
  });

  const MONACO = [7.4246, 43.7384] as const;
  const BOULDER = [-105.271, 40.0165] as const;

  test.each([14, 15, 17])("at zoom %i every point that meets the tile is in it", async (z) => {
    for (const [collection, [lon, lat]] of [
      ["place", MONACO],
      ["place", BOULDER],
      ["address", BOULDER],
      ["connector", MONACO],
    ] as const) {
      const tile = tileAt(z, lon, lat);
      const { data, leftOut } = await readTile(dataset, { ...tile, layers: [collection] });
      const expected = pointsIn(sample.rows, collection, tile);
      expect(expected.length).toBeGreaterThan(3);
      expect(idsIn(data)[collection]).toEqual(expected);
      expect(leftOut).toBe(0);
    }
  });

  test("lines and areas whose bbox is inside the tile are in it, and no others outside it", async () => {
    for (const collection of ["building", "segment", "water", "land_use"] as const) {
      const tile = tileAt(14, ...MONACO);
      const { data } = await readTile(dataset, { ...tile, layers: [collection] });
      const found = idsIn(data)[collection] ?? [];
      const boxed = sample.rows
        .filter((row) => row.collection === collection)
        .map(({ id, geometry }) => ({ id, box: bboxOf(geometry) as BBox }));
      const [west, south, east, north] = tileBBox(tile);
      const within = boxed.filter(({ box }) => box[0] >= west && box[1] >= south && box[2] <= east && box[3] <= north);
      expect(within.length).toBeGreaterThan(0);
      expect(within.filter(({ id }) => !found.includes(id))).toEqual([]);
      const meeting = new Set(
        boxed.filter(({ box }) => bboxIntersects(box, tileBBox(tile, 1 / 64))).map(({ id }) => id),
      );
      expect(found.filter((id) => !meeting.has(id))).toEqual([]);
    }
  });

  test("a feature has its id, name, class and importance", async () => {
    const { data } = await readTile(dataset, { ...tileAt(14, ...MONACO), layers: ["place", "segment"] });
    const { layers } = new VectorTile(new PbfReader(data));
    expect(Object.keys(layers)).toEqual(["place", "segment"]);
    const { properties } = layers.place?.feature(0) ?? {};
    const record = await dataset.find(["place"], String(properties?.id));
    const { names, categories, confidence } = record?.properties ?? {};
    expect(properties).toEqual({
      id: record?.id,
      name: (names as { primary: string }).primary,
      class: (categories as { primary: string }).primary,
      importance: Math.round(1000 * Number(confidence)) / 1000,
    });
  });

  test("coarse tiles stay within their limits, and report how many features they leave out", async () => {
    for (const collection of ["place", "segment", "division", "division_area"] as const) {
      const mine = sample.rows.filter((row) => row.collection === collection);
      for (const z of [0, 4, 8, 11, 12]) {
        const place = tileAt(z, ...BOULDER);
        const fresh = open(source);
        await fresh.manifest();
        source.reset();
        const { data, leftOut } = await readTile(fresh, { ...place, layers: [collection] });
        const read = source.requests.reduce((sum, { bytes }) => sum + bytes, 0);
        const { maxReadBytes, maxTileBytes } = detailOf(place);
        expect(read, `${collection} ${z}`).toBeLessThanOrEqual(maxReadBytes);
        expect(data.length).toBeLessThanOrEqual(maxTileBytes);
        const found = idsIn(data)[collection]?.length ?? 0;
        const meeting = mine.filter(({ geometry }) => bboxIntersects(bboxOf(geometry) as BBox, tileBBox(place)));
        if (z === 0) expect(found + leftOut).toBeGreaterThanOrEqual(meeting.length);
      }
    }
  });

  test("a view of six tiles of zoom 4 to 11 reads at most 2 MB", async () => {
    for (const z of [4, 7, 10, 11]) {
      const { x, y } = tileAt(z, ...BOULDER);
      const view = [0, 1, 2].flatMap((i) => [0, 1].map((j) => ({ z, x: x - 1 + i, y: y - 1 + j })));
      const fresh = open(source);
      await fresh.manifest();
      source.reset();
      for (const tile of view) await readTile(fresh, { ...tile, layers: ["segment"] });
      expect(source.requests.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(2_000_000);
    }
  });

  test("of places in one cell the one with the highest confidence is drawn", async () => {
    const tile = tileAt(13, ...MONACO);
    const { data } = await readTile(dataset, { ...tile, layers: ["place"] });
    const found = new Set(idsIn(data).place);
    const whole = await dataset.inBox({ collection: "place", bbox: tileBBox(tile) });
    const best = [...whole.features()].reduce((a, b) =>
      Number(b.properties.confidence) > Number(a.properties.confidence) ? b : a,
    );
    expect(found.has(best.id)).toBe(true);
    expect(found.size).toBeLessThan(whole.length);
  });

  test("the content of a tile does not depend on what is cached", async () => {
    const used = open(source);
    for (const z of [2, 5, 9, 12]) {
      await readTile(used, { ...tileAt(z, ...MONACO), layers: ["division", "segment"] });
      const again = await readTile(used, { ...tileAt(z, ...BOULDER), layers: ["division", "segment"] });
      const fresh = await readTile(open(source), { ...tileAt(z, ...BOULDER), layers: ["division", "segment"] });
      expect(again).toEqual(fresh);
    }
  });
});

describe("in difficult positions", () => {
  test("points around the antimeridian, the poles and everywhere are in all tiles that they meet", async () => {
    const made = hardRows();
    const dataset = open(countingSource(memorySource(await makeDataset(made, { rowsPerPartition: 16 }))));
    const rows = oracleRows(made);
    let found = 0;
    for (const z of [14, 16]) {
      const last = 2 ** z - 1;
      const at = [tileAt(z, 179.999999, 0), tileAt(z, 179.9999, -16.5), tileAt(z, 179.99, 65), tileAt(z, 7.42, 43.73)];
      const sides = at.flatMap((tile) => [tile, { ...tile, x: 0 }, { ...tile, x: last }]);
      for (const tile of [...sides, { z, x: 0, y: 0 }, { z, x: last, y: last }, { z, x: 2 ** (z - 1), y: 0 }]) {
        const { data } = await readTile(dataset, { ...tile, layers: ["place"] });
        const expected = pointsIn(rows, "place", tile);
        found += expected.length;
        expect(idsIn(data).place ?? [], JSON.stringify(tile)).toEqual(expected);
      }
    }
    expect(found).toBeGreaterThan(50);
  });
});

describe("over 10,000 places in one city, an index page per 10 slices", () => {
  test("a tile stays within its limit, and its points are spread over the city", async () => {
    const side = 100;
    const place = Array.from({ length: side * side }, (_, i) => ({
      id: `${((i * 7919) % (side * side)).toString(16).padStart(8, "0")}`,
      country: "AA",
      geometry: { type: "Point", coordinates: [7 + (i % side) / 250, 46 + Math.floor(i / side) / 250] } as const,
      values: { confidence: String((i % 100) / 100) },
    }));
    const files = await makeDataset(
      { place },
      { rowsPerPartition: 250, rowsPerSegment: 1000, rowsPerGroup: 10, nodesPerPage: 10 },
    );
    const source = countingSource(memorySource(files));
    for (const z of [5, 9]) {
      const dataset = open(source);
      await dataset.manifest();
      source.reset();
      const tile = tileAt(z, 7.2, 46.2);
      const { data, leftOut } = await readTile(dataset, { ...tile, layers: ["place"] });
      const read = source.requests.reduce((sum, { bytes }) => sum + bytes, 0);
      expect(read).toBeLessThanOrEqual(detailOf(tile).maxReadBytes);
      const ids = idsIn(data).place ?? [];
      const meeting = pointsIn(
        place.map((row) => ({ ...row, collection: "place" })),
        "place",
        tile,
      );
      expect(ids.length + leftOut).toBeGreaterThanOrEqual(meeting.length);
      // few pixels show few points
      expect(ids.length).toBeGreaterThan(z === 5 ? 20 : 300);
      const byId = new Map(place.map((row) => [row.id, row.geometry.coordinates]));
      const quarters = new Set(
        ids.map((id) => byId.get(id)).map((at) => `${(at?.[0] ?? 0) < 7.2} ${(at?.[1] ?? 0) < 46.2}`),
      );
      expect(quarters.size).toBe(4);
    }
  });
});
