import { describe, expect, test } from "vitest";
import { AreaTooLargeError } from "../../data/format/area.ts";
import { FORMAT_VERSION } from "../../data/format/manifest.ts";
import { parseManifest } from "../../data/format/manifest-schema.ts";
import { FetchError, ReleaseError } from "../engine/contract/errors.ts";
import type { Feature, Query } from "../engine/contract/query.ts";
import type { Dataset } from "../engine/index.ts";
import { SEARCH_PATHS } from "../search/index.ts";
import { entityTag } from "./answer.ts";
import { createApi, isApiPath } from "./index.ts";

const manifest = parseManifest({
  format: "cairn",
  format_version: FORMAT_VERSION,
  sha256: "0".repeat(64),
  release: "test",
  attribution: [],
  rejects: { rows: 0, bytes: 0, sha256: "0".repeat(64), reasons: {} },
  collections: {},
});

const feature = (id: string): Feature => ({
  id,
  type: "Feature",
  geometry: { type: "Point", coordinates: [7.4, 43.7] },
  properties: { id, type: "place", zero: 0, no: false, empty: "" },
});

function fakeDataset(total = 56): { dataset: Dataset; asked: Query[] } {
  const asked: Query[] = [];
  const dataset: Dataset = {
    manifest: async () => manifest,
    refresh: async () => manifest,
    heldBytes: () => 0,
    async onRelease(work, { release = manifest.release } = {}) {
      if (release === manifest.release) return work(this);
      throw new ReleaseError({ asked: release, present: manifest.release, kept: [] });
    },
    suggest: async () => [],
    categoriesMeant: async () => [],
    prefetchIndex: async () => {},
    rowBoxes: async () => [],
    partitions: async () => ({ partitions: [], stamps: {} }),
    partitionTable: () => Promise.reject(new Error("no partitions here")),
    inBox: () => Promise.reject(new Error("no boxes here")),
    shapesIn: () => Promise.reject(new Error("no boxes here")),
    locate: () => Promise.reject(new Error("no locations here")),
    table: async () => undefined,
    find: async (_, id) => (id === "known" ? feature(id) : undefined),
    facet: () => Promise.reject(new Error("no facets here")),
    count: () => Promise.reject(new Error("no counts here")),
    group: async (query, by) => {
      asked.push(query);
      const brand = { value: { names: { primary: "A, B" }, wikidata: "Q1" }, rows: 3, brands: 1 };
      const others = ["cafe", "bar", "pub"].map((value, i) => ({ value, rows: 9 - i, brands: i }));
      const groups = by === "brand" ? [brand] : others;
      return { total: groups.length, groups: groups.slice(query.offset, query.offset + query.limit) };
    },
    search: async (query) => {
      asked.push(query);
      const ids = Array.from({ length: total }, (_, i) => `id-${String(i).padStart(3, "0")}`);
      const page = ids.slice(query.offset, query.offset + query.limit).map(feature);
      return {
        total,
        length: page.length,
        features: () => page.values(),
        json: ({ hasGeometry = true } = {}) =>
          page
            .map((one) => new TextEncoder().encode(JSON.stringify(hasGeometry ? one : { ...one, geometry: null })))
            .values(),
        report: {
          release: "test",
          files: [],
          partitionsCounted: 0,
          rowsScanned: 0,
          isOrdered: false,
          milliseconds: { plan: 0, read: 0, execute: 0 },
        },
      };
    },
  };
  return { dataset, asked };
}

const places = SEARCH_PATHS.find(({ path }) => path === "/places");
const PARAMETERS_OF_PLACES = `allowed are ${places?.parameters.join(", ")}`;

const { dataset, asked } = fakeDataset();
const api = createApi({ dataset });
const get = (path: string, init?: RequestInit) => api(new Request(new URL(path, "http://cairn.test"), init));

async function faultsOf(path: string): Promise<string[]> {
  const response = await get(path);
  expect(response.status, path).toBe(400);
  const body = await response.json();
  expect(body).toEqual({ statusCode: 400, message: expect.any(Array), error: "Bad Request" });
  return body.message;
}

test("a page is an array, with paging in headers", async () => {
  const response = await get("/places?lat=43.7&lng=7.4&limit=25&page=2");
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
  const names = ["Pagination-Count", "Pagination-Page", "Pagination-Limit", "X-Total-Count"];
  expect(names.map((name) => response.headers.get(name))).toEqual(["56", "2", "25", "6"]);
  const body = await response.json();
  expect(body.map((record: Feature) => record.id)).toEqual([
    "id-050",
    "id-051",
    "id-052",
    "id-053",
    "id-054",
    "id-055",
  ]);
  expect(response.headers.get("Link")).toBe(
    '<http://cairn.test/places?lat=43.7&lng=7.4&limit=25&page=0>; rel="first", ' +
      '<http://cairn.test/places?lat=43.7&lng=7.4&limit=25&page=1&release=test>; rel="prev", ' +
      '<http://cairn.test/places?lat=43.7&lng=7.4&limit=25&page=2&release=test>; rel="last"',
  );
});

test("defaults match the specification", async () => {
  await get("/places?lat=0&lng=0");
  expect(asked.at(-1)).toEqual({
    collections: ["place"],
    circle: { lat: 0, lon: 0, radiusMeters: 1000 },
    offset: 0,
    limit: 1000,
  });
  await get("/divisions?country=mc");
  expect(asked.at(-1)).toEqual({ collections: ["division_area"], country: "MC", offset: 0, limit: 1000 });
});

test("types choose the collections of a path", async () => {
  await get("/transportation?country=MC&types=connector,segment");
  expect(asked.at(-1)?.collections).toEqual(["segment", "connector"]);
  await get("/base?country=MC");
  expect(asked.at(-1)?.collections).toHaveLength(6);
  expect(await faultsOf("/base?country=MC&types=water,segment")).toEqual([
    'types must be of infrastructure, land, land_cover, land_use, water, bathymetry, several with commas, got "water,segment"',
  ]);
});

test.each([
  ["lat=91&lng=0", 'lat must be a number from -90 to 90, got "91"'],
  ["lat=0&lng=-180.5", 'lng must be a number from -180 to 180, got "-180.5"'],
  ["lat=0x1&lng=0", 'lat must be a number from -90 to 90, got "0x1"'],
  ["lat=&lng=0", 'lat must be a number from -90 to 90, got ""'],
  ["lat=NaN&lng=0", 'lat must be a number from -90 to 90, got "NaN"'],
  ["lat=0&lng=0&radius=0.5", 'radius must be a number of at least 1, got "0.5"'],
  ["lat=0&lng=0&radius=1e400", 'radius must be a number of at least 1, got "1e400"'],
  ["lat=0&lng=0&limit=0", 'limit must be an integer from 1 to 25000, got "0"'],
  ["lat=0&lng=0&limit=25001", 'limit must be an integer from 1 to 25000, got "25001"'],
  ["lat=0&lng=0&limit=1.5", 'limit must be an integer from 1 to 25000, got "1.5"'],
  ["lat=0&lng=0&limit=1&limit=2", 'limit must be an integer from 1 to 25000, got ["1","2"]'],
  ["lat=0&lng=0&page=-1", 'page must be an integer of at least 0, got "-1"'],
  ["country=MCO", 'country must be an ISO 3166-1 alpha-2 code of two letters, or at most 60 with commas, got "MCO"'],
  ["lat=0", "lng is required with lat, got lat alone"],
  ["country=MC&lng=3", "lat is required with lng, got lng alone"],
  ["radius=5", "lat and lng, or country or within, are required, got neither"],
  ["country=MC&raduis=5", '"raduis" is not a parameter here; the nearest is radius'],
  ["country=MC&=x", `"" is not a parameter here; ${PARAMETERS_OF_PLACES}`],
  ["country=MC&foo=x", `"foo" is not a parameter here; ${PARAMETERS_OF_PLACES}`],
  ["country=MC&__proto__=x", `"__proto__" is not a parameter here; ${PARAMETERS_OF_PLACES}`],
  ["country=MC&names[]=x", '"names[]" is not a parameter here; the nearest is name'],
  [
    "country=MC&format=xml",
    'format must be one of json, csv, geojson, geojsonl, spreadsheet, gpx, kml, flatgeobuf, geoparquet, got "xml"',
  ],
])("%s is refused", async (query, message) => {
  expect(await faultsOf(`/places?${query}`)).toEqual([message]);
});

test("all faults of a request are reported together", async () => {
  const faults = await faultsOf("/places?lat=91&limit=0&page=x&colour=red");
  expect(faults).toHaveLength(5);
  expect(faults.join(" ")).toMatch(/lat .*limit .*page .*"colour" .*lng is required/s);
});

test("the limits themselves are allowed", async () => {
  for (const query of [
    "lat=90&lng=180&radius=1&limit=25000",
    "lat=-90&lng=-180&limit=1&page=9000000",
    "lat=-0.0&lng=%2B0&radius=1e3",
  ]) {
    expect((await get(`/places?${query}`)).status, query).toBe(200);
  }
});

test("any page may read the answer and its paging headers", async () => {
  const response = await get("/places?country=MC", { headers: { Origin: "https://elsewhere.test" } });
  expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  const exposed = response.headers.get("Access-Control-Expose-Headers")?.split(",") ?? [];
  expect(exposed).toEqual(
    expect.arrayContaining(["Pagination-Count", "Pagination-Page", "Pagination-Limit", "X-Total-Count"]),
  );
  const preflight = await get("/places", {
    method: "OPTIONS",
    headers: {
      Origin: "https://elsewhere.test",
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "x-api-key",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("Access-Control-Allow-Headers")).toContain("x-api-key");
});

test("HEAD has the headers of GET and no body", async () => {
  const response = await get("/places?country=MC", { method: "HEAD" });
  expect(response.status).toBe(200);
  expect(response.headers.get("Pagination-Count")).toBe("56");
  expect(await response.text()).toBe("");
});

test("an entity tag answers 304, and changes with the query", async () => {
  const first = await get("/places?country=MC");
  const tag = first.headers.get("ETag") ?? "";
  expect(tag).toMatch(/^"[0-9a-f]{24}"$/);
  const again = await get("/places?country=MC", { headers: { "If-None-Match": `"other", W/${tag}` } });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
  expect((await get("/places?country=MC&page=1")).headers.get("ETag")).not.toBe(tag);
  expect((await get("/places?country=MC&limit=0", { headers: { "If-None-Match": tag } })).status).toBe(400);
});

describe("a search in an area", () => {
  const square = {
    type: "Polygon",
    coordinates: [
      [
        [7, 43],
        [8, 43],
        [8, 44],
        [7, 44],
        [7, 43],
      ],
    ],
  };
  const post = (body: string, query = "") =>
    get(`/places${query}`, { method: "POST", body, headers: { "Content-Type": "application/geo+json" } });

  test("takes the area from the body, and the rest from the URL", async () => {
    const response = await post(JSON.stringify(square), "?categories=cafe&limit=10&page=1&format=geojson");
    expect(response.status).toBe(200);
    expect(response.headers.get("Pagination-Count")).toBe("56");
    expect([response.headers.get("ETag"), response.headers.get("Cache-Control")]).toEqual([null, "no-store"]);
    expect((await response.json()).features).toHaveLength(10);
    expect(asked.at(-1)).toMatchObject({
      area: square,
      filters: { terms: [["category:cafe"]] },
      offset: 10,
      limit: 10,
    });
  });

  test.each([
    ["no JSON", "{", /GeoJSON Polygon or MultiPolygon: /],
    ["a point", JSON.stringify({ type: "Point", coordinates: [7, 43] }), /got "Point"/],
    [
      "an open ring",
      JSON.stringify({
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ],
        ],
      }),
      /same as the first/,
    ],
  ])("%s is refused", async (_, body, reason) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect((await response.json()).message).toEqual([expect.stringMatching(reason)]);
  });

  test("a body that is too long is refused before it is read completely", async () => {
    const response = await post(" ".repeat(9 * 1024 * 1024));
    expect(response.status).toBe(413);
    expect((await response.json()).message[0]).toMatch(/at most 8388608 bytes/);
  });

  test("an area with too many corners, or one that takes the engine too long, is refused", async () => {
    const ring = Array.from({ length: 500_001 }, (_, i) => (i % 500_000 === 0 ? [0, 0] : [1, i % 2]));
    const large = await post(JSON.stringify({ type: "Polygon", coordinates: [ring] }));
    expect([large.status, (await large.json()).message]).toEqual([
      413,
      ["the body is too large: an area has at most 500000 corners, got 500001: simplify its outline"],
    ]);
    const reason = "an area of 90000 edges takes more than 7 comparisons";
    const slow = { ...dataset, search: () => Promise.reject(new AreaTooLargeError(reason)) };
    for (const path of ["/places", "/buildings"]) {
      const response = await createApi({ dataset: slow })(
        new Request(`http://cairn.test${path}`, {
          method: "POST",
          body: JSON.stringify(square),
          headers: { "Content-Type": "application/geo+json" },
        }),
      );
      expect(response.status).toBe(413);
      expect(await response.json()).toEqual({ statusCode: 413, message: [reason], error: "Content Too Large" });
    }
  });

  test("the id of a division selects its outline; another id is refused", async () => {
    const outlined: Dataset = {
      ...dataset,
      find: async (_, id) => (id === "d" ? ({ ...feature("d"), geometry: square } as unknown as Feature) : undefined),
    };
    const within = (id: string) =>
      createApi({ dataset: outlined })(new Request(`http://cairn.test/places?within=${id}`));
    expect((await within("d")).status).toBe(200);
    expect(asked.at(-1)).toMatchObject({ area: square });
    const lost = await within("e");
    expect([lost.status, (await lost.json()).message]).toEqual([400, ['within must be the id of a division, got "e"']]);
    const both = await post(JSON.stringify(square), "?within=d");
    expect((await both.json()).message).toEqual(["within is not taken with an area in the body, got both"]);
  });
});

test("other methods and paths are refused in the standard error format", async () => {
  const put = await get("/places?country=MC", { method: "PUT" });
  expect([put.status, put.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS, POST"]);
  expect(await put.json()).toMatchObject({ statusCode: 405, error: "Method Not Allowed" });
  const post = await get("/places/countries", { method: "POST", body: "{}" });
  expect([post.status, post.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  const lost = await get("/place");
  expect(lost.status).toBe(404);
  expect(await lost.json()).toEqual({
    statusCode: 404,
    message: ["/place is not a path of this service; the nearest is /places"],
    error: "Not Found",
  });
});

test("a body of another media type is a 415, a missing body a 405", async () => {
  for (const { path } of SEARCH_PATHS) {
    for (const type of ["text/plain", "application/json", "application/geo+json-seq", ""]) {
      const headers = { "Content-Type": type };
      const refused = await get(`${path}?country=MC`, { method: "POST", body: "{}", headers });
      expect([refused.status, refused.headers.get("Accept-Post")]).toEqual([415, "application/geo+json"]);
      expect((await refused.json()).message).toEqual([
        `the body must be application/geo+json, a GeoJSON Polygon or MultiPolygon, got ${JSON.stringify(type)}`,
      ]);
    }
    const bare = await get(`${path}?country=MC`, { method: "POST" });
    expect([bare.status, bare.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS, POST"]);
    const body = JSON.stringify({
      type: "Polygon",
      coordinates: [
        [
          [7, 43],
          [8, 43],
          [8, 44],
          [7, 43],
        ],
      ],
    });
    const headers = { "Content-Type": "Application/GEO+JSON; charset=utf-8" };
    expect((await get(path, { method: "POST", body, headers })).status).toBe(200);
  }
});

test("the document marks required parameters, and a request without them is refused", async () => {
  const { paths } = await (await get("/openapi.json")).json();
  const required = Object.entries<{ get: { parameters: { name: string; required: boolean; in: string }[] } }>(
    paths,
  ).flatMap(([path, operation]) => {
    const { parameters } = operation.get;
    const names = parameters.filter((each) => each.in === "query" && each.required).map(({ name }) => name);
    return names.length > 0 ? [[path, names] as const] : [];
  });
  expect(Object.fromEntries(required)).toEqual({
    "/autocomplete": ["text"],
    "/search": ["text"],
    "/reverse": ["lat", "lng"],
    "/photon/api": ["q"],
    "/photon/reverse": ["lat", "lon"],
    "/nominatim/reverse": ["lat", "lon"],
    "/nominatim/lookup": ["osm_ids"],
    "/changes": ["since"],
  });
  const ofNominatim = async (path: string) => [(await (await get(path)).json()).error.message];
  for (const [path, names] of required) {
    const faults = await (path.startsWith("/nominatim") ? ofNominatim(path) : faultsOf(path));
    for (const name of names) expect(faults).toContainEqual(expect.stringContaining(name));
  }
});

test("a parameter that excludes another has no default, because clients would send it", async () => {
  const { paths } = await (await get("/openapi.json")).json();
  for (const { path } of SEARCH_PATHS) {
    const named = (name: string) => paths[path].get.parameters.find((each: { name: string }) => each.name === name);
    expect([named("nearest").schema.default, named("radius").schema.default]).toEqual([undefined, undefined]);
    expect(named("radius").description).toContain("1000 if");
  }
});

test("an unreadable data file is a 503 that names it; any other failure a 500 without internal details", async () => {
  const failing = (error: Error) => {
    const heard: string[] = [];
    const broken = createApi({
      dataset: { ...dataset, search: () => Promise.reject(error) },
      onFailure: (_, reference) => heard.push(reference),
    });
    return { heard, ask: () => broken(new Request("http://cairn.test/places?country=MC")) };
  };
  const lost = await failing(new FetchError("status 404", { path: "place/x.parquet", status: 404 })).ask();
  expect([lost.status, lost.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect((await lost.json()).message).toEqual(["data file place/x.parquet cannot be read: status 404"]);
  const bug = failing(new TypeError("secret inside"));
  const response = await bug.ask();
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(text).not.toContain("secret");
  expect(text).toContain(bug.heard[0]);
});

test("the base URL may have a path", async () => {
  const below = createApi({ dataset, basePath: "/maps" });
  expect((await below(new Request("http://cairn.test/maps/places?country=MC"))).status).toBe(200);
  expect((await below(new Request("http://cairn.test/places?country=MC"))).status).toBe(404);
  expect(isApiPath("/maps/places", "/maps")).toBe(true);
  expect(isApiPath("/maps/places", "/maps/")).toBe(true);
  expect(isApiPath("/places", "/maps")).toBe(false);
  expect(isApiPath("/maps/", "/maps")).toBe(false);
  expect(isApiPath("/assets/x.js")).toBe(false);
});

test.each(["my maps", "käse", "100%", "50%25", "a+b", "~me", "v1.0 (beta)", "{x}", ":y", "地図"])(
  "the base URL may be a folder of any name: %s",
  async (name) => {
    const base = new URL(`http://cairn.test/a/${encodeURIComponent(name)}/`);
    const below = createApi({ dataset, basePath: base.pathname });
    const response = await below(new Request(`${base}places?country=MC&limit=1`));
    expect([response.status, response.headers.get("Link")]).toEqual([200, expect.stringContaining(`<${base}places?`)]);
    expect((await below(new Request(`${base}openapi.json`))).status).toBe(200);
    expect((await below(new Request(`${base}places/known`))).status).toBe(200);
  },
);

test("nearest replaces a radius, and reports missing parameters", async () => {
  expect((await get("/places?lat=1&lng=2&nearest=5&limit=3")).status).toBe(200);
  const circle = { lat: 1, lon: 2, radiusMeters: Number.POSITIVE_INFINITY };
  expect(asked.at(-1)).toMatchObject({ circle, nearest: 5, offset: 0, limit: 3 });
  await get("/places?lat=1&lng=2&limit=3");
  expect(asked.at(-1)).toEqual({
    collections: ["place"],
    circle: { ...circle, radiusMeters: 1000 },
    offset: 0,
    limit: 3,
  });
  expect(await faultsOf("/places?lat=1&lng=2&nearest=5&radius=9")).toEqual([
    "nearest is not taken with radius, got both",
  ]);
  expect(await faultsOf("/places?country=MC&nearest=5")).toEqual([
    "lat and lng are required with nearest, got neither",
  ]);
  expect(await faultsOf("/places?lat=1&lng=2&nearest=0")).toEqual([
    'nearest must be an integer from 1 to 25000, got "0"',
  ]);
  expect(await faultsOf("/places/brands?lat=1&lng=2&nearest=5")).toEqual([expect.stringContaining("not a parameter")]);
});

test("an empty result is an empty array, and an empty FeatureCollection", async () => {
  const empty = createApi({ dataset: fakeDataset(0).dataset });
  const ask = async (query: string) => (await empty(new Request(`http://cairn.test/places?${query}`))).json();
  expect(await ask("country=ZZ")).toEqual([]);
  expect(await ask("country=ZZ&format=geojson")).toEqual({ type: "FeatureCollection", features: [] });
});

test("the OpenAPI document names every search path and parameter", async () => {
  const document = await (await get("/openapi.json")).json();
  expect(document.openapi).toBe("3.1.0");
  for (const { path, types } of SEARCH_PATHS) {
    const names = document.paths[path].get.parameters.map((parameter: { name: string }) => parameter.name);
    expect(names).toEqual(
      expect.arrayContaining([
        "lat",
        "lng",
        "radius",
        "limit",
        "page",
        "format",
        "includes",
        "country",
        ...(types ? ["types"] : []),
      ]),
    );
  }
  const [lat] = document.paths["/places"].get.parameters;
  expect(lat).toMatchObject({
    name: "lat",
    in: "query",
    required: false,
    schema: { type: "number", minimum: -90, maximum: 90 },
  });
});

test("filters become terms; each path accepts its own", async () => {
  await get(
    "/places?country=US&name=Café Łódź&categories=cafe,bar&brand_name=ALDI&min_confidence=0.5&has_contact=email,website",
  );
  expect(asked.at(-1)?.filters).toEqual({
    terms: [
      ["name:cafe"],
      ["name:lodz"],
      ["category:cafe", "category:bar"],
      ["brand:aldi"],
      ["contact:website", "contact:email"],
    ],
    atLeast: { confidence: 0.5 },
  });
  await get("/divisions?bbox=170,-20,-170,0&admin_level=0,1");
  expect(asked.at(-1)).toMatchObject({ filters: { terms: [["level:0", "level:1"]], bbox: [170, -20, -170, 0] } });
  await get("/divisions?name=東");
  expect(asked.at(-1)?.filters).toEqual({ terms: [["name:東"]] });
  await get("/addresses?country=US&name=1600 Pearl, Boulder");
  expect(asked.at(-1)?.filters).toEqual({ terms: [["name:1600"], ["name:pearl"], ["name:boulder"]] });
  expect(await faultsOf("/addresses?country=US&subtype=main")).toEqual([
    expect.stringContaining('"subtype" is not a parameter here'),
  ]);
  expect(await faultsOf("/divisions?name=a")).toEqual([
    'name must be text of at least 2 letters or digits, 1 in Han, Hangul or kana, got "a"',
  ]);
  expect(await faultsOf("/divisions?bbox=1,2,3")).toEqual([
    'bbox must be xmin,ymin,xmax,ymax in degrees with ymin at most ymax, got "1,2,3"',
  ]);
  expect(await faultsOf("/divisions?country=US&admin_level=one&include_geometry=yes")).toHaveLength(2);
});

test("counts have pages, and need no location", async () => {
  const response = await get("/places/categories?limit=2&page=1");
  expect(await response.json()).toEqual([{ primary: "pub", counts: { places: 7, brands: 2 } }]);
  expect(response.headers.get("Pagination-Count")).toBe("3");
  expect(asked.at(-1)?.collections).toEqual(["place"]);
  expect(await (await get("/places/brands?country=US")).json()).toEqual([
    { names: { primary: "A, B" }, wikidata: "Q1", counts: { places: 3 } },
  ]);
  expect(await (await get("/places/brands?format=csv")).text()).toBe(
    'names_primary,wikidata,counts_places\r\n"A, B",Q1,3\r\n',
  );
  for (const path of ["brands", "categories", "countries"]) {
    expect(await faultsOf(`/places/${path}?format=geojson&=x`)).toEqual([
      'format must be one of json, csv, got "geojson"',
      expect.stringMatching(/^"" is not a parameter here; allowed are lat, /),
    ]);
  }
  expect(await faultsOf("/places/countries?lat=1")).toEqual(["lng is required with lat, got lat alone"]);
});

test("includes is accepted where the public service accepts it, under both names; counts ignore it", async () => {
  const whole = await (await get("/places/brands")).json();
  for (const query of ["includes=id,geometry,properties", "includes[]=names", "includes="]) {
    expect(await (await get(`/places/brands?${query}`)).json()).toEqual(whole);
  }
  expect((await get("/places/categories?includes=primary")).status).toBe(200);
  expect(await faultsOf("/places/countries?includes[]=country")).toEqual([
    expect.stringMatching(/^"includes" is not a parameter here; allowed are lat, /),
  ]);
  const spellings = [
    "includes=zero,no",
    "includes[]=zero&includes[]=no",
    "includes%5B%5D=zero,no",
    "includes=zero&includes[]=no",
  ];
  for (const query of spellings) {
    expect((await (await get(`/places/known?${query}`)).json()).properties).toEqual({
      id: "known",
      zero: 0,
      no: false,
    });
  }
});

test("enrichment_fields is accepted where the public service accepts it, and changes nothing", async () => {
  for (const path of ["/places", "/places/buildings"]) {
    const plain = await (await get(`${path}?country=MC`)).text();
    expect(await (await get(`${path}?country=MC&enrichment_fields=brand,photos`)).text()).toBe(plain);
  }
  expect(await faultsOf("/buildings?country=MC&enrichment_fields=brand")).toHaveLength(1);
});

test("includes[] is includes, and both together are one list", async () => {
  const plain = await (await get("/places/known?includes=zero,names")).text();
  expect(await (await get("/places/known?includes[]=zero&includes[]=names")).text()).toBe(plain);
  expect(await (await get("/places/known?includes[]=zero&includes=names")).text()).toBe(plain);
});

test("a record has its own URL", async () => {
  const found = await get("/places/known?includes=zero");
  expect([found.status, await found.json()]).toEqual([
    200,
    { ...feature("known"), properties: { id: "known", zero: 0 } },
  ]);
  const lost = await get("/divisions/50%25%20%3Cb%3E");
  expect(lost.status).toBe(404);
  expect((await lost.json()).message).toEqual(['"50% <b>" is not the id of a record of /divisions']);
  expect((await get("/places/known?radius=4")).status).toBe(400);
  expect((await get("/places/known", { method: "DELETE" })).status).toBe(405);
  expect(isApiPath("/places/known")).toBe(true);
});

test("a service with keys refuses requests without a known one, but never a preflight", async () => {
  const locked = createApi({ dataset, isKnownKey: (key) => key === "open" });
  const ask = (query: string, init?: RequestInit) =>
    locked(new Request(`http://cairn.test/places?country=MC${query}`, init));
  expect((await ask("")).status).toBe(401);
  const wrong = await ask("", { headers: { "x-api-key": "shut" } });
  expect(await wrong.json()).toEqual({ statusCode: 401, message: ["x-api-key is not known"], error: "Unauthorized" });
  expect(wrong.headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect((await ask("", { headers: { "x-api-key": "open" } })).status).toBe(200);
  const inQuery = await ask("&api_key=open");
  expect(inQuery.status).toBe(200);
  expect(inQuery.headers.get("Link")).not.toContain("open");
  expect((await ask("", { method: "OPTIONS" })).status).toBe(204);
});

test("an answer of an older release has the entity tag of that release", async () => {
  const older = { ...manifest, release: "older", sha256: "1".repeat(64) };
  const offline: Dataset = { ...dataset, onRelease: (work) => work({ ...dataset, manifest: async () => older }) };
  for (const path of ["/places?country=MC", "/places/known", "/places/categories", "/autocomplete?text=a"]) {
    const url = new URL(path, "http://localhost");
    const present = await createApi({ dataset })(new Request(url));
    const asked = { headers: { "If-None-Match": present.headers.get("ETag") ?? "" } };
    const response = await createApi({ dataset: offline })(new Request(url, asked));
    expect([response.status, response.headers.get("Cairn-Release")], path).toEqual([200, "older"]);
    expect(response.headers.get("ETag"), path).toBe(await entityTag(older, url));
    expect(present.headers.get("ETag"), path).toBe(await entityTag(manifest, url));
  }
});

test("a release that is not available is a conflict that names the current one", async () => {
  const response = await get("/places?country=MC&page=1&release=gone");
  expect([response.status, response.headers.get("ETag"), await response.json()]).toEqual([
    409,
    null,
    {
      statusCode: 409,
      message: [
        'release must be one of "test", got "gone"; the current release is "test": start again with the first page, without release',
      ],
      error: "Conflict",
    },
  ]);
  expect((await get("/places?country=MC&page=1&release=test")).status).toBe(200);
});
