import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type StaticServer, startStaticServer } from "../../../e2e/support/static-server.ts";
import { buildWithTables } from "../../../e2e/support/table-dataset.ts";
import { createApi } from "../../api/index.ts";
import { buildSample } from "../../engine/testing/sample.ts";
import { buildEdgeModule } from "../../site/library.ts";
import { openNodeDataset } from "../node/open.ts";

const BASE = "http://maps.example";

let folder: string;
let host: StaticServer;
let node: ReturnType<typeof createApi>;
let edge: Miniflare;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-edge-"));
  await buildEdgeModule(folder);
  const dataset = await buildSample();
  host = await startStaticServer({ folders: { "/dataset/": dataset } });
  node = createApi({ dataset: openNodeDataset(dataset) });
  edge = worker({ CAIRN_DATASET: `${host.url}dataset/` });
});
afterAll(async () => {
  await edge?.dispose();
  await host?.close();
  await rm(folder, { recursive: true, force: true });
});

function worker(bindings: Record<string, string>): Miniflare {
  const modulesRoot = join(folder, "edge");
  const scriptPath = join(modulesRoot, "cairn.js");
  return new Miniflare({ modules: true, modulesRoot, scriptPath, compatibilityDate: "2026-03-01", bindings });
}

type Answered = Pick<Response, "status" | "arrayBuffer"> & { readonly headers: { get(name: string): string | null } };
const HEADERS = [
  "Content-Type",
  "ETag",
  "Pagination-Count",
  "Link",
  "Cairn-Tile-Left-Out",
  "Cairn-Error",
  "Access-Control-Allow-Origin",
];

async function partsOf(answer: Answered) {
  const headers = HEADERS.map((name) => answer.headers.get(name));
  return { status: answer.status, headers, body: new Uint8Array(await answer.arrayBuffer()) };
}

const onEdge = async (path: string) => partsOf((await edge.dispatchFetch(`${BASE}${path}`)) as unknown as Answered);
const onNode = async (path: string) => partsOf(await node(new Request(`${BASE}${path}`)));

test.each([
  ["a circle", "/places?lat=43.7384&lng=7.4246&radius=500", 200],
  ["a country", "/divisions?country=JP&limit=100", 200],
  ["a name", "/places?country=MC&name=casino", 200],
  ["a filter without a posting list", "/places?lat=40.0176&lng=-105.2797&radius=800&min_confidence=0.9&limit=20", 200],
  ["a large page", "/buildings?lat=43.7384&lng=7.4246&radius=600&limit=500", 200],
  ["a table", "/addresses?lat=40.0176&lng=-105.2797&radius=300&format=csv", 200],
  ["words", "/autocomplete?text=casino%20monaco", 200],
  ["a fine tile", "/tiles/base/15/17059/11948.mvt", 200],
  ["a coarse tile", "/tiles/transportation/8/133/93.mvt", 200],
  ["an empty tile", "/tiles/places/14/0/0.mvt", 204],
  ["nothing", "/shops", 404],
  ["no record", "/places/nobody", 404],
  ["a bad parameter", "/places?lat=91&lng=7", 400],
])("%s is answered as in Node", async (_, path, status) => {
  const [edges, nodes] = [await onEdge(path), await onNode(path)];
  expect(edges.status).toBe(status);
  expect(edges).toEqual(nodes);
});

test("a request reuses what earlier ones read, and the primary copy is never requested", async () => {
  const path = "/places?lat=40.02&lng=-105.28&radius=400";
  await onEdge(path);
  host.forget();
  expect((await onEdge(path)).status).toBe(200);
  expect(host.sent).toEqual([]);
  await onEdge("/buildings?lat=40.02&lng=-105.28&radius=100");
  expect(host.sent.length).toBeGreaterThan(0);
  expect(host.sent.filter(({ path: file }) => file.endsWith(".parquet"))).toEqual([]);
});

test("many parallel requests are each answered, even when some callers leave", async () => {
  const paths = Array.from({ length: 6 }, (_, i) => `/places?lat=${43.73 + i / 2000}&lng=7.42&radius=300`);
  const answers = await Promise.all(
    paths.map(async (path, i) => {
      const controller = new AbortController();
      const answer = edge.dispatchFetch(`${BASE}${path}`, { signal: controller.signal });
      if (i % 3 !== 0) return partsOf((await answer) as unknown as Answered);
      controller.abort();
      return answer.then(
        () => undefined,
        () => undefined,
      );
    }),
  );
  for (const [i, path] of paths.entries()) if (i % 3 !== 0) expect(answers[i], path).toEqual(await onNode(path));
});

test("an unreachable host and a missing dataset URL are reported", async () => {
  const lost = worker({ CAIRN_DATASET: `${host.url}nowhere/` });
  const unnamed = worker({});
  try {
    const answers = await Promise.all([lost, unnamed].map((each) => each.dispatchFetch(`${BASE}/places?country=MC`)));
    expect(answers.map(({ status }) => status)).toEqual([503, 500]);
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(texts[0]).toContain("has no manifest.json");
    expect(texts[1]).toContain("CAIRN_DATASET must be the http: or https: URL of a dataset, got null");
  } finally {
    await Promise.all([lost.dispose(), unnamed.dispose()]);
  }
});

describe("column tables", () => {
  let tables: string;
  let tableHost: StaticServer;
  let tableWorker: Miniflare;
  let onNodeToo: ReturnType<typeof createApi>;
  beforeAll(async () => {
    tables = await buildWithTables(await mkdtemp(join(folder, "tables-")));
    tableHost = await startStaticServer({ folders: { "/dataset/": tables } });
    tableWorker = worker({ CAIRN_DATASET: `${tableHost.url}dataset/` });
    onNodeToo = createApi({ dataset: openNodeDataset(tables) });
  });
  afterAll(async () => {
    await tableWorker?.dispose();
    await tableHost?.close();
  });
  const exported = async (path: string) =>
    partsOf((await tableWorker.dispatchFetch(`${BASE}${path}`)) as unknown as Answered);

  test.each([
    "/export/places?country=US,MC&categories=restaurant&includes=names,websites,addresses,phones,confidence",
    "/export/places?country=US,MC&categories=restaurant&includes=names,addresses&format=geoparquet",
    "/export/places?country=US&categories=cafe,coffee_shop&includes=names,websites&format=csv&min_confidence=0.7",
    "/export/places?country=MC&categories=no_such&includes=names&format=geojson",
    "/export/buildings?country=US&class=house&includes=height,num_floors,names,class,level&format=geojsonl",
  ])("%s has the bytes of Node, from few ranges of tables", async (path) => {
    tableHost.forget();
    const edges = await exported(path);
    const ranges = tableHost.sent.filter(({ path: file }) => !file.endsWith("manifest.json"));
    const nodes = await partsOf(await onNodeToo(new Request(`${BASE}${path}`)));
    expect(edges.status).toBe(200);
    expect(edges).toEqual(nodes);
    expect(ranges.every(({ path: file }) => file.includes("/tables/"))).toBe(true);
    expect(ranges.length).toBeLessThan(8);
    expect(ranges.length).toBeGreaterThan(path.includes("no_such") ? -1 : 1);
  });

  test("a missing or damaged table is an error", async () => {
    const path = "/export/places?country=US&categories=restaurant&includes=names,websites";
    const allow = tableHost.lose(/\/tables\//);
    expect((await exported(path)).status).toBe(503);
    allow();
    const damaged = join(folder, "damaged");
    await cp(tables, damaged, { recursive: true });
    for (const name of await readdir(join(damaged, "tables/place"))) {
      const bytes = await readFile(join(damaged, "tables/place", name));
      for (let at = 100; at < bytes.length - 60_000; at += 100) bytes[at] = (bytes[at] ?? 0) ^ 1;
      await writeFile(join(damaged, "tables/place", name), bytes);
    }
    const damagedHost = await startStaticServer({ folders: { "/dataset/": damaged } });
    const other = worker({ CAIRN_DATASET: `${damagedHost.url}dataset/` });
    try {
      const answer = await other.dispatchFetch(`${BASE}${path}`);
      expect(answer.status).toBe(503);
      expect(await answer.text()).toContain("damaged column chunk");
    } finally {
      await other.dispose();
      await damagedHost.close();
    }
  });
});
