import { expect, test } from "vitest";
import type { CollectionName } from "../../../data/format/collections.ts";
import { featureJsonOf } from "../records/feature-json.ts";
import { featuresOf } from "../records/features.ts";
import { rowBothWays, sampleBothWays } from "../testing/both-ways.ts";
import type { Partition } from "./partition.ts";
import { storedColumn } from "./stored-columns.ts";

const decoder = new TextDecoder();
const rowsOf = (partition: Partition) => Array.from({ length: partition.rows }, (_, row) => ({ partition, row }));
const texts = (partition: Partition) => Array.from(featureJsonOf(rowsOf(partition)), (bytes) => decoder.decode(bytes));

/** Whether the value is -0, or has one in it. */
function isNegativeZero(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(isNegativeZero);
  return Object.is(value, -0);
}

test.each(["place", "segment", "division", "land", "building"] as const satisfies CollectionName[])(
  "rows of %s in the sample say the same, packed or not",
  async (name) => {
    const { plain, packed } = await sampleBothWays(name);
    expect(plain.rows).toBeGreaterThan(20);
    expect(texts(packed)).toEqual(texts(plain));
    expect([...featuresOf(rowsOf(packed))]).toEqual([...featuresOf(rowsOf(plain))]);
  },
);

test.each([
  [
    "null members, null items, empty lists",
    "place",
    { sources: "[{'dataset': 'a', 'between': []}, NULL]", phones: "[NULL, 'x']", emails: "[]" },
  ],
  [
    "texts that are not there, and a brand of none",
    "place",
    { sources: "[{'license': 'a'}, {'record_id': 'b'}, NULL]", brand: "{'names': {'rules': []}}" },
  ],
  ["the names that a brand has not", "place", { brand: "{'wikidata': 'Q1'}" }],
  [
    "numbers that JSON has not",
    "place",
    {
      sources: "[{'dataset': 'NaN \"-Infinity\" \\\\', 'confidence': 'nan'::DOUBLE, 'between': ['inf'::DOUBLE, 0.5]}]",
    },
  ],
  [
    "texts that look like members which are null",
    "place",
    {
      names: `{'primary': 'a,"b":null', common: MAP {'x,': 'y', '{"z":null': 'w', 'q': NULL}, 'rules': [{'variant': NULL, 'value': '{"v":null,'}]}`,
      brand: "{'names': {'primary': NULL}}",
      socials: `['a,', 'b":null', ',"c":null,', '{"d":null}']`,
    },
  ],
  [
    "numbers spelled otherwise in JavaScript",
    "place",
    { confidence: "-0.0", sources: "[{'confidence': 1.0, 'between': [1e-9, 1e21, 0.1, -0.0]}]" },
  ],
  [
    "keys of maps that are names of an object's own",
    "land",
    { source_tags: "MAP {'__proto__': 'x', '2': 'b', '1': 'a', 'toString': NULL}" },
  ],
  ["characters that are escaped", "place", { names: "{'primary': 'a' || chr(1) || '\"\\/' || chr(8232) || '😀'}" }],
] as const)("%s are the same", async (_, name, values) => {
  const { plain, packed } = await rowBothWays(name, values);
  expect(texts(packed)).toEqual(texts(plain));
  const features = [packed, plain].map((partition) => [...featuresOf(rowsOf(partition))]);
  expect(JSON.stringify(features[0])).toBe(JSON.stringify(features[1]));
  expect(isNegativeZero(features[0])).toBe(false);
});

test("a column that the collection does not have is none, in a record too", async () => {
  const { packed } = await rowBothWays("place", { confidence: "0.5" });
  expect(storedColumn(packed, "confidence")?.read(0)).toBe(0.5);
  expect(storedColumn(packed, "operating_status")?.read(0)).toBe(null);
  expect(storedColumn(packed, "constructor")).toBeUndefined();
});
