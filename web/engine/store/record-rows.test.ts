import { expect, test } from "vitest";
import type { CollectionName } from "../../../data/format/collections.ts";
import { knownCollection } from "../../../data/format/collections.ts";
import { writeWkb } from "../../../data/format/write-wkb.ts";
import { featureJsonOf } from "../records/feature-json.ts";
import { featuresOf } from "../records/features.ts";
import { matchRows } from "../terms/filter.ts";
import { rowsBothWays, sampleBothWays } from "../testing/both-ways.ts";
import { openRecords } from "./record-rows.ts";
import type { Rows } from "./rows.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const refsOf = (rows: Rows) => Array.from({ length: rows.rows }, (_, row) => ({ rows, row }));
const textsOf = (rows: Rows, names?: readonly string[]) =>
  Array.from(featureJsonOf(refsOf(rows), names ? { properties: new Set(names) } : {}), (bytes) =>
    decoder.decode(bytes),
  );

/** Whether the value is -0, or has one in it. */
function isNegativeZero(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(isNegativeZero);
  return Object.is(value, -0);
}

const SAMPLED = [
  "address",
  "building",
  "connector",
  "division",
  "division_area",
  "infrastructure",
  "land",
  "land_use",
  "place",
  "segment",
  "water",
] as const satisfies CollectionName[];

test.each(SAMPLED)("rows of %s in the sample say the same from records and from the primary copy", async (name) => {
  const stored = await sampleBothWays(name);
  expect(stored.length).toBeGreaterThan(0);
  for (const { plain, records } of stored) {
    expect(plain.rows).toBeGreaterThan(0);
    expect(records.rows).toBe(plain.rows);
    expect(textsOf(records)).toEqual(textsOf(plain));
    expect([...featuresOf(refsOf(records))]).toEqual([...featuresOf(refsOf(plain))]);
    const some = ["names", "sources", "brand", "ext_name"];
    expect(textsOf(records, some)).toEqual(textsOf(plain, some));
  }
});

const ODD: readonly (readonly [string, CollectionName, Readonly<Record<string, string>>])[] = [
  [
    "null members, null items, empty lists",
    "place",
    { sources: "[{'dataset': 'a', 'between': []}, NULL]", phones: "[NULL, 'x']", emails: "[]" },
  ],
  [
    "a list of nothing but null, and a struct of nothing but null",
    "place",
    { phones: "[NULL]", taxonomy: "{'primary': NULL}" },
  ],
  [
    "texts that are not there, and a brand of none",
    "place",
    { sources: "[{'license': 'a'}, {'record_id': 'b'}, NULL]", brand: "{'names': {'rules': []}}" },
  ],
  ["the names that a brand has not", "place", { brand: "{'wikidata': 'Q1'}" }],
  [
    "numbers that JSON has not, in lists",
    "place",
    {
      sources: "[{'dataset': 'NaN \"-Infinity\" \\\\', 'confidence': 'nan'::DOUBLE, 'between': ['inf'::DOUBLE, 0.5]}]",
    },
  ],
  ["a column that is no number", "place", { confidence: "'nan'::DOUBLE" }],
  ["a column without an end", "place", { confidence: "'-inf'::DOUBLE" }],
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
    {
      confidence: "-0.0",
      sources: "[{'confidence': 1.0, 'between': [1e-9, 1e21, 1e308, 5e-324, 0.1, 123456789012345678, -0.0]}]",
    },
  ],
  ["whole numbers at the end of their type", "place", { version: "-2147483648" }],
  [
    "keys of maps that are names of an object's own",
    "land",
    { source_tags: "MAP {'__proto__': 'x', '2': 'b', '1': 'a', 'toString': NULL, 'constructor': ''}" },
  ],
  ["characters that are escaped", "place", { names: "{'primary': 'a' || chr(1) || '\"\\/' || chr(8232) || '😀'}" }],
  [
    "texts that begin with U+FEFF",
    "place",
    {
      id: "chr(65279) || 'id'",
      names: "{'primary': chr(65279) || 'x' || chr(65279), common: MAP {chr(65279): chr(65279)}}",
      phones: "[chr(65279)]",
    },
  ],
  ["an id of many scripts", "place", { id: "'é東🗺️' || chr(0)" }],
];

test.each(ODD)("%s are the same", async (_, name, values) => {
  // between rows without any
  const { plain, records } = await rowsBothWays(name, [{}, values, {}, values]);
  expect(textsOf(records)).toEqual(textsOf(plain));
  const features = [records, plain].map((rows) => [...featuresOf(refsOf(rows))]);
  expect(JSON.stringify(features[0])).toBe(JSON.stringify(features[1]));
  expect(JSON.stringify(features[0]?.map((feature) => feature))).toBe(`[${textsOf(plain).join(",")}]`);
  expect(isNegativeZero(features)).toBe(false);
});

test("filters match the same rows of both", async () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({
    names: i % 3 === 0 ? "NULL" : `{'primary': 'Café Nr. ${i % 7}', 'common': MAP {'ja': '東京${i}'}}`,
    confidence: i % 5 === 0 ? "'nan'::DOUBLE" : i % 4 === 0 ? "NULL" : String(i / 40),
    categories: `{'primary': '${i % 2 === 0 ? "bar" : "cafe"}', 'alternate': ['pub', NULL]}`,
    phones: i % 6 === 0 ? "['']" : i % 6 === 1 ? "[]" : "['+1']",
  }));
  const { plain, records } = await rowsBothWays("place", rows);
  const filters = [
    { terms: [["name:caf"]] },
    { terms: [["name:京"]] },
    { terms: [["name:nr"], ["category:bar", "category:pub"]] },
    { terms: [["contact:phone"]] },
    { atLeast: { confidence: 0.25 } },
    { terms: [["name:6"]], atLeast: { confidence: 0 } },
  ];
  for (const each of filters) {
    const [one, other] = [matchRows(records, each), matchRows(plain, each)];
    expect(one, JSON.stringify(each)).toEqual(other);
    expect(one.includes(1) && one.includes(0), JSON.stringify(each)).toBe(true);
  }
});

const point = writeWkb({ type: "Point", coordinates: [7, 43] });
const group = (...texts: readonly string[]) =>
  openRecords(
    { schema: knownCollection("place"), country: "MC", blocks: 1 },
    texts.map((text) => ({ json: new TextEncoder().encode(text), geometry: point })),
  );

test("a column that the collection does not have is none, whatever the text has", () => {
  const rows = group('{"id":"a","confidence":0.5,"colour":"red","constructor":1,"geometry":2}');
  expect(rows.column("confidence")?.read(0)).toBe(0.5);
  expect(rows.column("operating_status")?.read(0)).toBe(null);
  for (const name of ["colour", "constructor", "geometry", "bbox", "__proto__"])
    expect(rows.column(name)).toBeUndefined();
});

test("null members may be there or not, and numbers too large for JSON's are none", () => {
  const [full, short] = [
    group('{"id":"a","version":1,"confidence":null,"names":{"primary":"x","common":null},"phones":[null]}'),
    group('{"id":"a","version":1,"names":{"primary":"x"},"phones":[null]}'),
  ];
  expect(textsOf(full)).toEqual(textsOf(short));
  const large = group('{"id":"a","version":1,"confidence":1e999,"sources":[{"between":[-1e999,0.5]}]}');
  expect(textsOf(large)[0]).toContain('"sources":[{"between":[null,0.5],"property":"","dataset":"","record_id":""}]');
  expect(textsOf(large)[0]).not.toContain("confidence");
});

test("the box of a row is that of its geometry", () => {
  const line = writeWkb({
    type: "LineString",
    coordinates: [
      [7, 43],
      [-8, 44.5],
    ],
  });
  const rows = openRecords({ schema: knownCollection("segment"), country: "MC", blocks: 1 }, [
    { json: new TextEncoder().encode('{"id":"a"}'), geometry: line },
  ]);
  expect(rows.bbox(0)).toEqual([-8, 43, 7, 44.5]);
});

test("a row that the group has not, and a text that is no JSON, are errors", () => {
  expect(() => group('{"id":"a"}').id(1)).toThrow(/has 1 rows, asked for row 1/);
  expect(() => group('{"id":').id(0)).toThrow(SyntaxError);
});
