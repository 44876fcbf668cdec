import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { type Dataset, openDataset } from "../engine/index.ts";
import { createOracle, type Oracle } from "../engine/testing/oracle.ts";
import { openSampleRows, type SampleRows } from "../engine/testing/sample.ts";
import { readStoredRows } from "../engine/testing/stored-rows.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { ERROR_HEADER } from "./error-codes.ts";
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

interface Place {
  readonly id: string;
  readonly bbox: { readonly xmin: number; readonly xmax: number; readonly ymin: number; readonly ymax: number };
  readonly confidence?: number;
  readonly categories?: { readonly primary?: string; readonly alternate?: readonly string[] };
  readonly brand?: { readonly names?: { readonly primary?: string } };
}

const BASE = "http://maps.example/here";

let sample: SampleRows;
let dataset: Dataset;
let oracle: Oracle;
let api: ReturnType<typeof createApi>;

beforeAll(async () => {
  sample = await openSampleRows();
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

// names are those in the standard's abstract tests, annex A.2
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

  test("A.2.5 items: pages follow each other without a gap, up to the last", async () => {
    const wanted = oracle.rows.filter(({ collection }) => collection === "water").map(({ id }) => id);
    const { ids, pages, matched } = await all("/collections/water/items?limit=100");
    expect(ids.toSorted()).toEqual(wanted.toSorted());
    expect(matched).toBe(wanted.length);
    expect(pages).toBe(Math.ceil(wanted.length / 100));
  });

  test("A.2.5 bbox: four numbers or six match a plain loop, also across the antimeridian", async () => {
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
    const all = timed.numberMatched;
    for (const datetime of [
      "2018-02-12T23:20:50Z",
      "2018-02-12t23:20:50.123456+05:30",
      "2016-12-31T23:59:60Z",
      "2020-02-29T00:00:00Z",
      "2018-02-12T00:00:00Z/2018-03-18T12:31:12Z",
      "2018-02-12T00:00:00+02:00/2018-02-11T22:00:00Z",
      "2018-02-12T00:00:00Z/..",
      "2018-02-12T00:00:00Z/",
      "../2018-03-18T12:31:12Z",
      "/2018-03-18T12:31:12Z",
    ]) {
      const { numberMatched } = await json<Items>(
        `/collections/place/items?limit=1&datetime=${encodeURIComponent(datetime)}`,
      );
      expect(numberMatched, datetime).toBe(all);
    }
    for (const datetime of [
      "nonsense",
      "",
      "..",
      "/",
      "../..",
      "2018",
      "2018-02-12",
      "2018-02-12T23:20:50",
      "2018-02-12 23:20:50Z",
      "2018-02-30T00:00:00Z",
      "2019-02-29T00:00:00Z",
      "2018-13-01T00:00:00Z",
      "2018-02-12T24:00:00Z",
      "2018-02-12T23:60:00Z",
      "2018-02-12T23:20:50+24:00",
      "2018-03-18T12:31:12Z/2018-02-12T00:00:00Z",
      "2018-02-12T00:00:00Z/nonsense",
      "2018-02-12T00:00:00Z/2018-02-13T00:00:00Z/2018-02-14T00:00:00Z",
    ]) {
      const response = await ask(`/collections/place/items?limit=1&datetime=${encodeURIComponent(datetime)}`);
      expect(response.status, datetime).toBe(400);
      expect((await response.json()).description).toMatch(/^datetime must be an instant .* or an interval .*, got "/);
    }
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

  test("Part 5: items have exactly the properties of their schema, null if they have no value", async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const { conformsTo } = await json<{ conformsTo: string[] }>("/conformance");
    expect(conformsTo).toContain("http://www.opengis.net/spec/ogcapi-features-5/1.0/conf/schemas");
    let nulls = 0;
    for (const name of Object.keys((await dataset.manifest()).collections)) {
      const { links } = await json<{ links: readonly Link[] }>(`/collections/${name}`);
      const path = linked(links, "http://www.opengis.net/def/rel/ogc/1.0/schema");
      const response = await ask(path);
      expect(response.headers.get("Content-Type")).toBe("application/schema+json");
      const schema = (await response.json()) as { $id: string; properties: Record<string, Record<string, unknown>> };
      expect(schema.$id).toBe(path);
      expect([schema.properties.id?.["x-ogc-role"], schema.properties.geometry?.["x-ogc-role"]]).toEqual([
        "id",
        "primary-geometry",
      ]);
      const { geometry: _, ...properties } = schema.properties;
      for (const property of Object.values(properties)) expect(property.type).toEqual(expect.any(String));
      const isRow = ajv.compile(schema);
      const isItem = ajv.compile(await json(linked(links, "describedBy")));
      const { features } = await json<Items>(`/collections/${name}/items?limit=200`);
      const [first] = features;
      const one = await json<Items["features"][number]>(`/collections/${name}/items/${first?.id}`);
      for (const feature of [...features, one]) {
        expect(Object.keys(feature.properties)).toEqual(Object.keys(properties));
        const held = Object.entries(feature.properties).filter(([, value]) => value !== null);
        nulls += Object.keys(properties).length - held.length;
        const row = { ...Object.fromEntries(held), geometry: feature.geometry };
        expect(isRow(row), `${feature.id}: ${ajv.errorsText(isRow.errors)}`).toBe(true);
        const item = { ...feature, properties: Object.fromEntries(held) };
        expect(isItem(item), `${feature.id}: ${ajv.errorsText(isItem.errors)}`).toBe(true);
      }
    }
    expect(nulls).toBeGreaterThan(1000);
  });

  test("Part 3: a filter in CQL2, text or JSON, finds the same as a plain loop", async () => {
    const { properties, $id } = await json<{ properties: Record<string, object>; $id: string }>(
      "/collections/place/queryables",
    );
    expect($id).toBe(`${BASE}/ogc/collections/place/queryables`);
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(["geometry", "country", "categories", "operating_status", "confidence"]),
    );
    const places = await readStoredRows<Place>(sample.folder, "place");
    const categoriesOf = ({ categories }: Place) => [categories?.primary, ...(categories?.alternate ?? [])];
    const isIn = ({ bbox }: Place) =>
      bbox.xmin >= 7.41 && bbox.xmax <= 7.43 && bbox.ymin >= 43.73 && bbox.ymax <= 43.74;
    const box = [7.41, 43.73, 7.43, 43.74];
    const polygon = {
      type: "Polygon",
      coordinates: [
        [
          [7.41, 43.73],
          [7.43, 43.73],
          [7.43, 43.74],
          [7.41, 43.74],
          [7.41, 43.73],
        ],
      ],
    };
    const property = (name: string) => ({ property: name });
    const beds = places.filter((row) => categoriesOf(row).some((one) => one === "hotel" || one === "cafe"));
    const sure = places.filter((row) => (row.confidence ?? -1) >= 0.9 && isIn(row));
    for (const [text, value, wanted] of [
      ["categories IN ('hotel', 'cafe')", { op: "in", args: [property("categories"), ["hotel", "cafe"]] }, beds],
      [
        `(confidence >= 0.9) and S_INTERSECTS("geometry", POLYGON((7.41 43.73, 7.43 43.73, 7.43 43.74, 7.41 43.74, 7.41 43.73)))`,
        {
          op: "and",
          args: [
            { op: ">=", args: [property("confidence"), 0.9] },
            { op: "s_intersects", args: [property("geometry"), polygon] },
          ],
        },
        sure,
      ],
      [
        "S_INTERSECTS(geometry, BBOX(7.41, 43.73, 7.43, 43.74)) AND confidence>=9e-1",
        {
          op: "and",
          args: [
            { op: "s_intersects", args: [property("geometry"), { bbox: box }] },
            { op: ">=", args: [property("confidence"), 0.9] },
          ],
        },
        sure,
      ],
    ] as const) {
      expect(wanted.length, text).toBeGreaterThan(3);
      for (const query of [
        `filter=${encodeURIComponent(text)}`,
        `filter-lang=cql2-json&filter=${encodeURIComponent(JSON.stringify(value))}`,
      ]) {
        const { ids } = await all(`/collections/place/items?limit=1000&${query}`);
        expect(ids.toSorted(), query).toEqual(wanted.map(({ id }) => id).toSorted());
      }
    }
    const quoted = await json<Items>(
      `/collections/place/items?filter=${encodeURIComponent("brand_name = 'Domino''s'")}`,
    );
    expect(quoted.numberMatched).toBe(places.filter(({ brand }) => brand?.names?.primary === "Domino's").length);
  });

  test("Part 3: a filter is joined to the other parameters, and its language and coordinates are checked", async () => {
    const { conformsTo } = await json<{ conformsTo: string[] }>("/conformance");
    expect(conformsTo).toEqual(
      expect.arrayContaining([
        "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter",
        "http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2",
        "http://www.opengis.net/spec/cql2/1.0/conf/cql2-text",
        "http://www.opengis.net/spec/cql2/1.0/conf/cql2-json",
      ]),
    );
    const { properties, additionalProperties } = await json<{
      properties: Record<string, { type?: string; format?: string }>;
      additionalProperties: boolean;
    }>("/collections/place/queryables");
    expect(additionalProperties).toBe(false);
    for (const [property, { type, format }] of Object.entries(properties))
      expect([property, type ?? format]).toEqual([
        property,
        expect.stringMatching(/string|number|integer|boolean|geometry-any/),
      ]);
    const places = await readStoredRows<Place>(sample.folder, "place");
    const wanted = places.filter(
      ({ country, bbox, confidence = 0 }) =>
        country === "MC" && bbox.xmin >= 7.42 && bbox.xmax <= 7.43 && confidence < 0.8,
    );
    expect(wanted.length).toBeGreaterThan(0);
    const { ids } = await all(
      `/collections/place/items?limit=1000&bbox=7.42,43,8,44&country=MC&filter=${encodeURIComponent("confidence < 0.8 AND S_INTERSECTS(geometry, BBOX(7, 43, 7.43, 44))")}`,
    );
    expect(ids.toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
    for (const [query, message] of [
      ["filter=colour%3D%27red%27", /colour is not a property here; allowed are country, /],
      ["filter-lang=sql&filter=x", /filter-lang must be/],
      ["filter-crs=EPSG:3857&filter=x", /filter-crs must be/],
      ["filter=a&filter=b", /filter must be CQL2, given once/],
    ] as const) {
      const response = await ask(`/collections/place/items?${query}`);
      expect(response.status, query).toBe(400);
      expect(await response.json()).toEqual({ code: expect.any(String), description: expect.stringMatching(message) });
    }
  });

  test("errors have the standard's format, the value and what is allowed", async () => {
    for (const [path, status, message] of [
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
      const headers = [ERROR_HEADER, "Cache-Control"].map((name) => response.headers.get(name));
      expect(headers).toEqual([status === 400 ? "CAIRN_E_REQUEST" : "CAIRN_E_NOT_FOUND", "no-store"]);
      expect(await response.json()).toEqual({ code: expect.any(String), description: expect.stringMatching(message) });
    }
    expect((await api(new Request(`${BASE}/ogc/nothing`))).status).toBe(404);
  });
});
