/**
 * A box means the same in every interface: records whose shape intersects it, edges included.
 * @module
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VectorTile } from "@mapbox/vector-tile";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { PbfReader } from "pbf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BBox, bboxContains } from "../data/format/bbox.ts";
import type { CollectionName } from "../data/format/collections.ts";
import { type Position, positionsOf } from "../data/format/geometry.ts";
import { tileBBox } from "../data/format/tile-id.ts";
import { exportFile } from "../pipeline/cli/commands/export-file.ts";
import { createApi } from "../web/api/index.ts";
import { open } from "../web/embed/node/index.ts";
import { PATHS } from "../web/embed/types.ts";
import { type Dataset, openDataset } from "../web/engine/index.ts";
import { meetsBox } from "../web/engine/testing/meets-box.ts";
import { type Random, randomFrom } from "../web/engine/testing/random.ts";
import { openSampleRows, type SampleRows } from "../web/engine/testing/sample.ts";
import { decodeParquet } from "../web/hosts/node/parquet.ts";
import { areaOf } from "../web/map/drawn-area.ts";
import { createMcpServer } from "../web/mcp/index.ts";
import { SEARCH_PATHS } from "../web/search/index.ts";
import { readTile } from "../web/tiles/index.ts";

const BOXES = 4;
const BASE = "http://maps.example";
/** Types that the sample has. */
const DIVISIONS = ["division", "division_area"] as const;

let sample: SampleRows;
let dataset: Dataset;
let api: (request: Request) => Promise<Response>;
const client = new Client({ name: "test", version: "1" });
const boxesOf = new Map<CollectionName, readonly BBox[]>();

beforeAll(async () => {
  sample = await openSampleRows();
  dataset = openDataset({ source: sample.source, decode: decodeParquet });
  api = createApi({ dataset });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createMcpServer({ dataset }).connect(theirs);
  await client.connect(ours);
});
afterAll(() => client.close());

const rowsOf = (collection: CollectionName) => sample.rows.filter((row) => row.collection === collection);

/** Boxes near rows: they intersect the boxes of many rows, but not their shapes. The last one is very wide. */
function boxesFor(collection: CollectionName): readonly BBox[] {
  const known = boxesOf.get(collection);
  if (known) return known;
  const random = randomFrom(collection.length * 31);
  const rows = rowsOf(collection);
  const boxes = Array.from({ length: BOXES }, () => boxNear(random, random.of(rows).geometry));
  const made: readonly BBox[] = [...boxes, [100, -60, -60, 80]];
  boxesOf.set(collection, made);
  return made;
}

function boxNear(random: Random, geometry: SampleRows["rows"][number]["geometry"]): BBox {
  const positions: readonly Position[] = [...positionsOf(geometry)];
  const [[lon], [, lat]] = [random.of(positions), random.of(positions)];
  const size = random.magnitude(1e-5, 1);
  const round = (degrees: number) => Number(degrees.toFixed(7));
  return [
    round(Math.max(-180, lon - size)),
    round(Math.max(-90, lat - size)),
    round(Math.min(180, lon + size)),
    round(Math.min(90, lat + size)),
  ];
}

const expectedIds = (collection: CollectionName, box: BBox) =>
  rowsOf(collection)
    .flatMap(({ id, geometry }) => (meetsBox(geometry, box) ? [id] : []))
    .sort();

async function json(path: string) {
  const response = await api(new Request(`${BASE}${path}`));
  expect(response.status, path).toBe(200);
  return response.json();
}
const idsOf = (features: Iterable<{ readonly id: string }>) => Array.from(features, ({ id }) => id).sort();

async function checkDivisions(search: (type: string, box: BBox) => Promise<readonly string[]>) {
  let boxesAlone = 0;
  for (const type of DIVISIONS) {
    for (const box of boxesFor(type)) {
      const expected = expectedIds(type, box);
      expect(await search(type, box), `${type} ${box}`).toEqual(expected);
      const drawn = await dataset.inBox({ collection: type, bbox: box });
      boxesAlone += drawn.length - expected.length;
    }
  }
  expect(boxesAlone).toBeGreaterThan(5);
}

/** What can be counted in a box, and its collection. */
const COUNTED = [
  ["places", "place"],
  ["buildings", "building"],
  ["addresses", "address"],
  ["transportation", "segment"],
  ["divisions", "division_area"],
] as const satisfies readonly (readonly [string, CollectionName])[];

/** Every interface with a box parameter. Add new ones here. */
const REST = {
  "/divisions": () =>
    checkDivisions(async (type, box) => idsOf(await json(`/divisions?types=${type}&bbox=${box}&limit=25000`))),
  "/export/divisions": () =>
    checkDivisions(async (type, box) => idsOf(await json(`/export/divisions?types=${type}&bbox=${box}`))),
  "/counts": async () => {
    for (const [what, collection] of COUNTED) {
      for (const box of boxesFor(collection)) {
        const { total } = await json(`/counts?what=${what}&bbox=${box}`);
        expect(total, `${what} ${box}`).toBe(expectedIds(collection, box).length);
      }
    }
  },
  // Photon's box filters its results, which are points.
  "/photon/api": async () => {
    const box: BBox = [7.415, 43.735, 7.43, 43.745];
    const all = await json("/photon/api?q=casino&limit=50");
    const { features } = await json(`/photon/api?q=casino&bbox=${box}`);
    expect(features.length).toBeGreaterThan(2);
    expect(features.length).toBeLessThan(all.features.length);
    for (const { geometry } of features) {
      const [lon, lat] = geometry.coordinates as Position;
      expect(bboxContains(box, lon, lat)).toBe(true);
    }
  },
} as const;

test("REST: every path with a box finds the records that intersect it", async () => {
  const { paths } = (await json("/openapi.json")) as {
    paths: Record<string, { get: { parameters?: readonly { name: string }[] } }>;
  };
  const taking = Object.keys(paths).filter((path) => paths[path]?.get.parameters?.some(({ name }) => name === "bbox"));
  expect(taking.sort()).toEqual(Object.keys(REST).sort());
  for (const check of Object.values(REST)) await check();
});

test("ES module and export: same results as REST", async () => {
  const cairn = await open(sample.folder);
  const [taking] = SEARCH_PATHS.filter(({ parameters }) => parameters.includes("bbox"));
  expect(PATHS.divisions).toBe(taking?.path);
  await checkDivisions(async (types, bbox) => {
    const { features } = await cairn.search("divisions", {
      types: types as (typeof DIVISIONS)[number],
      bbox: [...bbox],
      limit: 25_000,
    });
    return idsOf(features);
  });
  const folder = await mkdtemp(join(tmpdir(), "boxes-"));
  try {
    await checkDivisions(async (type, box) => {
      const out = join(folder, "out.geojsonl");
      await exportFile({ dataset: sample.folder, request: `/divisions?types=${type}&bbox=${box}`, out });
      const lines = (await readFile(out, "utf8")).split("\n").filter((line) => line !== "");
      return idsOf(lines.map((line) => JSON.parse(line) as { id: string }));
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("OGC API - Features and a box drawn on the page: every collection", async () => {
  const { collections } = (await json("/ogc/collections")) as { collections: readonly { id: CollectionName }[] };
  expect(collections.length).toBeGreaterThan(8);
  for (const { id } of collections) {
    for (const box of boxesFor(id)) {
      const expected = expectedIds(id, box);
      const { features, numberMatched } = await json(`/ogc/collections/${id}/items?bbox=${box}&limit=200`);
      expect(numberMatched, `${id} ${box}`).toBe(expected.length);
      if (expected.length <= 200) expect(idsOf(features), `${id} ${box}`).toEqual(expected);
      if (box[0] === box[2]) continue;
      const area = areaOf({ kind: "box", bbox: box });
      const found = await dataset.search({ collections: [id], area, offset: 0, limit: 200 });
      expect(found.total, `${id} ${box}`).toBe(expected.length);
    }
  }
});

test("MCP: every tool with a box counts the records that intersect it", async () => {
  const { tools } = await client.listTools();
  const taking = tools.filter(({ inputSchema }) => "bbox" in (inputSchema.properties ?? {}));
  expect(taking.map(({ name }) => name)).toEqual(["in_area", "counts"]);
  for (const [what, collection] of COUNTED) {
    for (const bbox of boxesFor(collection)) {
      const expected = expectedIds(collection, bbox).length;
      const found = await client.callTool({ name: "in_area", arguments: { what, bbox, limit: 1 } });
      expect((found.structuredContent as { readonly total: number }).total, `${what} ${bbox}`).toBe(expected);
      const counted = await client.callTool({ name: "counts", arguments: { what, bbox } });
      expect((counted.structuredContent as { readonly records: number }).records, `${what} ${bbox}`).toBe(expected);
    }
  }
});

test("a tile of zoom 14 has every shape that intersects it, and no shape beyond its margin", async () => {
  const places = [
    { z: 14, x: 8529, y: 5974 },
    { z: 14, x: 3401, y: 6200 },
  ];
  for (const collection of ["building", "segment", "water", "land_use", "division_area"] as const) {
    for (const place of places) {
      const { data, leftOut } = await readTile(dataset, { ...place, layers: [collection] });
      const layer = new VectorTile(new PbfReader(data)).layers[collection];
      const found = new Set(
        Array.from({ length: layer?.length ?? 0 }, (_, i) => String(layer?.feature(i).properties.id)),
      );
      const missing = expectedIds(collection, tileBBox(place)).filter((id) => !found.has(id));
      expect(missing, `${collection} ${place.x}`).toEqual([]);
      expect(leftOut).toBe(0);
      const near = new Set(expectedIds(collection, tileBBox(place, 65 / 4096)));
      expect(
        [...found].filter((id) => !near.has(id)),
        `${collection} ${place.x}`,
      ).toEqual([]);
    }
  }
});
