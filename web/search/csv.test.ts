import Papa from "papaparse";
import { expect, test } from "vitest";
import type { CollectionName } from "../../data/format/collections.ts";
import { knownCollection } from "../../data/format/collections.ts";
import type { Feature } from "../engine/contract/query.ts";
import { openDataset } from "../engine/index.ts";
import { openSample } from "../engine/testing/sample.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { csvWriter } from "./csv.ts";
import { SEARCH_PATHS } from "./paths.ts";

const place: Feature = {
  id: "a",
  type: "Feature",
  geometry: { type: "Point", coordinates: [7.4, 43.7] },
  properties: {
    version: "3",
    names: { primary: 'Café "Le, Coin"\n=1+1' },
    categories: { primary: "cafe", alternate: ["bar", "bakery"] },
    confidence: 0,
    addresses: [{ freeform: "1, rue Ä", country: "MC" }, { freeform: "other" }],
    phones: ["+377 1", "+377 2"],
    websites: [],
    brand: { wikidata: "Q1", names: { primary: "B" } },
    sources: [{ dataset: "meta" }, { dataset: "Overture" }, { dataset: "meta" }],
  },
};

const write = (
  collections: readonly CollectionName[],
  features: readonly Feature[],
  includes?: ReadonlySet<string>,
) => {
  const csv = csvWriter({ schemas: collections.map(knownCollection), includes });
  return csv.open + features.map(csv.write).join(csv.separator) + csv.close;
};

const HEADER =
  "id,longitude,latitude,name,category,alternate_categories,confidence,freeform,locality,postcode,region,country,phones," +
  "websites,socials,emails,brand,brand_wikidata,operating_status,version,sources";

test("places have the specified columns, quoted so that a reader gets every value back", () => {
  const text = write(["place"], [place]);
  expect(text.startsWith(`${HEADER}\r\n`)).toBe(true);
  const { data, errors } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
  expect(errors).toEqual([]);
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({
    id: "a",
    longitude: "7.4",
    latitude: "43.7",
    name: 'Café "Le, Coin"\n=1+1',
    alternate_categories: "bar | bakery",
    confidence: "0",
    freeform: "1, rue Ä",
    locality: "",
    phones: "+377 1 | +377 2",
    websites: "",
    brand: "B",
    sources: "meta | Overture",
  });
});

test("columns are fixed: an empty page has the same header", () => {
  expect(write(["place"], [])).toBe(`${HEADER}\r\n`);
});

test("includes keeps the columns made from those properties", () => {
  expect(write(["place"], [], new Set(["names", "brand", "nothing"]))).toBe(
    "id,longitude,latitude,name,brand,brand_wikidata\r\n",
  );
});

test("shapes that are not points end with WKT; position is the representative point", () => {
  const building: Feature = {
    id: "b",
    type: "Feature",
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [2, 0],
          [2, 2],
          [0, 2],
          [0, 0],
        ],
      ],
    },
    properties: { theme: "buildings", type: "building", version: "1", height: 12.5, has_parts: false },
  };
  const { data } = Papa.parse<Record<string, string>>(write(["building", "building_part"], [building]), {
    header: true,
  });
  expect(data[0]).toMatchObject({
    longitude: "1",
    latitude: "1",
    type: "building",
    height: "12.5",
    has_parts: "false",
    geometry: "POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))",
  });
  expect(Object.keys(data[0] ?? {}).at(-1)).toBe("geometry");
});

test("points of other types have no geometry column", () => {
  expect(write(["address"], [])).toBe(
    "id,longitude,latitude,theme,type,version,postcode,street,number,unit,postal_city,country,sources\r\n",
  );
});

test("features need only the properties that the format names", () => {
  for (const includes of [undefined, new Set(["names", "phones"])]) {
    const csv = csvWriter({ schemas: [knownCollection("place")], includes });
    const needed = Object.fromEntries(Object.entries(place.properties).filter(([name]) => csv.properties.has(name)));
    expect(Object.keys(needed).length).toBeGreaterThan(1);
    const extra = { ...place, properties: { ...place.properties, taxonomy: { primary: "x" } } };
    expect(csv.write({ ...place, properties: needed })).toEqual(csv.write(extra));
  }
});

test("the properties that the format names give the same lines as whole records", async () => {
  const { source } = await openSample();
  const dataset = openDataset({ source, decode: decodeParquet });
  let lines = 0;
  for (const { types, collections: usual } of SEARCH_PATHS) {
    const collections = types ?? usual;
    const csv = csvWriter({ schemas: collections.map(knownCollection) });
    for (const country of ["MC", "US", "JP"]) {
      const result = await dataset.search({ collections, country, offset: 0, limit: 300 });
      const [needed, whole] = [[...result.features(csv.properties)], [...result.features()]];
      expect(needed.map(csv.write)).toEqual(whole.map(csv.write));
      expect([...csv.page(result)]).toEqual(whole.map(csv.write));
      if (whole.length > 0) expect(JSON.stringify(needed).length).toBeLessThan(JSON.stringify(whole).length);
      lines += whole.length;
    }
  }
  expect(lines).toBeGreaterThan(1500);
});
