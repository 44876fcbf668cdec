import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { type Dataset, openDataset } from "../engine/index.ts";
import { distanceTo } from "../engine/testing/oracle.ts";
import { openSample, type Sample } from "../engine/testing/sample.ts";
import { readStoredRows } from "../engine/testing/stored-rows.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { parsePhoton, photonFeatures, photonReverse, photonStatus } from "./index.ts";
import { PLACES } from "./osm-tags.ts";

const MONACO = { lat: "43.7384", lon: "7.4246" };

interface Place {
  readonly id: string;
  readonly bbox: { readonly xmin: number; readonly ymin: number };
  readonly categories?: { readonly primary?: string; readonly alternate?: readonly string[] };
}

let sample: Sample;
let dataset: Dataset;
beforeAll(async () => {
  sample = await openSample();
  dataset = openDataset({ source: sample.source, decode: decodeParquet });
});

const search = (parameters: Readonly<Record<string, string | readonly string[]>>) =>
  photonFeatures(dataset, parsePhoton.search(parameters));
const reverse = (parameters: Readonly<Record<string, string | readonly string[]>>) =>
  photonReverse(dataset, parsePhoton.reverse({ ...MONACO, ...parameters }));

test("every category of the table is one of Overture's", async () => {
  const folder = "web/hosts";
  const [parents, words] = await Promise.all(
    [`${folder}/browser/search/category-parents.json`, `${folder}/category-words/words-en.json`].map(
      async (path) => JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>,
    ),
  );
  const places = await readStoredRows<Place>(sample.folder, "place");
  const stored = places.flatMap(({ categories }) => [categories?.primary, ...(categories?.alternate ?? [])]);
  const known = new Set([...Object.keys(parents ?? {}), ...Object.keys(words ?? {}), ...stored]);
  const named = Object.values(PLACES).flatMap((values) => Object.values(values).flatMap((text) => text.split(" ")));
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter((name) => !known.has(name.replace("taxonomy:", "")))).toEqual([]);
});

test("the pharmacies nearest to a point match a plain loop", async () => {
  const names = ["pharmacy", "pharmacy_and_drug_store", "drugstore"];
  const places = (await readStoredRows<Place>(sample.folder, "place")).filter(({ categories }) =>
    [categories?.primary, ...(categories?.alternate ?? [])].some((one) => one !== undefined && names.includes(one)),
  );
  const at = [Number(MONACO.lon), Number(MONACO.lat)] as const;
  const meters = ({ bbox }: Place) => distanceTo(at, { type: "Point", coordinates: [bbox.xmin, bbox.ymin] });
  const nearest = places.toSorted((a, b) => meters(a) - meters(b)).slice(0, 5);
  const found = await reverse({ osm_tag: "amenity:pharmacy", limit: "5" });
  expect(found.map(({ properties }) => properties.id)).toEqual(nearest.map(({ id }) => id));
});

test("a tag selects records that have it, and a tag with ! excludes them", async () => {
  const hotels = await search({ q: "hotel monaco", osm_tag: "tourism:hotel" });
  expect(hotels.length).toBeGreaterThan(2);
  for (const { properties } of hotels) {
    const { categories } = (await dataset.find(["place"], String(properties.id)))?.properties ?? {};
    expect(JSON.stringify(categories)).toMatch(/"(hotel|accommodation)"/);
  }
  const kindsOf = async (q: string, osm_tag: string | readonly string[]) => [
    ...new Set((await search({ q, osm_tag })).map(({ properties }) => properties.type)),
  ];
  expect(await kindsOf("boulder", "highway")).toEqual(["street"]);
  expect(await kindsOf("boulder", "place:town")).toEqual(["city"]);
  expect((await kindsOf("boulder", ["!highway", "!place"])).sort()).toEqual(["house"]);
  expect(await kindsOf("monaco", "place:!country")).not.toContain("country");
  expect(await kindsOf("monaco", "place:country")).toEqual(["country"]);
  expect((await reverse({ osm_tag: "place:country" })).map(({ properties }) => properties.name)).toEqual(["Monaco"]);
  const [road] = await reverse({ osm_tag: "highway:primary" });
  expect((await dataset.find(["segment"], String(road?.properties.id)))?.properties.class).toBe("primary");
});

test("countrycode selects records in the countries", async () => {
  const countriesOf = async (countrycode: string) => [
    ...new Set((await search({ q: "monaco", countrycode })).map(({ properties }) => properties.countrycode)),
  ];
  expect(await countriesOf("mc")).toEqual(["MC"]);
  expect(await countriesOf("us,jp")).not.toContain("MC");
});

test("Photon's hints are accepted, and change nothing", async () => {
  const hints = { zoom: "12", location_bias_scale: "0.4", dedupe: "0", debug: "1", geometry: "1" };
  expect(await search({ q: "boulder", ...hints })).toEqual(await search({ q: "boulder" }));
});

test.each([
  ["building:yes", /^osm_tag must be key:value .* key of aeroway, amenity, .*got "building:yes"/],
  ["constructor", /key of aeroway/],
  ["amenity", /^osm_tag must be amenity: with one of atm, bank, .*got "amenity"/],
  ["amenity:brothel", /^osm_tag must be amenity: with one of .*got "amenity:brothel"/],
  ["amenity:!cafe", /^osm_tag must be amenity: with one of .*got "amenity:!cafe"/],
  ["amenity:constructor", /got "amenity:constructor"/],
  ["highway:bus_stop", /^osm_tag must be highway alone, or highway: with one of motorway, /],
  ["!place:!city", /^osm_tag must be place alone, or place: with one of country, /],
  ["place,building", /key of aeroway.*got "place,building"/],
  [":cafe", /^osm_tag must be a tag such as amenity:pharmacy/],
  ["!", /^osm_tag must be a tag such as/],
  ["__proto__:x", /key of aeroway/],
  ["public_transport:station", /key of aeroway/],
])("osm_tag=%s is refused, and the error lists what is allowed", (osm_tag, fault) => {
  expect(() => parsePhoton.search({ q: "a", osm_tag })).toThrow(fault);
  expect(() => parsePhoton.reverse({ ...MONACO, osm_tag })).toThrow(fault);
});

test.each(["include", "exclude", "query_string_filter", "constructor"])("%s is not a parameter", (name) => {
  expect(() => parsePhoton.search({ q: "a", [name]: "x" })).toThrow(`"${name}" is not a parameter here`);
});

test("the status has the day of the release", () => {
  expect(photonStatus({ release: "2026-10-21.0" })).toEqual({
    status: "Ok",
    import_date: "2026-10-21T00:00:00Z",
    release: "2026-10-21.0",
  });
  expect(photonStatus({ release: "daeb34b41b00" }).import_date).toBe(null);
});
