import { beforeAll, expect, test } from "vitest";
import type { BBox } from "../../data/format/bbox.ts";
import { encodeGeohash, spellGeohash } from "../../data/format/geohash.ts";
import type { Geometry } from "../../data/format/geometry.ts";
import { type Dataset, openDataset } from "../engine/index.ts";
import { openSample } from "../engine/testing/sample.ts";
import { readStoredRows } from "../engine/testing/stored-rows.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { type Api, createApi } from "./index.ts";

interface Place {
  readonly id: string;
  readonly country: string;
  readonly geometry: Geometry;
  readonly confidence?: number;
  readonly categories?: { readonly primary?: string; readonly alternate?: readonly string[] };
  readonly names?: { readonly primary?: string };
}

interface Counts {
  readonly total: number;
  readonly group?: string;
  readonly numberMatched?: number;
  readonly numberReturned?: number;
  readonly groups?: readonly { readonly key: string; readonly name?: string; readonly count: number }[];
  readonly features?: readonly {
    readonly id: string;
    readonly geometry: Geometry;
    readonly properties: { readonly count: number };
  }[];
  readonly links: readonly { readonly rel: string; readonly href: string; readonly type: string }[];
}

const BASE = "http://maps.example/ogc";
const COUNTS = "/collections/place/counts";

let dataset: Dataset;
let api: Api;
let places: readonly Place[];
beforeAll(async () => {
  const { source, folder } = await openSample();
  dataset = openDataset({ source, decode: decodeParquet });
  api = createApi({ dataset });
  places = await readStoredRows<Place>(folder, "place");
}, 600_000);

const ask = (path: string) => api(new Request(path.startsWith("http") ? path : `${BASE}${path}`));
async function counts(path: string): Promise<Counts> {
  const response = await ask(path);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text);
}
const linked = ({ links }: Pick<Counts, "links">, rel: string) => links.find((link) => link.rel === rel)?.href ?? "";

const positionOf = ({ geometry }: Place): readonly [number, number] => {
  const [lon = 0, lat = 0] = geometry.type === "Point" ? geometry.coordinates : [];
  return [lon, lat];
};
const isIn = (place: Place, [west, south, east, north]: BBox) => {
  const [lon, lat] = positionOf(place);
  return lon >= west && lon <= east && lat >= south && lat <= north;
};
function tally(rows: readonly Place[], keyOf: (place: Place) => string | undefined): Record<string, number> {
  const all = new Map<string, number>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== undefined) all.set(key, (all.get(key) ?? 0) + 1);
  }
  return Object.fromEntries(all);
}

const BOX: BBox = [7.41, 43.73, 7.43, 43.74];
const hasCategory = ({ categories }: Place, wanted: string) =>
  [categories?.primary, ...(categories?.alternate ?? [])].includes(wanted);

test.each<[string, string, (place: Place) => boolean]>([
  ["all", "", () => true],
  ["in a box", `bbox=${BOX}`, (place) => isIn(place, BOX)],
  ["of a country", "country=MC", ({ country }) => country === "MC"],
  [
    "by an indexed filter in CQL2",
    `bbox=${BOX}&filter=categories='restaurant' AND confidence >= 0.5`,
    (place) => isIn(place, BOX) && hasCategory(place, "restaurant") && (place.confidence ?? -1) >= 0.5,
  ],
  [
    "by a filter that reads rows",
    `bbox=${BOX}&filter=names.primary LIKE 'C%' OR confidence < 0.4`,
    (place) => isIn(place, BOX) && (place.names?.primary?.startsWith("C") || (place.confidence ?? 1) < 0.4),
  ],
  [
    "by a filter of the REST interface and an area in CQL2",
    "categories=cafe&filter=S_INTERSECTS(geometry, BBOX(7.41, 43.73, 7.43, 43.74))",
    (place) => isIn(place, BOX) && hasCategory(place, "cafe"),
  ],
])("counts of places %s equal a loop over the rows, for each group", async (_, query, isWanted) => {
  const sent = encodeURI(query);
  const wanted = places.filter(isWanted);
  expect(wanted.length).toBeGreaterThan(0);
  expect((await counts(`${COUNTS}?${sent}`)).total).toBe(wanted.length);
  for (const [group, keyOf] of [
    ["cell&level=3", (place) => spellGeohash(encodeGeohash(...positionOf(place)), 15)],
    ["cell&level=6", (place) => spellGeohash(encodeGeohash(...positionOf(place)), 30)],
    ["category", ({ categories }) => categories?.primary],
    ["country", ({ country }) => country],
  ] as [string, (place: Place) => string | undefined][]) {
    const { total, groups = [], numberMatched } = await counts(`${COUNTS}?${sent}&group=${group}&limit=10000`);
    expect(total).toBe(wanted.length);
    expect(Object.fromEntries(groups.map(({ key, count }) => [key, count]))).toEqual(tally(wanted, keyOf));
    expect(numberMatched).toBe(groups.length);
  }
});

test("counts of divisions equal those of the REST interface, with their outlines as GeoJSON", async () => {
  const query = "country=US&group=division&level=region&categories=restaurant";
  const rest = await (await api(new Request(`http://maps.example/counts?what=places&${query}`))).json();
  const found = await counts(`${COUNTS}?${query}`);
  expect({ total: found.total, group: found.group, groups: found.groups }).toEqual(rest);
  const { features = [], numberReturned } = await counts(`${COUNTS}?${query}&f=geojson`);
  expect(features.map(({ id, properties }) => [id, properties.count])).toEqual(
    found.groups?.map(({ key, count }) => [key, count]),
  );
  expect(numberReturned).toBe(features.length);
  expect(features.every(({ geometry }) => /Polygon$/.test(geometry.type))).toBe(true);
});

test("pages of groups follow each other without a gap, in one release", async () => {
  const all = await counts(`${COUNTS}?country=MC&group=category&limit=10000`);
  const { release } = await dataset.manifest();
  const keys: string[] = [];
  let pages = 0;
  for (let next = `${COUNTS}?country=MC&group=category&limit=40`; next !== ""; pages++) {
    const page = await counts(next);
    expect(page.numberReturned).toBe(page.groups?.length);
    keys.push(...(page.groups ?? []).map(({ key }) => key));
    next = linked(page, "next");
    if (next !== "") expect(new URL(next).searchParams.get("release")).toBe(release);
  }
  expect(keys).toEqual(all.groups?.map(({ key }) => key));
  expect(pages).toBe(Math.ceil(keys.length / 40));
  const second = await counts(`${COUNTS}?country=MC&group=category&limit=40&offset=40`);
  expect(linked(second, "prev")).toMatch(/offset=0/);
});

test("a collection links to its counts, and the document describes them", async () => {
  const collection = await counts("/collections/building");
  const href = linked(collection, "urn:cairn:rel:counts");
  expect(href).toBe(`${BASE}/collections/building/counts`);
  const { rows } = (await dataset.manifest()).collections.building ?? {};
  expect((await counts(href)).total).toBe(rows);
  const { paths } = await (await ask("/api")).json();
  const { parameters } = paths["/collections/building/counts"].get;
  const names = parameters.map(({ name }: { name: string }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["bbox", "filter", "group", "level", "ids", "limit", "offset", "class"]),
  );
  expect(new Set(names).size).toBe(names.length);
});

test.each([
  ["group=colour", /group must be one of cell, country, division, category, brand/],
  ["level=4", /level needs group=cell or group=division, got "4" alone/],
  ["group=cell&level=9", /level must be a number from 1 to 6/],
  ["group=category&f=geojson", /f=geojson needs group=cell or group=division, got "category"/],
  ["ids=a", /ids needs group=division/],
  ["lat=1", /"lat" is not a parameter here; there are bbox, .*group, level, ids/],
  ["filter=colour='red'", /colour is not a property here/],
  ["group=cell&group=country", /group must be/],
])("%s is refused, and the error says what is allowed", async (query, message) => {
  const response = await ask(`${COUNTS}?${encodeURI(query)}`);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    code: "InvalidParameterValue",
    description: expect.stringMatching(message),
  });
});
