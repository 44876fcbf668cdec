import { expect, test } from "vitest";
import type { CollectionName } from "../../../data/format/collections.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import type { Feature, Members, PropertyChoice, Query } from "../contract/query.ts";
import { openDataset } from "../dataset.ts";
import { rowsBothWays } from "../testing/both-ways.ts";
import { type MadeUpRow, makeDataset } from "../testing/made-up-dataset.ts";
import { memorySource } from "../testing/sources.ts";
import { featuresOf as featuresOfRows } from "./features.ts";

async function featuresOf(
  collection: CollectionName,
  rows: readonly MadeUpRow[],
  choice?: PropertyChoice,
): Promise<Feature[]> {
  const source = memorySource(await makeDataset({ [collection]: rows }));
  const dataset = openDataset({ source, decode: decodeParquet });
  const query: Query = { collections: [collection], country: rows[0]?.country ?? "ZZ", offset: 0, limit: 100 };
  return [...(await dataset.search(query)).features(choice)];
}

const point = { type: "Point", coordinates: [7.42, 43.73] } as const;

test("a place starts with id, theme, type, version and the country it is stored under, and has its names twice", async () => {
  const values = {
    names: "{'primary': 'Café', common: MAP {'fr': 'Café', 'en': 'Coffee'}, rules: NULL}",
    categories: "{'primary': 'cafe', alternate: []}",
    confidence: "-0.0",
    phones: "['+377', NULL]",
    version: "3",
  };
  const [place] = await featuresOf("place", [{ id: "a", geometry: point, country: "MC", values }]);
  const names = { primary: "Café", common: { fr: "Café", en: "Coffee" } };
  expect(place).toEqual({
    id: "a",
    type: "Feature",
    geometry: point,
    properties: {
      id: "a",
      theme: "places",
      type: "place",
      version: "3",
      ext_country: "MC",
      names,
      ext_name: names,
      categories: { primary: "cafe", alternate: [] },
      confidence: 0,
      phones: ["+377", null],
    },
  });
  expect(
    Object.keys(place?.properties ?? {})
      .slice(0, 7)
      .join(" "),
  ).toBe("id theme type version ext_country names ext_name");
});

test("chosen members are read from the primary copy at any depth and in lists; the second names are chosen separately", async () => {
  const values = {
    names: "{'primary': 'Café', common: MAP {'fr': 'Café'}, rules: NULL}",
    categories: "{'primary': NULL, alternate: ['bar']}",
    brand: "{'wikidata': 'Q1', 'names': {'primary': 'B', 'common': MAP {'fr': 'b'}}}",
    sources: "[{'dataset': 'meta', 'record_id': '1'}, NULL, {'record_id': '2'}]",
    phones: "['+377']",
  };
  const choice = new Map<string, Members>([
    ["names", { primary: true }],
    ["ext_name", true],
    ["categories", { primary: true }],
    ["brand", { names: { primary: true } }],
    ["sources", { dataset: true }],
    ["phones", true],
  ]);
  const { plain, records } = await rowsBothWays("place", [values]);
  const [ofPrimaryCopy, ofRecords] = [plain, records].map((rows) => [...featuresOfRows([{ rows, row: 0 }], choice)][0]);
  const wanted = {
    id: "100",
    names: { primary: "Café" },
    ext_name: { primary: "Café", common: { fr: "Café" } },
    categories: {},
    brand: { names: { primary: "B" } },
    sources: [{ dataset: "meta" }, null, {}],
    phones: ["+377"],
  };
  expect(ofPrimaryCopy?.properties).toEqual(wanted);
  // a record may contain more
  expect(ofRecords?.properties).toMatchObject(wanted);
  expect(Object.keys(ofRecords?.properties ?? {})).toEqual(Object.keys(ofPrimaryCopy?.properties ?? {}));
});

test.each([
  ["{'wikidata': NULL, 'names': {'primary': NULL, 'common': NULL, 'rules': []}}", undefined],
  ["{'wikidata': NULL, 'names': {'primary': '', 'common': MAP {}, 'rules': NULL}}", undefined],
  ["{'wikidata': NULL, 'names': NULL}", undefined],
  ["{'wikidata': 'Q1', 'names': NULL}", { wikidata: "Q1", names: { primary: "" } }],
  [
    "{'wikidata': NULL, 'names': {'primary': NULL, 'common': MAP {'fr': 'b'}}}",
    { names: { common: { fr: "b" }, primary: "" } },
  ],
])("a brand without any value is left out, any other has a name: %s", async (brand, shown) => {
  const [place] = await featuresOf("place", [{ id: "a", geometry: point, country: "MC", values: { brand } }]);
  expect(place?.properties.brand).toEqual(shown);
});

test("a source has property, dataset and record, empty where the data has no value", async () => {
  const values = { sources: "[{'dataset': 'meta', 'license': 'CC0'}, NULL, {'property': '/a', 'record_id': '2'}]" };
  const [place] = await featuresOf("place", [{ id: "a", geometry: point, values }]);
  expect(place?.properties.sources).toEqual([
    { property: "", dataset: "meta", license: "CC0", record_id: "" },
    null,
    { property: "/a", dataset: "", record_id: "2" },
  ]);
});

test("country is a property if the type declares it; ext_country is ZZ for an unknown country", async () => {
  const [division] = await featuresOf("division", [{ id: "a", geometry: point, country: "MC" }]);
  expect(division?.properties).toEqual({
    id: "a",
    theme: "divisions",
    type: "division",
    version: "1",
    country: "MC",
  });
  const [nowhere] = await featuresOf("division", [{ id: "a", geometry: point }]);
  expect(nowhere?.properties).toEqual({
    id: "a",
    theme: "divisions",
    type: "division",
    version: "1",
    ext_country: "ZZ",
  });
});

test("null members of structs are left out at any depth, null items of lists stay", async () => {
  const values = {
    access_restrictions: `[{'access_type': 'denied', 'when': {'heading': NULL, 'mode': ['car', NULL], 'vehicle': [{'dimension': 'width', 'value': 2.5}]}, 'between': [0, 0.5]}, NULL]`,
    level_rules: "[{'value': -1, 'between': NULL}]",
  };
  const [segment] = await featuresOf("segment", [{ id: "a", geometry: point, values }]);
  expect(segment?.properties).toEqual({
    id: "a",
    theme: "transportation",
    type: "segment",
    version: "1",
    ext_country: "ZZ",
    access_restrictions: [
      {
        access_type: "denied",
        when: { mode: ["car", null], vehicle: [{ dimension: "width", value: 2.5 }] },
        between: [0, 0.5],
      },
      null,
    ],
    level_rules: [{ value: -1 }],
  });
});

test("keys of maps are data, with any text", async () => {
  const values = { source_tags: "MAP {'__proto__': 'x', 'constructor': 'y', 'toString': ''}" };
  const [land] = await featuresOf("land", [{ id: "a", geometry: point, values }]);
  const tags = '{"__proto__":"x","constructor":"y","toString":""}';
  expect(JSON.stringify(land?.properties.source_tags)).toBe(tags);
});

test("booleans, integers and nested lists are unchanged over many rows with nulls", async () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({
    id: `id${String(i).padStart(2, "0")}`,
    geometry: point,
    values: i % 3 === 0 ? {} : { is_salt: String(i % 2 === 0), level: String(-i) },
  }));
  const features = await featuresOf("water", rows);
  expect(features.map(({ properties }) => [properties.is_salt, properties.level])).toEqual(
    rows.map((_, i) => (i % 3 === 0 ? [undefined, undefined] : [i % 2 === 0, -i])),
  );
  const hierarchies = "[[{'division_id': 'd', 'subtype': 'country', 'name': 'M'}], []]";
  const [division] = await featuresOf("division", [{ id: "a", geometry: point, values: { hierarchies } }]);
  expect(division?.properties.hierarchies).toEqual([[{ division_id: "d", subtype: "country", name: "M" }], []]);
});

test("only the requested properties and the id are kept", async () => {
  const rows = [{ id: "a", geometry: point, values: { confidence: "0.5", basic_category: "'cafe'" } }];
  const [some] = await featuresOf("place", rows, new Set(["confidence", "type", "nothing"]));
  expect(some?.properties).toEqual({ id: "a", type: "place", confidence: 0.5 });
  const [none] = await featuresOf("place", rows, new Set());
  expect(none?.properties).toEqual({ id: "a" });
});
