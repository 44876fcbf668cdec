import { beforeAll, expect, test } from "vitest";
import { encodeGeohash, spellGeohash } from "../../data/format/geohash.ts";
import { type ByteSource, type Dataset, FetchError, openDataset } from "../engine/index.ts";
import { openSample } from "../engine/testing/sample.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { type Api, createApi } from "./index.ts";

const POINT = "lat=43.7384&lng=7.4246";

let source: ByteSource;
let dataset: Dataset;
let api: Api;
beforeAll(async () => {
  ({ source } = await openSample());
  dataset = openDataset({ source, decode: decodeParquet });
  api = createApi({ dataset });
}, 600_000);

const get = (query: string) => api(new Request(`http://maps.example${query}`));

interface Counts {
  readonly total: number;
  readonly group?: string;
  readonly groups?: readonly { readonly key: string; readonly name?: string; readonly count: number }[];
}

async function counts(query: string): Promise<Counts> {
  const response = await get(`/counts?${query}`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text);
}

async function searched(query: string): Promise<number> {
  const response = await get(query);
  expect(response.status).toBe(200);
  return Number(response.headers.get("Pagination-Count"));
}

test("a count equals Pagination-Count of the search", async () => {
  for (const [what, query] of [
    ["places", `${POINT}&radius=700`],
    ["places", `${POINT}&radius=700&categories=restaurant`],
    ["places", "country=MC&categories=restaurant,cafe&min_confidence=0.6"],
    ["places", `${POINT}&name=caf`],
    ["buildings", `${POINT}&radius=400`],
    ["transportation", "country=MC&class=footway"],
    ["addresses", "country=MC"],
    ["places", "country=US,MC&categories=restaurant"],
    ["buildings", "country=MC,US,GB"],
    ["divisions", "bbox=5,43,8,45"],
  ] as const) {
    const { total } = await counts(`what=${what}&${query}`);
    expect([query, total]).toEqual([query, await searched(`/${what}?${query}&limit=1`)]);
    expect(total).toBeGreaterThan(0);
  }
});

test("groups are the records' values and cells", async () => {
  const places = (await (await get(`/places?${POINT}&radius=900&limit=25000`)).json()) as {
    geometry: { coordinates: [number, number] };
    properties: { categories?: { primary?: string } };
  }[];
  const tally = (keys: readonly (string | undefined)[]) => {
    const all = new Map<string, number>();
    for (const key of keys) if (key) all.set(key, (all.get(key) ?? 0) + 1);
    return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  const askCounts = async (query: string) => {
    const { groups = [] } = await counts(`${POINT}&radius=900&limit=25000&${query}`);
    return Object.fromEntries(groups.map(({ key, count }) => [key, count]));
  };
  expect(await askCounts("group=cell&level=6")).toEqual(
    tally(places.map(({ geometry: { coordinates } }) => spellGeohash(encodeGeohash(...coordinates), 30))),
  );
  expect(await askCounts("group=category")).toEqual(
    tally(places.map(({ properties }) => properties.categories?.primary)),
  );
});

test("cells are polygons in GeoJSON, and groups have pages", async () => {
  const response = await get("/counts?country=MC&group=cell&level=5&format=geojson");
  expect(response.headers.get("Content-Type")).toBe("application/geo+json; charset=utf-8");
  const { features } = (await response.json()) as { features: { geometry: object; properties: { count: number } }[] };
  expect(features.length).toBeGreaterThan(1);
  expect(features[0]).toMatchObject({ type: "Feature", geometry: { type: "Polygon" } });
  const sum = features.reduce((all, { properties }) => all + properties.count, 0);
  expect(sum).toBe((await counts("country=MC")).total);
  const second = await get("/counts?country=MC&group=cell&level=5&limit=1&page=1&format=csv");
  expect([second.headers.get("Pagination-Count"), second.headers.get("Link")]).toEqual([
    String(features.length),
    expect.stringContaining('rel="prev"'),
  ]);
  expect(await second.text()).toMatch(/^cell,count\r\n\w{5},\d+\r\n$/);
  expect(await (await get("/counts?country=MC&format=csv")).text()).toMatch(/^count\r\n\d+\r\n$/);
});

test("divisions are counted in their outlines", async () => {
  const { groups = [] } = await counts("what=places&country=MC&group=division&level=country");
  // the sample has two areas of it
  expect(groups).toHaveLength(2);
  const [{ key, name, count } = { key: "", name: "", count: 0 }] = groups;
  expect(name).toBe("Monaco");
  expect(count).toBe(await searched(`/places?within=${key}&country=MC&limit=1`));
  const again = await counts(`what=places&country=MC&group=division&ids=${key}`);
  expect(again.groups).toEqual(groups.slice(0, 1));
  expect((await counts(`what=places&country=MC&group=division&ids=${key},${key}`)).groups).toEqual(again.groups);
  const csv = await (await get(`/counts?country=MC&group=division&ids=${key}&format=csv`)).text();
  expect(csv).toBe(`division,name,count\r\n${key},Monaco,${count}\r\n`);
});

test("the divisions of an area that is given by its id are counted", async () => {
  const [{ key } = { key: "" }] = (await counts("country=MC&group=division&level=country")).groups ?? [];
  const inside = await counts(`within=${key}&group=division&level=neighborhood`);
  const inCountry = await counts("country=MC&group=division&level=neighborhood");
  const keysOf = ({ groups = [] }: typeof inside) => groups.map((group) => group.key).sort();
  expect(keysOf(inside)).toEqual(keysOf(inCountry));
  expect(inside.groups?.length).toBeGreaterThan(5);
});

test("an area in the body is counted", async () => {
  const ring = [
    [7.41, 43.73],
    [7.43, 43.73],
    [7.43, 43.75],
    [7.41, 43.75],
    [7.41, 43.73],
  ];
  const body = JSON.stringify({ type: "Polygon", coordinates: [ring] });
  const post = (path: string) =>
    api(
      new Request(`http://maps.example${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/geo+json" },
        body,
      }),
    );
  const { total } = (await (await post("/counts?what=buildings")).json()) as Counts;
  expect(total).toBe(Number((await post("/buildings?limit=1")).headers.get("Pagination-Count")));
  expect(total).toBeGreaterThan(0);
});

test.each([
  ["what=cafes", /what must be one of places, .*got "cafes"/],
  ["group=colour", /group must be one of cell, country, division, category, brand, confidence here, got "colour"/],
  ["group=cell&level=9", /level must be a number from 1 to 6 with group=cell, got "9"/],
  ["level=4", /level needs group=cell or group=division/],
  ["group=division", /either level or ids is required/],
  ["ids=a", /ids needs group=division/],
  ["format=geojson", /format=geojson needs group=cell or group=division, got no group/],
  ["group=category&format=xml", /format must be one of json, csv, geojson, got "xml"/],
  ["what=divisions&group=division&level=neighborhood", /at most 100 are counted/],
  ["nearest=3", /"nearest" is not a parameter here/],
  ["lat=1", /lng is required with lat/],
])("%s is a 400 that says what is allowed", async (query, message) => {
  const response = await get(`/counts?${query}`);
  expect(response.status).toBe(400);
  expect(((await response.json()) as { message: string[] }).message.join("\n")).toMatch(message);
});

test("a missing or damaged file is a 503, never a smaller count", async () => {
  for (const kind of ["missing", "damaged"] as const) {
    for (const part of ["_count_cell", "_points"]) {
      const broken: ByteSource = {
        name: source.name,
        async read(path, options) {
          if (!path.includes(part)) return source.read(path, options);
          if (kind === "missing") throw new FetchError(`${path} is not there`, { path, status: 404 });
          return (await source.read(path, options)).map((byte, index) => (index === 3 ? byte ^ 1 : byte));
        },
      };
      const failing = createApi({ dataset: openDataset({ source: broken, decode: decodeParquet }) });
      const response = await failing(new Request(`http://maps.example/counts?${POINT}&radius=700&group=category`));
      expect([kind, part, response.status]).toEqual([kind, part, 503]);
      expect(await response.text()).toContain(part);
    }
  }
});

test("the heat map of a country takes at most 150 KB and two round trips after the manifest", async () => {
  const read: { path: string; bytes: number; start: number; end: number }[] = [];
  let clock = 0;
  const counted: ByteSource = {
    name: source.name,
    async read(path, options) {
      const start = clock++;
      const bytes = await source.read(path, options);
      read.push({ path, bytes: bytes.byteLength, start, end: clock++ });
      return bytes;
    },
  };
  const own = createApi({ dataset: openDataset({ source: counted, decode: decodeParquet }) });
  await own(new Request("http://maps.example/openapi.json"));
  read.length = 0;
  const response = await own(new Request("http://maps.example/counts?country=US&group=cell&level=5"));
  expect(((await response.json()) as Counts).total).toBeGreaterThan(3000);
  expect(read.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(150_000);
  const rounds = new Set(read.map(({ start }) => read.filter(({ end }) => end < start).length));
  expect(rounds.size).toBeLessThanOrEqual(2);
  expect(read.filter(({ path }) => !/_(pages|count_cell)\//.test(path))).toEqual([]);
});
