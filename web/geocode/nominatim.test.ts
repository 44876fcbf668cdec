import { beforeAll, expect, test } from "vitest";
import { positionsOf } from "../../data/format/geometry.ts";
import { createApi } from "../api/index.ts";
import { type Dataset, openDataset } from "../engine/index.ts";
import { createOracle, type Oracle } from "../engine/testing/oracle.ts";
import { randomFrom } from "../engine/testing/random.ts";
import { openSampleRows, type SampleRows } from "../engine/testing/sample.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { nominatimSearch, parseNominatim } from "./index.ts";
import { placeIdOf } from "./nominatim.ts";

interface Result {
  readonly id: string;
  readonly place_id: number;
  readonly place_rank: number;
  readonly category?: string;
  readonly class?: string;
  readonly name: string;
  readonly display_name: string;
  readonly lat: number;
  readonly lon: number;
  readonly licence: string;
  readonly boundingbox: readonly string[];
  readonly address: Readonly<Record<string, string>>;
}
interface Found {
  readonly bbox: readonly number[];
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
  readonly properties: Result & { readonly geocoding: Result };
}
/** The members of every answer. */
type Answer = Result &
  readonly Result[] & { readonly features: readonly Found[]; readonly geocoding: object; readonly error: unknown };

let sample: SampleRows;
let dataset: Dataset;
let oracle: Oracle;
let ask: (address: string) => Promise<{ readonly status: number; readonly body: Answer }>;

beforeAll(async () => {
  sample = await openSampleRows();
  dataset = openDataset({ source: sample.source, decode: decodeParquet });
  oracle = createOracle(sample.rows);
  const api = createApi({ dataset, basePath: "/maps" });
  ask = async (address) => {
    const response = await api(new Request(`http://maps.example/maps/nominatim/${address}`));
    return { status: response.status, body: await response.json() };
  };
});

test("what is at a point is the nearest address or place of a plain loop", async () => {
  const random = randomFrom(9);
  const addresses = sample.rows.filter(({ collection }) => collection === "address");
  for (let i = 0; i < 25; i++) {
    const [[lon, lat] = [0, 0]] = positionsOf(random.of(addresses).geometry);
    const [x, y] = [lon + (random.below(400) - 200) / 1e5, lat + (random.below(400) - 200) / 1e5];
    for (const [layer, collections] of [
      ["address", ["address"]],
      ["poi", ["place"]],
      ["address,poi", ["address", "place"]],
    ] as const) {
      const circle = { lat: y, lon: x, radiusMeters: 600 };
      const near = collections.flatMap((collection) =>
        oracle
          .near({ collections: [collection], circle, offset: 0, limit: 1 }, circle, 600)
          .filter(({ meters }) => meters <= 600),
      );
      const [first] = near.toSorted((a, b) => a.meters - b.meters);
      // several places may be at one point
      const nearest = near.filter(({ meters }) => meters - (first?.meters ?? 0) < 0.01).map(({ id }) => id);
      const { body } = await ask(`reverse?lat=${y}&lon=${x}&layer=${layer}`);
      if (first) expect(nearest, `${layer} at ${y}, ${x}`).toContain(body.id);
      else expect(["highway", "boundary", undefined]).toContain(body.category);
    }
  }
});

test("zoom chooses between house, street and division", async () => {
  const at = async (zoom: number) => (await ask(`reverse?lat=43.7384&lon=7.4246&zoom=${zoom}`)).body;
  expect((await at(18)).place_rank).toBe(30);
  expect(await at(17)).toMatchObject({ category: "highway", place_rank: 26, address: { country_code: "mc" } });
  expect((await at(10)).category).toBe("boundary");
  expect(await at(3)).toMatchObject({ addresstype: "country", name: "Monaco", display_name: "Monaco" });
  expect(await at(-8)).toEqual(await at(0));
  expect(await at(25)).toEqual(await at(18));
});

test("each format has the same results", async () => {
  const asked = "search?q=casino%20monaco&limit=3&addressdetails=1&namedetails=1&extratags=1&format=";
  const inFormat = async (format: string) => (await ask(asked + format)).body;
  const v2 = await inFormat("jsonv2");
  const ids = v2.map((one: Result) => one.place_id);
  expect(new Set(ids).size).toBe(3);
  const json = await inFormat("json");
  expect(json.map((one: Result) => one.place_id)).toEqual(ids);
  expect(json.map((one: Result) => [one.class, one.category])).toEqual(
    v2.map((one: Result) => [one.category, undefined]),
  );
  expect(json).toContainEqual(
    expect.objectContaining({ namedetails: expect.anything(), extratags: expect.anything() }),
  );
  const geocode = await inFormat("geocodejson");
  expect(geocode.features.map((one: Found) => one.properties.geocoding.place_id)).toEqual(ids);
  expect(geocode.geocoding).toMatchObject({ version: "0.1.0", query: "casino monaco" });
  const { features } = await inFormat("geojson");
  expect(features.map((one: Found) => one.properties.place_id)).toEqual(ids);
  for (const [index, { lat, lon, boundingbox, licence }] of v2.entries()) {
    const [south = 0, north = 0, west = 0, east = 0] = boundingbox.map(Number);
    expect(south <= lat && lat <= north && west <= lon && lon <= east).toBe(true);
    expect(features[index]?.bbox).toEqual([west, south, east, north]);
    expect(features[index]?.geometry.coordinates).toEqual([Number(lon), Number(lat)]);
    expect(licence).toMatch(/\(.*\)/);
  }
});

test("parts of an address, countries, boxes and earlier results select the results", async () => {
  const { body } = await ask(
    "search?street=1345%20Spruce%20St&city=Boulder&postalcode=80302&country=USA&addressdetails=1",
  );
  expect(body[0]).toMatchObject({
    type: "house",
    address: { house_number: "1345", road: "SPRUCE ST", postcode: "80302", country: "United States" },
  });
  const codesOf = async (more: string) =>
    (await ask(`search?q=monaco&limit=40&addressdetails=1${more}`)).body.map((one: Result) => one.address.country_code);
  expect(new Set(await codesOf("&countrycodes=MC"))).toEqual(new Set(["mc"]));
  expect(await codesOf("&countrycodes=jp,us")).not.toContain("mc");
  const box = "viewbox=7.43,43.745,7.415,43.735&bounded=1";
  const inside = (await ask(`search?q=casino&${box}&layer=poi&limit=40`)).body;
  expect(inside.length).toBeGreaterThan(2);
  for (const { lat, lon, place_rank } of inside)
    expect([place_rank, lat >= 43.735 && lat <= 43.745 && lon >= 7.415 && lon <= 7.43]).toEqual([30, true]);
  const [first, second] = inside.map((one: Result) => one.place_id);
  const others = (await ask(`search?q=casino&${box}&layer=poi&limit=40&exclude_place_ids=${first},${second}`)).body;
  expect(others.map((one: Result) => one.place_id)).toEqual(inside.slice(2).map((one: Result) => one.place_id));
  const towns = (await ask("search?q=boulder&featureType=city&limit=5")).body;
  expect(new Set(towns.map((one: Result) => one.place_rank))).toEqual(new Set([16]));
});

test("a result uses all words of the text except numbers", async () => {
  expect((await ask("search?q=qqqzzz%20boulder")).body).toEqual([]);
  expect((await ask("search?q=99999%20Spruce%20St,%20Boulder")).body[0]?.display_name).toMatch(/spruce st/i);
});

test("looked-up records are those of a search, and a number stands for each id", async () => {
  const found = (await ask("search?q=casino%20monaco&limit=3")).body;
  const ids = found.map((one: Result) => one.id);
  const { body } = await ask(`lookup?osm_ids=${[...ids, "nobody"].join(",")}`);
  expect(body.map((one: Result) => one.id)).toEqual(ids);
  for (const { id, place_id } of found) expect(placeIdOf(id)).toBe(place_id);
  const numbers = new Set(sample.rows.map(({ id }) => placeIdOf(id)));
  expect(numbers.size).toBe(new Set(sample.rows.map(({ id }) => id)).size);
  for (const number of numbers) expect(Number.isSafeInteger(number) && number > 0).toBe(true);
});

test("outlines are those of the divisions, at most ten", async () => {
  const { body } = await ask("search?q=monaco&polygon_geojson=1&format=geojson&limit=40");
  expect(body.features[0]?.geometry.type).toMatch(/Polygon$/);
  expect(body.features.length).toBeLessThanOrEqual(10);
});

test.each([
  ["search", "Nothing to search for."],
  ["search?q=", "Nothing to search for."],
  ["search?q=a&city=b", /cannot be used together with 'q' parameter/],
  ["search?q=a&format=xml", /^format must be one of json, jsonv2, geojson, geocodejson, got "xml"$/],
  ["search?q=a&viewbox=1,2,3", /^viewbox must be x1,y1,x2,y2/],
  ["search?q=a&json_callback=f", /"json_callback" is not a parameter here/],
  ["search?q=a&polygon_kml=1", /"polygon_kml" is not a parameter here/],
  ["search?q=a&layer=natural", /^layer must be of address, poi/],
  ["reverse?lat=1", "Parameter 'lon' missing."],
  ["reverse?lat=91&lon=x", /^lat must be .*91.*; lon must be/],
  ["lookup", "Parameter 'osm_ids' missing."],
  ["lookup?osm_ids=W104393803", /^osm_ids must be ids of results here/],
  [`lookup?osm_ids=${Array.from({ length: 51 }, (_, i) => `i${i}`).join(",")}`, "Too many object IDs."],
])("%j is refused in Nominatim's format", async (address, message) => {
  const { status, body } = await ask(address);
  expect(status).toBe(400);
  expect(body).toEqual({ error: { code: 400, message: expect.stringMatching(message) } });
});

test("hints and empty parameters change nothing", async () => {
  const hints = "&email=a@b.c&dedupe=0&debug=0&polygon_threshold=0.1&polygon_text=0&country=&layer=&_=17&key=k";
  expect(await ask(`search?q=boulder${hints}`)).toEqual(await ask("search?q=boulder"));
  const inFrench = parseNominatim.search({ q: "germany", "accept-language": "fr-CH, fr;q=0.9, en;q=0.8" });
  expect(inFrench.shown.language).toBe("fr-CH");
  const [country] = await nominatimSearch(dataset, inFrench);
  expect(country?.name).toBe("Allemagne");
});

test("a flag is set by every value but 0", async () => {
  const hasAddress = async (value: string) => {
    const { body } = await ask(`search?q=monaco&limit=1&addressdetails=${value}`);
    return body[0]?.address !== undefined;
  };
  expect(await Promise.all(["1", "true", "yes", "0"].map(hasAddress))).toEqual([true, true, true, false]);
});

test("names are in the language with its region or script, if the record has one", async () => {
  // the area of Monaco with names by region and script
  const country = "3e7a2bb5-d807-5569-aae0-082f56842cc6";
  const nameIn = async (language: string) =>
    (await ask(`lookup?osm_ids=${country}&accept-language=${language}`)).body[0]?.name;
  expect(await Promise.all(["pt-BR", "pt", "pt-PT", "zh-hant"].map(nameIn))).toEqual([
    "Mônaco",
    "Mónaco",
    "Mónaco",
    "摩納哥",
  ]);
});

test("what is at a position in the text fulfils the other conditions too", async () => {
  const at = async (more: string) => (await ask(`search?q=43.7384,7.4246${more}`)).body;
  const [found] = await at("");
  expect(found).toBeDefined();
  expect(await at("&countrycodes=mc&viewbox=7.3,43.6,7.5,43.8&bounded=1")).toEqual([found]);
  for (const other of [
    `&exclude_place_ids=${found?.place_id}`,
    "&countrycodes=us",
    "&featureType=city",
    "&viewbox=10,50,11,51&bounded=1",
  ])
    expect(await at(other)).toEqual([]);
});

test("nothing at a point is Nominatim's answer for it, and the status is its own", async () => {
  expect(await ask("reverse?lat=0&lon=-30")).toEqual({ status: 200, body: { error: "Unable to geocode" } });
  expect((await ask("status?format=json")).body).toMatchObject({ status: 0, message: "OK" });
});
