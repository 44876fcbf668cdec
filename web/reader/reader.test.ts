import { beforeAll, expect, expectTypeOf, test } from "vitest";
import { queryTermsOf } from "../../data/format/fold.ts";
import type { Geometry as StoredGeometry } from "../../data/format/geometry.ts";
import { foldBrand } from "../../data/format/terms.ts";
import type { Dataset as EngineDataset, Query } from "../engine/index.ts";
import { makeDataset } from "../engine/testing/made-up-dataset.ts";
import { randomFrom } from "../engine/testing/random.ts";
import { buildSample } from "../engine/testing/sample.ts";
import { openNodeDataset } from "../hosts/node/open.ts";
import { type Conditions, type Dataset, type Geometry, open, type Question, type ReadBytes } from "./index.ts";
import { folder } from "./node.ts";

let path: string;
let dataset: Dataset;
let engine: EngineDataset;
beforeAll(async () => {
  path = await buildSample();
  dataset = await open(folder(path));
  engine = openNodeDataset(path);
});

const listOf = (value: string | readonly string[]): readonly string[] => (typeof value === "string" ? [value] : value);

/** The same question to the engine. */
function queryOf(collection: string, question: Question): Query {
  const { lat, lng, radius = 1000, country, name, category, brand, class: classes, offset = 0, limit = 25 } = question;
  const terms = [
    ...(name === undefined ? [] : queryTermsOf(name).map((word) => [`name:${word}`])),
    ...(category === undefined ? [] : [listOf(category).map((value) => `category:${value}`)]),
    ...(brand === undefined ? [] : [listOf(brand).map((value) => `brand:${foldBrand(value)}`)]),
    ...(classes === undefined ? [] : [listOf(classes).map((value) => `class:${value}`)]),
  ];
  return {
    collections: [collection],
    ...(lat === undefined || lng === undefined ? {} : { circle: { lat, lon: lng, radiusMeters: radius } }),
    ...(country === undefined ? {} : { country }),
    filters: { terms },
    offset,
    limit,
  };
}

async function expectSame(collection: string, question: Question): Promise<number> {
  const found = await dataset.search(collection, question);
  const expected = await engine.search(queryOf(collection, question));
  const features = [...expected.features()];
  const about = `${collection} ${JSON.stringify(question)}`;
  expect(found.total, about).toBe(expected.total);
  expect(
    found.rows.map(({ id, ext_distance, geometry }) => ({ id, ext_distance, geometry })),
    about,
  ).toEqual(features.map(({ id, properties, geometry }) => ({ id, ext_distance: properties.ext_distance, geometry })));
  expect(await dataset.count(collection, conditionsOf(question)), about).toBe(expected.total);
  return features.length;
}

function conditionsOf({ offset: _, limit: __, ...conditions }: Question): Conditions {
  return conditions;
}

const CENTRES = [
  [43.7384, 7.4246],
  [40.0176, -105.2797],
  [35.68, 139.76],
  [38.9, -77.03],
  [0, 0],
  [90, 0],
  [-90, 12],
  [-17, 180],
  [64, -180],
] as const;

test("finds the rows of the engine, in the same order, at the same distances", async () => {
  const random = randomFrom(11);
  const names = Object.keys(dataset.collections);
  let rows = 0;
  for (let index = 0; index < 36; index++) {
    const collection = names[index % names.length] as string;
    const countries = Object.keys(dataset.collections[collection]?.countries ?? {});
    const country = random.of([undefined, random.of(countries), [random.of(countries), random.of(countries)]]);
    const page = { limit: random.of([0, 1, 7, 25, 100]), offset: random.of([0, 0, 3, 40]) };
    const [lat, lng] = random.of(CENTRES);
    const radius = random.of([0, 10, 150, 2_000, 300_000, 20_015_086]);
    rows += await expectSame(collection, {
      ...page,
      ...(index % 4 === 0 ? {} : { lat, lng, radius }),
      ...(country === undefined ? {} : { country }),
    });
  }
  expect(rows).toBeGreaterThan(150);
});

test("finds rows by name, category, brand and class", async () => {
  const near = { lat: 43.7384, lng: 7.4246, radius: 1500 };
  const questions: readonly (readonly [string, Question])[] = [
    ["place", { country: "MC", name: "hotel" }],
    ["place", { country: "MC", name: "HÔTEL de p" }],
    ["place", { country: "US", category: ["cafe", "coffee_shop"], limit: 60 }],
    ["place", { country: "US", category: "cafe", name: "coffee" }],
    ["place", { country: "US", brand: "STARBUCKS" }],
    ["place", { country: ["US", "MC"], category: ["cafe", "restaurant"], limit: 60, offset: 20 }],
    ["place", { ...near, category: "restaurant", limit: 40, offset: 10 }],
    ["place", { ...near, name: "a", category: ["restaurant", "bar"] }],
    ["place", { ...near, country: "FR", name: "a" }],
    ["place", { country: "MC", name: "nothinghasthisname" }],
    ["place", { country: "MC", name: "centre hospitalier princesse grace" }],
    ["segment", { ...near, class: ["primary", "footway"], name: "avenue" }],
    ["division", { country: "JP", name: "東京" }],
    ["division", { country: "JP", name: "区", limit: 50 }],
    ["division", { country: "DE", name: "verwaltungsgemeinschaft" }],
    ["address", { country: "US", name: "pearl street 1" }],
  ];
  let rows = 0;
  for (const [collection, question] of questions) rows += await expectSame(collection, question);
  expect(rows).toBeGreaterThan(140);
});

test("compares the whole of words that are longer than stored terms", async () => {
  const words = ["donaudampfschifffahrtsgesellschaft", "donaudampfschifffahrtsgericht"];
  const files = await makeDataset({
    place: words.map((word, index) => ({
      id: `p${index}`,
      geometry: { type: "Point", coordinates: [16.4, 48.2] },
      country: "AT",
      values: { names: `{'primary': '${word}', 'common': NULL, 'rules': NULL}` },
    })),
  });
  const made = await open(filesOf(files));
  const ids = async (name: string) => (await made.search("place", { country: "AT", name })).rows.map(({ id }) => id);
  expect(await ids("donaudampfschifffahrtsges")).toEqual(["p0"]);
  expect(await ids("Donaudampfschifffahrtsgericht")).toEqual(["p1"]);
  expect(await ids("donaudampfschifffahrts")).toEqual(["p0", "p1"]);
});

function filesOf(files: ReadonlyMap<string, Uint8Array>): ReadBytes {
  return async (name, offset = 0, length) => {
    const bytes = files.get(name);
    if (!bytes) throw new Error("there is no such file");
    return bytes.slice(offset, length === undefined ? undefined : offset + length);
  };
}

test("reads a deep index and many segments", async () => {
  const random = randomFrom(3);
  const rows = Array.from({ length: 300 }, (_, index) => ({
    id: `id-${index % 3}-${String(random.below(1e6)).padStart(6, "0")}-${index}`,
    geometry: { type: "Point", coordinates: [random.spread(180), random.spread(90)] } as const,
    country: random.of(["AT", "DE", "ZZ"]),
  }));
  const files = await makeDataset(
    { place: rows },
    { rowsPerPartition: 8, rowsPerSegment: 10, slicesPerChunk: 2, nodesPerPage: 3, termsPerSlice: 4 },
  );
  const made = await open(filesOf(files));
  const all = await made.search("place", { limit: 300 });
  expect(all.rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).sort());
  const near = await made.search("place", { lat: 0, lng: 179, radius: 6_000_000, limit: 300 });
  expect(near.rows.length).toBe(near.total);
  expect(near.total).toBeGreaterThan(20);
  for (let offset = 0; offset < near.total; offset += 7) {
    const page = await made.search("place", { lat: 0, lng: 179, radius: 6_000_000, limit: 7, offset });
    expect(page).toEqual({ total: near.total, rows: near.rows.slice(offset, offset + 7) });
  }
  for (const { id } of rows) expect((await made.get("place", id))?.id).toBe(id);
});

test("reads few slices of a large circle", async () => {
  const read: string[] = [];
  const counted = await open(async (name, offset, length) => {
    if (name.includes("_points")) read.push(`${name} ${offset}`);
    return folder(path)(name, offset, length);
  });
  const { total } = await counted.search("building", { lat: 43.7384, lng: 7.4246, radius: 20_015_086, limit: 5 });
  expect(total).toBe(dataset.collections.building?.rows);
  expect(read.length).toBeLessThan(4);
});

test("finds each row by its id, and nothing for an unknown one", async () => {
  for (const collection of Object.keys(dataset.collections)) {
    const { rows } = await dataset.search(collection, { limit: 3 });
    for (const row of rows) expect(await dataset.get(collection, row.id)).toEqual(row);
    expect(await dataset.get(collection, "no such id")).toBeUndefined();
  }
});

test("counts rows per cell like the engine", async () => {
  const circle = { lat: 43.7384, lng: 7.4246, radius: 900 };
  const conditions: readonly Conditions[] = [
    {},
    { country: "US" },
    circle,
    { ...circle, country: "MC" },
    { country: ["MC", "US"] },
  ];
  for (const collection of ["place", "building", "segment", "division_area"]) {
    for (const own of conditions) {
      const known = dataset.collections[collection]?.countries ?? {};
      if ([own.country ?? []].flat().some((code) => known[code] === undefined)) continue;
      for (const chars of [1, 6]) {
        const { offset: _, limit: __, ...query } = queryOf(collection, own);
        const { groups } = await engine.count({ ...query, group: { by: "cell", chars } });
        const cells = await dataset.cells(collection, { ...own, chars });
        expect(cells, `${collection} ${JSON.stringify(own)} ${chars}`).toEqual(
          groups.map(({ key, rows }) => ({ cell: key, rows })),
        );
      }
    }
  }
  const named = await dataset.cells("place", { ...circle, category: "restaurant", chars: 6 });
  expect(named.reduce((sum, { rows }) => sum + rows, 0)).toBe(
    await dataset.count("place", { ...circle, category: "restaurant" }),
  );
});

test("its types match the types of the data", () => {
  expectTypeOf<Geometry>().toEqualTypeOf<StoredGeometry>();
});

test("invalid questions are errors that state what is allowed", async () => {
  const messages: string[] = [];
  const invalid: readonly (readonly [string, Question])[] = [
    ["shop", {}],
    ["place", { lat: 91, lng: 0 }],
    ["place", { lat: 1 }],
    ["place", { radius: 5 }],
    ["place", { lat: 1, lng: 1, radius: Number.NaN }],
    ["place", { country: ["MC", "XX"] }],
    ["place", { limit: 25_001 }],
    ["place", { offset: -1 }],
    ["place", { name: "!" }],
    ["place", { category: [] }],
    ["place", { name: "a".repeat(1001) }],
  ];
  for (const [collection, question] of invalid) {
    await dataset.search(collection, question).then(
      () => messages.push("no error"),
      (error: unknown) => messages.push(error instanceof Error ? `${error.name}: ${error.message}` : ""),
    );
  }
  expect(messages).toEqual([
    expect.stringMatching(/^CairnError: no collection shop, expected one of .*place/),
    "CairnError: lat 91, lng 0, radius 1000: expected -90 to 90, -180 to 180, 0 or more",
    "CairnError: lat and lng are only valid together",
    "CairnError: radius needs lat and lng",
    "CairnError: lat 1, lng 1, radius NaN: expected -90 to 90, -180 to 180, 0 or more",
    expect.stringMatching(/^CairnError: place has no country XX, expected one of .*MC/),
    "CairnError: limit is 25001, expected a whole number from 0 to 25000",
    expect.stringMatching(/^CairnError: offset is -1, expected a whole number from 0/),
    'CairnError: name is "!", expected a text with a letter or a digit',
    "CairnError: category is an empty list, expected one value or more",
    "CairnError: name has 1001 characters, expected at most 1000",
  ]);
  await expect(dataset.cells("place", { chars: 7 })).rejects.toThrow("chars is 7, expected a whole number from 1 to 6");
  await expect(dataset.cells("place", { chars: 3, name: "a" })).rejects.toThrow("need lat and lng");
});

test("a failed read is an error, and the next search works again", async () => {
  let isDown = false;
  const flaky = await open(async (name, offset, length) => {
    if (isDown) throw new Error("the network is down");
    return folder(path)(name, offset, length);
  });
  isDown = true;
  const near = { lat: 43.7384, lng: 7.4246, radius: 300 };
  await expect(flaky.search("place", near)).rejects.toThrow(/cannot be read: the network is down/);
  isDown = false;
  expect(await flaky.search("place", near)).toEqual(await dataset.search("place", near));
});

test("damaged files and other versions are errors", async () => {
  const files = await makeDataset({
    place: [{ id: "a", geometry: { type: "Point", coordinates: [1, 1] }, country: "AT" }],
  });
  const changed = (name: RegExp, change: (bytes: Uint8Array) => Uint8Array) =>
    open(filesOf(new Map([...files].map(([path, bytes]) => [path, name.test(path) ? change(bytes.slice()) : bytes]))));
  const flip = (bytes: Uint8Array) => bytes.map((byte, index) => (index === bytes.length - 1 ? byte ^ 1 : byte));
  const near = { lat: 1, lng: 1 };
  await expect(changed(/manifest/, flip)).rejects.toThrow("manifest.json cannot be read");
  const text = (from: RegExp | string, to: string) => (bytes: Uint8Array) =>
    new TextEncoder().encode(new TextDecoder().decode(bytes).replace(from, to));
  await expect(changed(/manifest/, text(/("format_version":\s*)3/, "$14"))).rejects.toThrow(
    "format_version is 4, expected 3",
  );
  await expect(changed(/manifest/, text("made-up", "made-in"))).rejects.toThrow("its content has SHA-256");
  const points = await changed(/_points/, flip);
  await expect(points.search("place", near)).rejects.toThrow(/_points.* has SHA-256 .*, expected/);
  const records = await changed(/_records/, (bytes) => bytes.fill(0, 100));
  await expect(records.search("place", near)).rejects.toThrow(/_records.*does not hold its check/);
  const short = await changed(/_ids/, (bytes) => bytes.slice(0, 20));
  await expect(short.search("place", { country: "AT" })).rejects.toThrow(/has 20 bytes, expected \d+/);
});
