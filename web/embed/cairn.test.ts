import { beforeAll, describe, expect, expectTypeOf, test, vi } from "vitest";
import type { Attribution as ManifestAttribution } from "../../data/format/manifest.ts";
import { createApi } from "../api/index.ts";
import { buildSample } from "../engine/testing/sample.ts";
import { withMethods } from "../engine/testing/with-methods.ts";
import type { runReverse, shownSuggestion } from "../geocode/index.ts";
import { openNodeDataset } from "../hosts/node/open.ts";
import { type ParameterName, SEARCH_PATHS } from "../search/index.ts";
import { createCairn } from "./cairn.ts";
import { maplibreGeocoder } from "./maplibre-geocoder.ts";
import { open } from "./node/index.ts";
import { RequestError } from "./request-error.ts";
import { requireDigest } from "./secure.ts";
import {
  type Attribution,
  type Cairn,
  PATHS,
  type PathName,
  type Reversed,
  type SearchParameters,
  type Suggestion,
} from "./types.ts";

let folder: string;
let cairn: Cairn;
beforeAll(async () => {
  folder = await buildSample();
  cairn = await open(folder);
});

const NEAR: Readonly<Record<PathName, SearchParameters>> = {
  places: { lat: 43.7347, lng: 7.4206, radius: 300 },
  placeBuildings: { lat: 40.0165, lng: -105.271, radius: 200 },
  buildings: { lat: 43.7347, lng: 7.4206, radius: 200, types: ["building", "building_part"] },
  addresses: { lat: 40.0165, lng: -105.271, radius: 200 },
  base: { lat: 43.7347, lng: 7.4206, radius: 200, class: ["tree", "park"] },
  transportation: { country: "MC", name: "rue" },
  divisions: { bbox: [7.4, 43.7, 7.45, 43.76], include_geometry: false },
};

test("accepts all paths and parameters of the REST interface", () => {
  expect(Object.values(PATHS)).toEqual(SEARCH_PATHS.map(({ path }) => path));
  expectTypeOf<keyof SearchParameters>().toEqualTypeOf<
    | Exclude<
        ParameterName | "types",
        "format" | "api_key" | "enrichment_fields" | "since" | "text" | "language" | "include_divisions"
      >
    | "area"
  >();
  expectTypeOf<SearchParameters["name"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<SearchParameters["min_confidence"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<SearchParameters["categories"]>().toEqualTypeOf<string | readonly string[] | undefined>();
  expectTypeOf<SearchParameters["admin_level"]>().toEqualTypeOf<number | readonly number[] | undefined>();
});

test("its types name all that searches return", () => {
  expectTypeOf<keyof Suggestion>().toEqualTypeOf<keyof ReturnType<typeof shownSuggestion>>();
  expectTypeOf<keyof Reversed>().toEqualTypeOf<keyof Awaited<ReturnType<typeof runReverse>>>();
  expectTypeOf<Attribution>().toEqualTypeOf<Readonly<ManifestAttribution>>();
});

test("iterates over every page of every path, in the order of the REST interface", async () => {
  const api = createApi({ dataset: openNodeDataset(folder) });
  for (const name of Object.keys(PATHS) as PathName[]) {
    const parameters = NEAR[name];
    const { count, page, limit, features } = await cairn.search(name, { ...parameters, limit: 7 });
    expect([page, limit, features.length], name).toEqual([0, 7, Math.min(7, count)]);
    expect(count, name).toBeGreaterThan(0);
    const found: unknown[] = [];
    for await (const feature of cairn[name]({ ...parameters, limit: Math.ceil(count / 3) })) found.push(feature);
    const query = new URLSearchParams(Object.entries(parameters).map(([key, value]) => [key, String(value)]));
    const whole = await api(new Request(`http://localhost${PATHS[name]}?${query}&limit=25000`));
    expect(found, name).toEqual(await whole.json());
  }
});

test("every interface reports the words of a text that a suggestion does not use", async () => {
  const text = "Xyzzyq Monaco";
  const unused = ["Xyzzyq"];
  const ask = async (path: string) => (await cairn.fetch(`${path}=${encodeURIComponent(text)}`)).json();
  expect((await cairn.suggest({ text }))[0]).toMatchObject({ name: "Monaco", unused });
  expect((await ask("/autocomplete?text"))[0]).toMatchObject({ name: "Monaco", unused });
  expect((await ask("/search?text"))[0].properties).toMatchObject({ ext_match: "part", ext_unused: unused });
  expect((await ask("/photon/api?q")).features[0].properties).toMatchObject({ name: "Monaco", ext_unused: unused });
  const { features } = await maplibreGeocoder(cairn).forwardGeocode({ query: text });
  expect(features[0]?.properties).toMatchObject({ unused });
  expect((await cairn.suggest({ text: "monaco" }))[0]?.unused).toEqual([]);
});

test("suggestions have categories by name and by purpose, and the records of a search have no categories", async () => {
  const near = { lat: 40.0165, lng: -105.271 };
  const dentist = { kind: "category", id: "dentist", match: "intent", unused: [] };
  for (const text of ["toothache", "i have toothache"])
    expect(await cairn.suggest({ text, ...near, limit: 5 })).toContainEqual(expect.objectContaining(dentist));
  const where = new URLSearchParams({ text: "vegan", lat: String(near.lat), lng: String(near.lng) });
  const ask = async (path: string) => (await cairn.fetch(`${path}?${where}`)).json();
  expect((await ask("/autocomplete"))[0]).toMatchObject({ kind: "category", id: "vegan_restaurant", match: "exact" });
  expect(
    (await ask("/search")).map(({ properties }: { properties: { type: string } }) => properties.type),
  ).not.toContain("category");
  const { features } = await maplibreGeocoder(cairn).forwardGeocode({
    query: "toothache",
    proximity: [near.lng, near.lat],
  });
  expect(features.filter(({ place_type: [kind] }) => kind === "category")).toEqual([]);
});

test("every interface knows category names in the language of the text, and in others", async () => {
  const near = { lat: 43.7384, lng: 7.4246 };
  const places = async (text: string, language: string): Promise<readonly unknown[]> => {
    const query = new URLSearchParams({ lat: String(near.lat), limit: "5" });
    const ask = async (path: string, more: Readonly<Record<string, string>>) =>
      (await cairn.fetch(`${path}?${query}&${new URLSearchParams(more)}`)).json();
    const lng = String(near.lng);
    const [suggested, completed, found, photon] = await Promise.all([
      cairn.suggest({ ...near, text, language, limit: 5 }),
      ask("/autocomplete", { text, language, lng }),
      ask("/search", { text, language, lng }),
      ask("/photon/api", { q: text, lang: language, lon: lng }),
    ]);
    const ids = suggested.filter(({ category }) => category === "pharmacy").map(({ id }) => id);
    const pharmacies = (records: readonly { readonly id: string }[]) =>
      records.map(({ id }) => id).filter((id) => ids.includes(id));
    const features: readonly { properties: { id: string } }[] = photon.features;
    expect(pharmacies(completed), text).toEqual(ids);
    expect(pharmacies(found), text).toEqual(ids);
    // Photon's layers are known only from records: it examines more of them, and may prefer another
    expect(pharmacies(features.map(({ properties }) => properties)).length, text).toBeGreaterThanOrEqual(
      Math.min(3, ids.length),
    );
    return ids;
  };
  expect((await places("Apotheke", "de")).length).toBeGreaterThan(2);
  expect((await places("薬局", "ja")).length).toBeGreaterThan(2);
  expect((await places("Apotheke", "fr")).length).toBeGreaterThan(2);
});

test("requests no page that the loop does not reach", async () => {
  const asked: number[] = [];
  const dataset = withMethods(openNodeDataset(folder), (inner) => ({
    search: (query, options) => {
      asked.push(query.offset);
      return inner.search(query, options);
    },
  }));
  const counted = createCairn({ location: folder, dataset });
  let read = 0;
  for await (const { properties } of counted.places({ country: "MC", limit: 10 })) {
    expect(properties.theme).toBe("places");
    if (++read === 15) break;
  }
  expect(asked).toEqual([0, 10]);
});

test("searches in an area, and in the outline of a division", async () => {
  const box = [
    [7.41, 43.73],
    [7.43, 43.73],
    [7.43, 43.74],
    [7.41, 43.74],
    [7.41, 43.73],
  ] as const;
  const inBox = await cairn.search("places", { area: { type: "Polygon", coordinates: [box] }, limit: 5000 });
  expect(inBox.count).toBeGreaterThan(100);
  for (const { geometry } of inBox.features) {
    const [lon = 0, lat = 0] = geometry.type === "Point" ? geometry.coordinates : [];
    expect(lon >= 7.41 && lon <= 7.43 && lat >= 43.73 && lat <= 43.74).toBe(true);
  }
  const [monaco] = (await cairn.search("divisions", { country: "MC", subtype: "country" })).features;
  const within = await cairn.search("places", { within: monaco?.id ?? "", limit: 1 });
  expect(within.count).toBeGreaterThan(inBox.count);
});

test("counts equal the counts of searches, by values, cells and divisions, also in an area", async () => {
  const { total, groups, groupCount } = await cairn.counts("places", { ...NEAR.places, group: "category", limit: 3 });
  expect(total).toBe((await cairn.search("places", { ...NEAR.places, limit: 1 })).count);
  expect([groups.length, groupCount > 3]).toEqual([3, true]);
  const cells = await cairn.counts("places", { country: "MC", group: "cell", level: 5 });
  expect(cells.groups.reduce((sum, { count }) => sum + count, 0)).toBe(cells.total);
  expect(cells.groups[0]?.geometry).toMatchObject({ type: "Polygon" });
  const divisions = await cairn.counts("places", { country: "MC", group: "division", level: "country" });
  const [monaco] = divisions.groups;
  expect(monaco?.name).toBe("Monaco");
  expect(monaco?.count).toBe((await cairn.search("places", { country: "MC", within: monaco?.key ?? "" })).count);
  const area = monaco?.geometry as NonNullable<SearchParameters["area"]>;
  expect((await cairn.counts("buildings", { area })).total).toBe((await cairn.search("buildings", { area })).count);
  expect(await cairn.counts("addresses")).toEqual({
    total: (await cairn.describe()).collections.address,
    groupCount: 0,
    groups: [],
  });
  await expect(cairn.counts("places", { group: "colour" })).rejects.toMatchObject({ status: 400 });
  await expect(cairn.counts("shoes")).rejects.toMatchObject({ status: 404 });
});

test("finds a record by its id, and returns nothing for an invented one", async () => {
  const [first] = (await cairn.search("places", { country: "MC", limit: 1 })).features;
  expect(await cairn.find("places", first?.id ?? "")).toEqual(first);
  expect(await cairn.find("places", "no such id")).toBeUndefined();
});

test("describes the dataset with its credits, and answers REST requests", async () => {
  const { attribution, collections } = await cairn.describe();
  expect(attribution.map(({ dataset }) => dataset)).toContain("OpenStreetMap");
  expect(collections.place).toBeGreaterThan(1000);
  const response = await cairn.fetch("/places?country=MC&limit=2&format=csv");
  expect(response.headers.get("Content-Type")).toContain("text/csv");
  expect((await response.text()).split("\r\n")[0]).toMatch(/^id,/);
});

describe("reports an error", () => {
  test("for a parameter", async () => {
    const asked = cairn.search("places", { lat: 91, lng: 0 });
    await expect(asked).rejects.toThrow(RequestError);
    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining("lat") });
  });

  test("for a folder without a dataset", async () => {
    await expect(open("docs")).rejects.toThrow("docs has no manifest.json");
  });

  test("for a page that cannot check files", () => {
    vi.stubGlobal("crypto", {});
    vi.stubGlobal("location", { origin: "http://maps.example" });
    expect(requireDigest).toThrow("serve the page by https:");
    expect(requireDigest).toThrow("http://maps.example");
    vi.unstubAllGlobals();
    expect(requireDigest).not.toThrow();
  });

  test("when the caller aborts", async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(cairn.search("places", { country: "MC" }, { signal: controller.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
  });
});
