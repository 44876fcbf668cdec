import { beforeAll, describe, expect, test } from "vitest";
import { MAX_ORDERED_ROWS } from "../../../data/format/limits.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { type Dataset, type Feature, type Order, openDataset, type Query } from "../index.ts";
import { openSample } from "../testing/sample.ts";

let dataset: Dataset;
beforeAll(async () => {
  const { source } = await openSample();
  dataset = openDataset({ source, decode: decodeParquet });
});

type Asked = Omit<Query, "offset" | "limit">;
const BOULDER = { lon: -105.271, lat: 40.0165, radiusMeters: 900 };
const MONACO = { lon: 7.4246, lat: 43.7384, radiusMeters: 300 };
const CONFIDENCE: Order = { by: "confidence" };
const NAME: Order = { by: "name", languages: ["fr", "en"] };

/** What a row is ordered by; undefined for the end of the list. */
function keyOf({ properties }: Feature, order: Order): string | number | undefined {
  if (order.by === "confidence") return typeof properties.confidence === "number" ? properties.confidence : undefined;
  const names = properties.names as { primary?: string; common?: Record<string, string> } | undefined;
  return names?.common?.fr ?? names?.common?.en ?? names?.primary;
}

async function pageOf(query: Asked, offset: number, limit: number) {
  const { features, report, total } = await dataset.search({ ...query, offset, limit });
  return { features: [...features()], isOrdered: report.isOrdered, total };
}

describe.each<[string, Asked]>([
  ["places of a circle", { collections: ["place"], circle: BOULDER, filters: { terms: [["contact:phone"]] } }],
  ["places of a country, filtered", { collections: ["place"], country: "MC", filters: { terms: [["status:open"]] } }],
  ["several types", { collections: ["land_use", "infrastructure", "water"], circle: MONACO }],
])("%s", (_, asked) => {
  test.each([CONFIDENCE, NAME])("by $by: the pages are those of all rows, put in order by a loop", async (order) => {
    const { features: all, isOrdered, total } = await pageOf(asked, 0, MAX_ORDERED_ROWS);
    expect(isOrdered).toBe(false);
    const { compare } = new Intl.Collator(["fr", "en"], { numeric: true });
    const expected: Feature[] = [];
    for (const feature of all) {
      const key = keyOf(feature, order);
      const later = expected.findIndex((other) => {
        const otherKey = keyOf(other, order);
        if (key === undefined || otherKey === undefined) return key !== undefined;
        return typeof key === "number" ? key > Number(otherKey) : compare(key, String(otherKey)) < 0;
      });
      expected.splice(later < 0 ? expected.length : later, 0, feature);
    }
    const found: Feature[] = [];
    for (let offset = 0; offset < total; offset += 400) {
      const page = await pageOf({ ...asked, order }, offset, 400);
      expect({ isOrdered: page.isOrdered, total: page.total }).toEqual({ isOrdered: true, total });
      found.push(...page.features);
    }
    expect(found).toEqual(expected);
  });
});

test("by relevance: the largest divisions first, places of high confidence first, then names", async () => {
  const order: Order = { by: "relevance", languages: ["en"] };
  const { compare } = new Intl.Collator("en", { numeric: true });
  const divisions = await pageOf({ collections: ["division"], country: "JP", order }, 0, 1000);
  expect(divisions.isOrdered).toBe(true);
  const subtypes = divisions.features.map(({ properties }) => String(properties.subtype));
  expect([...new Set(subtypes)].length, "each subtype is one run").toBe(
    subtypes.filter((subtype, index) => subtype !== subtypes[index - 1]).length,
  );
  expect(subtypes[0]).toBe("country");
  const places = (await pageOf({ collections: ["place"], country: "MC", order }, 0, 1000)).features;
  const faults = places.slice(1).filter((place, index) => {
    const before = places[index];
    const [a, b] = [before, place].map((each) => Number(each?.properties.confidence ?? -1));
    const [nameA, nameB] = [before, place].map((each) => each && keyOf(each, { by: "name", languages: ["en"] }));
    if (a !== b) return Number(a) < Number(b);
    return nameA === undefined ? nameB !== undefined : nameB !== undefined && compare(String(nameA), String(nameB)) > 0;
  });
  // `keyOf` prefers French names
  expect(faults.length).toBeLessThan(places.length / 50);
});

test("more rows than can be put in order keep their own", async () => {
  const asked: Asked = { collections: ["building"], circle: { ...BOULDER, radiusMeters: 5000 } };
  const plain = await pageOf(asked, 10, 5);
  expect(plain.total).toBeGreaterThan(MAX_ORDERED_ROWS);
  expect(await pageOf({ ...asked, order: NAME }, 10, 5)).toEqual(plain);
});
