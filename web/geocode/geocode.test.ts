import { beforeAll, expect, test } from "vitest";
import type { CollectionName } from "../../data/format/collections.ts";
import { positionsOf } from "../../data/format/geometry.ts";
import { type Dataset, ManifestError, openDataset } from "../engine/index.ts";
import { createOracle, type Oracle } from "../engine/testing/oracle.ts";
import { randomFrom } from "../engine/testing/random.ts";
import { openSampleRows, type SampleRows } from "../engine/testing/sample.ts";
import { countingSource } from "../engine/testing/sources.ts";
import { withMethods } from "../engine/testing/with-methods.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { ParameterError } from "../search/index.ts";
import {
  AUTOCOMPLETE_PATH,
  parsePhoton,
  parseReverse,
  parseText,
  photonFeatures,
  photonReverse,
  recordsOf,
  runReverse,
  TEXT_SEARCH_PATH,
} from "./index.ts";

const MONACO = { lat: 43.7384, lng: 7.4246 };
const BOULDER = { lat: 40.0165, lng: -105.271 };

let sample: SampleRows;
let dataset: Dataset;
let oracle: Oracle;

beforeAll(async () => {
  sample = await openSampleRows();
  dataset = openDataset({ source: sample.source, decode: decodeParquet });
  oracle = createOracle(sample.rows);
});

const reverse = (lat: number, lng: number, more: Record<string, string> = {}) =>
  runReverse(dataset, parseReverse({ lat: String(lat), lng: String(lng), ...more }));

/** The nearest record within the radius, by a plain loop. */
function nearest(collection: CollectionName, lat: number, lng: number, radiusMeters: number) {
  const circle = { lat, lon: lng, radiusMeters };
  const query = { collections: [collection], circle, offset: 0, limit: 1 };
  return oracle.near(query, circle, radiusMeters).filter(({ meters }) => meters <= radiusMeters);
}

test("the nearest address and place, and the divisions that contain a point, match a plain loop", async () => {
  const random = randomFrom(30_5);
  const addresses = sample.rows.filter(({ collection }) => collection === "address");
  for (let i = 0; i < 40; i++) {
    const [[lon, lat] = [0, 0]] = positionsOf(random.of(addresses).geometry);
    const [x, y] = [lon + (random.below(400) - 200) / 1e5, lat + (random.below(400) - 200) / 1e5];
    const radius = [20, 100, 1000][i % 3] ?? 1000;
    const { address, place, divisions } = await reverse(y, x, { radius: String(radius) });
    for (const [found, collection] of [
      [address, "address"],
      [place, "place"],
    ] as const) {
      const [first] = nearest(collection, y, x, radius);
      expect(found === null, `${collection} around ${y}, ${x}`).toBe(first === undefined);
      if (first && found) expect(Number(found.properties.ext_distance)).toBeCloseTo(first.meters, 2);
    }
    const holding = new Set(nearest("division_area", y, x, 1).flatMap(({ id, meters }) => (meters === 0 ? [id] : [])));
    for (const { id, geometry } of divisions) {
      expect(holding.has(id), `${id} around ${y}, ${x}`).toBe(true);
      expect(geometry).toBe(null);
    }
    expect(divisions.length > 0, `divisions of ${y}, ${x}`).toBe(holding.size > 0);
  }
});

test("one line describes a point in the language of the user", async () => {
  for (const include_divisions of ["true", "false"]) {
    expect((await reverse(MONACO.lat, MONACO.lng, { include_divisions })).label).toBe("25 Avenue de la Costa, Monaco");
  }
  expect((await reverse(BOULDER.lat, BOULDER.lng, { language: "de" })).label).toMatch(/, Vereinigte Staaten$/);
  const sea = await reverse(0, -30);
  expect([sea.address, sea.street, sea.place]).toEqual([null, null, null]);
});

test("the street is the nearest named road", async () => {
  const { street } = await reverse(BOULDER.lat, BOULDER.lng);
  expect(street?.properties).toMatchObject({ subtype: "road", names: { primary: "19th Street" } });
});

test("without divisions a reverse search is cheap", async () => {
  for (const [{ lat, lng }, include_divisions, most] of [
    [MONACO, "false", 68],
    [BOULDER, "false", 136],
    [MONACO, "true", 106],
    [BOULDER, "true", 184],
  ] as const) {
    const source = countingSource(sample.source);
    const fresh = openDataset({ source, decode: decodeParquet });
    await fresh.manifest();
    source.reset();
    await runReverse(fresh, parseReverse({ lat: String(lat), lng: String(lng), include_divisions }));
    const bytes = source.requests.reduce((sum, request) => sum + request.bytes, 0);
    expect(bytes).toBeLessThan(most * 1024);
  }
});

test("the records of a text are in the order of its suggestions, and contain how they matched", async () => {
  const { query } = parseText(TEXT_SEARCH_PATH, { text: "hotel monaco", limit: "5" });
  const suggestions = await dataset.suggest(query);
  const records = await recordsOf(dataset, suggestions);
  expect(records.map(({ id }) => id)).toEqual(suggestions.map(({ id }) => id));
  expect(records.length).toBe(5);
  for (const { properties } of records) expect(properties.ext_match).toEqual(expect.any(String));
});

test("a suggestion without its record is an error that names it", async () => {
  const { query } = parseText(TEXT_SEARCH_PATH, { text: "monaco", limit: "5" });
  const suggestions = await dataset.suggest(query);
  const { collection, id } = suggestions.at(-1) ?? {};
  const incomplete = withMethods(dataset, (inner) => ({
    find: async (collections, asked, options) => (asked === id ? undefined : inner.find(collections, asked, options)),
  }));
  const message = `the records of ${collection} have no id "${id}", which a suggestion names`;
  await expect(recordsOf(incomplete, suggestions)).rejects.toThrow(new ManifestError(message));
  const search = parsePhoton.search({ q: "monaco", limit: "5" });
  expect((await photonFeatures(dataset, search)).map(({ properties }) => properties.id)).toContain(id);
  await expect(photonFeatures(incomplete, search)).rejects.toThrow(new ManifestError(message));
});

const faultsOf = (work: () => unknown): readonly string[] => {
  try {
    work();
  } catch (error) {
    if (error instanceof ParameterError) return error.faults;
    throw error;
  }
  throw new Error("nothing was refused");
};

test("an error names the value and what is allowed", () => {
  expect(faultsOf(() => parseReverse({ lat: "91", lng: "0" }))).toEqual([expect.stringMatching(/lat .*90.*"91"/)]);
  expect(faultsOf(() => parseReverse({}))).toEqual(["lat and lng are required, got neither"]);
  expect(faultsOf(() => parseText(AUTOCOMPLETE_PATH, {}))).toEqual(["text is required, got nothing"]);
  expect(faultsOf(() => parseText(AUTOCOMPLETE_PATH, { limit: "51", lat: "1" }))).toEqual([
    expect.stringMatching(/^limit must be .* 50.* got "51"$/),
    "text is required, got nothing",
    "lng is required with lat, got lat alone",
  ]);
  expect(faultsOf(() => parseReverse({ radius: "0" }))).toEqual([
    expect.stringMatching(/^radius must be .* got "0"$/),
    "lat and lng are required, got neither",
  ]);
  expect(faultsOf(() => parsePhoton.search({ limit: "x" }))).toEqual([
    expect.stringMatching(/^limit must be .* got "x"$/),
    "q is required, got nothing",
  ]);
  expect(faultsOf(() => parsePhoton.reverse({ limit: "x" }))).toEqual([
    expect.stringMatching(/^limit must be .* got "x"$/),
    "lat and lon are required, got neither",
  ]);
  expect(faultsOf(() => parseText(AUTOCOMPLETE_PATH, { text: "…", limit: "51", lat: "1" }))).toEqual([
    expect.stringMatching(/^text must be .* got "…"$/),
    expect.stringMatching(/^limit must be .* 50.* got "51"$/),
    "lng is required with lat, got lat alone",
  ]);
  expect(faultsOf(() => parsePhoton.search({ q: "a", lat: "100", lon: "0", limit: "x", layer: "town" }))).toEqual([
    'lat must be a number from -90 to 90, got "100"',
    'limit must be an integer of at least 1, got "x"',
    expect.stringMatching(/^layer must be of house, .* got "town"$/),
  ]);
  expect(faultsOf(() => parsePhoton.search({ q: "a", lat: "1" }))).toEqual(["lon is required with lat, got lat alone"]);
  expect(faultsOf(() => parsePhoton.reverse({ lat: "1", lon: "2", radius: "-1" }))).toHaveLength(1);
});

test("Photon's answers are in the box, and only of the requested layers", async () => {
  const box = [7.415, 43.735, 7.43, 43.745] as const;
  const found = await photonFeatures(dataset, parsePhoton.search({ q: "casino", bbox: box.join(","), layer: "house" }));
  expect(found.length).toBeGreaterThan(2);
  for (const { geometry, properties } of found) {
    const [x, y] = geometry.coordinates;
    expect(x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]).toBe(true);
    expect(properties).toMatchObject({ type: "house", countrycode: "MC", country: "Monaco" });
  }
  const [town] = await photonFeatures(dataset, parsePhoton.search({ q: "Boulder", layer: ["city", "state"] }));
  expect(town?.properties).toMatchObject({ type: "city", name: "Boulder", countrycode: "US" });
});

test("Photon's reverse search returns the nearest records, and divisions on request", async () => {
  const at = { lat: String(BOULDER.lat), lon: String(BOULDER.lng) };
  const [first, ...none] = await photonReverse(dataset, parsePhoton.reverse(at));
  expect(none).toEqual([]);
  expect(first?.properties).toMatchObject({ housenumber: "1855", street: "GOSS ST", postcode: "80302" });
  const [country] = await photonReverse(dataset, parsePhoton.reverse({ ...at, layer: "country", lang: "fr" }));
  expect(country?.properties).toMatchObject({ type: "country", country: "États-Unis" });
});
