import { beforeAll, describe, expect, test } from "vitest";
import { type Dataset, openDataset } from "../engine/index.ts";
import { createOracle, type Oracle } from "../engine/testing/oracle.ts";
import { openSample, type Sample } from "../engine/testing/sample.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { createApi } from "./index.ts";

interface Link {
  readonly href: string;
  readonly rel: string;
  readonly type: string;
}
interface Items {
  readonly type: string;
  readonly numberMatched: number;
  readonly numberReturned: number;
  readonly features: readonly { readonly id: string; readonly geometry: object; readonly properties: object }[];
  readonly links: readonly Link[];
}

const BASE = "http://maps.example/here";

let sample: Sample;
let dataset: Dataset;
let oracle: Oracle;
let api: ReturnType<typeof createApi>;

beforeAll(async () => {
  sample = await openSample();
  dataset = openDataset({ source: sample.source, decode: decodeParquet });
  oracle = createOracle(sample.rows);
  api = createApi({ dataset, basePath: "/here" });
});

const ask = (path: string) => api(new Request(path.startsWith("http") ? path : `${BASE}/ogc${path}`));
async function json<T>(path: string): Promise<T> {
  const response = await ask(path);
  expect(response.status, path).toBe(200);
  return response.json();
}
const linked = (links: readonly Link[], rel: string) => links.find((link) => link.rel === rel)?.href ?? "";

async function all(path: string): Promise<{ ids: string[]; pages: number; matched: number }> {
  const ids: string[] = [];
  let pages = 0;
  let matched = 0;
  for (let next = path; next !== ""; pages++) {
    const page = await json<Items>(next);
    expect(page.numberReturned).toBe(page.features.length);
    matched = page.numberMatched;
    ids.push(...page.features.map(({ id }) => id));
    next = linked(page.links, "next");
  }
  return { ids, pages, matched };
}

// names are those of the standard's abstract tests, annex A.2
describe("OGC API - Features, core", () => {
  test("A.2.2 landing page, API definition and conformance: one leads to the others", async () => {
    const { links } = await json<{ links: readonly Link[] }>("");
    expect(linked(links, "self")).toBe(`${BASE}/ogc`);
    const document = await ask(linked(links, "service-desc"));
    expect(document.headers.get("Content-Type")).toBe("application/vnd.oai.openapi+json;version=3.0");
    const { openapi, servers, paths } = (await document.json()) as {
      openapi: string;
      servers: readonly { url: string }[];
      paths: Record<string, unknown>;
    };
    expect([openapi, servers[0]?.url]).toEqual(["3.0.3", `${BASE}/ogc`]);
    expect(paths).toHaveProperty(["/collections/place/items"]);
    const { conformsTo } = await json<{ conformsTo: string[] }>(linked(links, "conformance"));
    expect(conformsTo).toContain("http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core");
    const { collections } = await json<{ collections: readonly { id: string; links: readonly Link[] }[] }>(
      linked(links, "data"),
    );
    expect(collections.map(({ id }) => id)).toEqual(Object.keys((await dataset.manifest()).collections).sort());
    for (const { links: own } of collections) {
      expect(await json(linked(own, "self"))).toHaveProperty("itemType", "feature");
      expect((await ask(linked(own, "items"))).status).toBe(200);
    }
  });

  test("A.2.5 items: pages follow each other without gap, in all that there are", async () => {
    const wanted = oracle.rows.filter(({ collection }) => collection === "water").map(({ id }) => id);
    const { ids, pages, matched } = await all("/collections/water/items?limit=100");
    expect(ids.toSorted()).toEqual(wanted.toSorted());
    expect(matched).toBe(wanted.length);
    expect(pages).toBe(Math.ceil(wanted.length / 100));
  });

  test("A.2.5 bbox: four numbers or six, those of a plain loop, over the antimeridian too", async () => {
    const [west, south, east, north] = [7.41, 43.73, 7.43, 43.74];
    const inside = (
      await dataset.search({
        collections: ["place"],
        area: {
          type: "Polygon",
          coordinates: [
            [
              [west, south],
              [east, south],
              [east, north],
              [west, north],
              [west, south],
            ],
          ],
        },
        offset: 0,
        limit: 10_000,
      })
    ).total;
    const plain = sample.rows.filter(({ collection, geometry }) => {
      if (collection !== "place" || geometry.type !== "Point") return false;
      const [x, y] = geometry.coordinates;
      return x >= west && x <= east && y >= south && y <= north;
    }).length;
    expect(plain).toBe(inside);
    for (const bbox of ["7.41,43.73,7.43,43.74", "7.41,43.73,0,7.43,43.74,100"]) {
      const { ids, matched } = await all(`/collections/place/items?limit=500&bbox=${bbox}`);
      expect([ids.length, matched]).toEqual([plain, plain]);
    }
    const around = await json<Items>("/collections/place/items?bbox=170,-90,-170,90");
    expect(around.numberMatched).toBe(0);
  });

  test("A.2.5 limit, datetime and filters", async () => {
    expect((await json<Items>("/collections/place/items")).numberReturned).toBe(10);
    const most = await json<Items>("/collections/connector/items?limit=1000000");
    expect(most.numberReturned).toBe(10_000);
    const timed = await json<Items>("/collections/place/items?datetime=2018-02-12T23:20:50Z");
    expect(timed.numberMatched).toBe((await dataset.manifest()).collections.place?.rows);
    const hotels = await json<Items>("/collections/place/items?categories=hotel&country=MC&limit=3");
    for (const { properties } of hotels.features) {
      expect(JSON.stringify(properties)).toContain('"hotel"');
    }
    expect(hotels.numberMatched).toBeGreaterThan(3);
  });

  test("A.2.6 one item, with its links", async () => {
    const { features } = await json<Items>("/collections/building/items?limit=1");
    const [{ id = "", geometry = {} } = {}] = features;
    const item = await json<Items["features"][number] & { links: readonly Link[] }>(
      `/collections/building/items/${id}`,
    );
    expect(item).toMatchObject({ type: "Feature", id, geometry });
    expect(linked(item.links, "self")).toBe(`${BASE}/ogc/collections/building/items/${id}`);
    expect(linked(item.links, "collection")).toBe(`${BASE}/ogc/collections/building`);
  });

  test("what is wrong is told in the standard's shape, with what came and what is allowed", async () => {
    for (const [path, status, told] of [
      ["/collections/place/items?limit=0", 400, /limit must be an integer of at least 1, got "0"/],
      ["/collections/place/items?limit=x&offset=-1", 400, /limit .* offset must be/],
      ["/collections/place/items?bbox=1,2,3", 400, /bbox must be west,south,east,north/],
      ["/collections/place/items?bbox=1,50,3,40", 400, /bbox must be/],
      ["/collections/place/items?colour=red", 400, /"colour" is not a parameter here; there are bbox/],
      ["/collections/place/items?min_confidence=2", 400, /min_confidence must be/],
      ["/collections?colour=red", 400, /"colour" is not a parameter/],
      ["/collections/nothing", 404, /"nothing" is not a collection; there are address/],
      ["/collections/place/items/nobody", 404, /"nobody" is not the id of an item/],
    ] as const) {
      const response = await ask(path);
      expect(response.status, path).toBe(status);
      expect(await response.json()).toEqual({ code: expect.any(String), description: expect.stringMatching(told) });
    }
    expect((await api(new Request(`${BASE}/ogc/nothing`))).status).toBe(404);
    expect((await api(new Request(`${BASE}/ogc/`))).headers.get("Location")).toBe(`${BASE}/ogc`);
  });
});
