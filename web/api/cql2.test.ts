import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { BBox } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { knownCollection } from "../../data/format/collections.ts";
import type { Geometry, Position } from "../../data/format/geometry.ts";
import { compareIds } from "../../data/format/ids.ts";
import type { Manifest } from "../../data/format/manifest.ts";
import { type Dataset, openDataset, TooManyRowsError } from "../engine/index.ts";
import { meetsBox } from "../engine/testing/meets-box.ts";
import { openSample, type Sample } from "../engine/testing/sample.ts";
import { countingSource } from "../engine/testing/sources.ts";
import { readStoredRows } from "../engine/testing/stored-rows.ts";
import { withMethods } from "../engine/testing/with-methods.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { createApi } from "./index.ts";
import { queryablesOf } from "./ogc-filter.ts";
import { MOST_TESTED_ROWS, parseItems } from "./ogc-items.ts";

type Literal = string | number | boolean;
type Verdict = boolean | undefined;

interface Row {
  readonly id: string;
  readonly country: string;
  readonly geometry: Geometry;
  readonly bbox: Readonly<Record<"xmin" | "ymin" | "xmax" | "ymax", number>>;
  readonly [column: string]: unknown;
}

type Tree =
  | { readonly op: "and" | "or"; readonly of: readonly Tree[] }
  | { readonly op: "not"; readonly of: Tree }
  | { readonly op: "true" | "false" }
  | { readonly op: "isNull"; readonly property: string }
  | { readonly op: "=" | "<>" | "<" | "<=" | ">" | ">="; readonly property: string; readonly value: Literal }
  | { readonly op: "in"; readonly property: string; readonly values: readonly Literal[] }
  | { readonly op: "between"; readonly property: string; readonly low: number; readonly high: number }
  | { readonly op: "like"; readonly property: string; readonly pattern: string }
  | { readonly op: "meets"; readonly box: BBox };

let sample: Sample;
let dataset: Dataset;
const stored = new Map<CollectionName, readonly Row[]>();
beforeAll(async () => {
  sample = await openSample();
  dataset = openDataset({ source: sample.source, decode: decodeParquet });
});

async function rowsOf(name: CollectionName): Promise<readonly Row[]> {
  const rows = stored.get(name) ?? (await readStoredRows<Row>(sample.folder, name));
  stored.set(name, rows);
  return rows;
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((current, key) => (current as Record<string, unknown> | null | undefined)?.[key], value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const CONTACTS = { website: "websites", phone: "phones", email: "emails", social: "socials" } as const;

const MADE: Readonly<Record<string, (row: Row) => readonly unknown[]>> = {
  country: ({ country }) => [country],
  ext_country: ({ country }) => [country],
  version: ({ version }) => [String(version)],
  categories: ({ categories }) => [at(categories, ["primary"]), ...list(at(categories, ["alternate"]))],
  taxonomy: ({ taxonomy }) => [at(taxonomy, ["primary"]), ...list(at(taxonomy, ["hierarchy"]))],
  brand_name: ({ brand }) => [(at(brand, ["names", "primary"]) as string | null | undefined)?.toLowerCase()],
  brand_wikidata: ({ brand }) => [at(brand, ["wikidata"])],
  has_contact: (row) =>
    Object.entries(CONTACTS).flatMap(([kind, column]) => (list(row[column]).some((text) => text) ? [kind] : [])),
  source: ({ sources }) => list(sources).map((source) => at(source, ["dataset"])),
  surface: ({ road_surface }) => list(road_surface).map((part) => at(part, ["value"])),
  speed_limit: ({ speed_limits }) =>
    list(speed_limits).map((limit) => {
      const { value, unit } = (at(limit, ["max_speed"]) ?? {}) as { value?: number; unit?: string };
      return value && unit ? `${value}${unit.replace("/", "")}` : undefined;
    }),
};

function valuesOf(row: Row, property: string): readonly Literal[] {
  const isColumn = property in row && property !== "country" && typeof row[property] !== "object";
  const make = isColumn && property !== "version" ? undefined : MADE[property];
  const values = make ? make(row) : [at(row, property.split("."))];
  return values.filter((value): value is Literal => value !== null && value !== undefined && (!make || value !== ""));
}

const isLess = (a: Literal, b: Literal) =>
  typeof a === "string" ? compareIds(a, String(b)) < 0 : Number(a) < Number(b);

function isLike(text: string, pattern: string): boolean {
  const source = pattern.replace(/\\(.)|[%_]|[^\\]/gsu, (part, escaped?: string) => {
    if (escaped === undefined && part === "%") return ".*";
    if (escaped === undefined && part === "_") return ".";
    return (escaped ?? part).replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "su").test(text);
}

function holds(tree: Tree, row: Row): Verdict {
  switch (tree.op) {
    case "true":
      return true;
    case "false":
      return false;
    case "not": {
      const inner = holds(tree.of, row);
      return inner === undefined ? undefined : !inner;
    }
    case "and":
    case "or": {
      const found = tree.of.map((each) => holds(each, row));
      const deciding = tree.op === "or";
      if (found.includes(deciding)) return deciding;
      return found.includes(undefined) ? undefined : !deciding;
    }
    case "meets":
      return meetsBox(row.geometry, tree.box);
    default: {
      const values = valuesOf(row, tree.property);
      if (tree.op === "isNull") return values.length === 0;
      return values.length === 0 ? undefined : values.some((value) => isMet(tree, value));
    }
  }
}

function isMet(tree: Extract<Tree, { readonly property: string }>, value: Literal): boolean {
  switch (tree.op) {
    case "=":
      return value === tree.value;
    case "<>":
      return value !== tree.value;
    case "<":
      return isLess(value, tree.value);
    case "<=":
      return !isLess(tree.value, value);
    case ">":
      return isLess(tree.value, value);
    case ">=":
      return !isLess(value, tree.value);
    case "in":
      return tree.values.includes(value);
    case "between":
      return Number(value) >= tree.low && Number(value) <= tree.high;
    case "like":
      return isLike(String(value), tree.pattern);
    case "isNull":
      return false;
  }
}

const quoted = (value: Literal) =>
  typeof value === "string" ? `'${value.replaceAll("\\", "\\\\").replaceAll("'", "''")}'` : String(value).toUpperCase();

function asText(tree: Tree): string {
  switch (tree.op) {
    case "true":
    case "false":
      return tree.op.toUpperCase();
    case "not":
      return `NOT (${asText(tree.of)})`;
    case "and":
    case "or":
      return tree.of.map((each) => `(${asText(each)})`).join(` ${tree.op} `);
    case "meets":
      return `S_INTERSECTS(geometry, BBOX(${tree.box}))`;
    case "isNull":
      return `"${tree.property}" IS NULL`;
    case "in":
      return `${tree.property} IN (${tree.values.map(quoted).join(", ")})`;
    case "between":
      return `${tree.property} BETWEEN ${tree.low} AND ${tree.high}`;
    case "like":
      return `${tree.property} LIKE ${quoted(tree.pattern)}`;
    default:
      return `${tree.property} ${tree.op} ${quoted(tree.value)}`;
  }
}

function asJson(tree: Tree): unknown {
  switch (tree.op) {
    case "true":
    case "false":
      return tree.op === "true";
    case "not":
      return { op: "not", args: [asJson(tree.of)] };
    case "and":
    case "or":
      return { op: tree.op, args: tree.of.map(asJson) };
    case "meets":
      return { op: "s_intersects", args: [{ property: "geometry" }, { bbox: tree.box }] };
  }
  const property = { property: tree.property };
  switch (tree.op) {
    case "isNull":
      return { op: "isNull", args: [property] };
    case "in":
      return { op: "in", args: [property, tree.values] };
    case "between":
      return { op: "between", args: [property, tree.low, tree.high] };
    case "like":
      return { op: "like", args: [property, tree.pattern] };
    default:
      return { op: tree.op, args: [property, tree.value] };
  }
}

/** Overture's collections need no manifest. */
const MANIFEST = { collections: {} } as Manifest;

/** Filters with values of the rows, or with values near these. */
function trees(name: CollectionName, rows: readonly Row[]): fc.Arbitrary<Tree> {
  const schemas = Object.entries(queryablesOf(knownCollection(name))).filter(([property]) => property !== "geometry");
  const texts = schemas.filter(([, { type }]) => type === "string").map(([property]) => property);
  const numbers = schemas.filter(([, { type }]) => /number|integer/.test(String(type))).map(([property]) => property);
  const all = schemas.map(([property]) => property).filter((property) => !["theme", "type"].includes(property));
  const row = fc.nat(rows.length - 1).map((index) => rows[index] as Row);
  const fallback = (property: string): Literal => {
    const { type } = queryablesOf(knownCollection(name))[property] ?? {};
    return type === "string" ? "cafe" : type === "boolean" ? true : 1;
  };
  const valueIn = (property: string) => row.map((one) => valuesOf(one, property)[0] ?? fallback(property));
  const of = (properties: readonly string[]) =>
    fc.constantFrom(...properties.filter((property) => all.includes(property)));
  const like = of(texts).chain((property) =>
    fc
      .tuple(valueIn(property), fc.nat(12), fc.nat(6), fc.constantFrom("%", "_", ""))
      .map(([value, from, length, end]) => {
        const characters = [...String(value)];
        const part = characters
          .slice(from, from + length)
          .join("")
          .replace(/[%_\\]/g, "\\$&");
        return { op: "like", property, pattern: `${from === 0 ? "" : "%"}${part}${end}` } as const;
      }),
  );
  const compared = of(all).chain((property) =>
    fc
      .tuple(fc.constantFrom("=", "=", "<>", "<", "<=", ">", ">="), valueIn(property))
      .map(([op, value]) => ({ op, property, value }) as const),
  );
  const among = of(all).chain((property) =>
    fc
      .array(valueIn(property), { minLength: 1, maxLength: 4 })
      .map((values) => ({ op: "in", property, values }) as const),
  );
  const isNull = of(all).map((property) => ({ op: "isNull", property }) as const);
  const between =
    numbers.length === 0
      ? isNull
      : of(numbers).chain((property) =>
          fc
            .tuple(valueIn(property), fc.integer({ min: -3, max: 30 }))
            .map(([low, more]) => ({ op: "between", property, low: Number(low), high: Number(low) + more }) as const),
        );
  const meets = fc.tuple(row, fc.double({ min: 0, max: 0.02, noNaN: true })).map(([{ bbox }, size]) => {
    const [lon, lat]: Position = [bbox.xmin, bbox.ymin];
    return { op: "meets", box: [lon, lat, Math.min(180, lon + size), Math.min(90, lat + size)] } as const;
  });
  const leaf: fc.Arbitrary<Tree> = fc.oneof(
    { weight: 5, arbitrary: compared },
    { weight: 3, arbitrary: like },
    { weight: 3, arbitrary: among },
    { weight: 2, arbitrary: between },
    { weight: 2, arbitrary: isNull },
    { weight: 2, arbitrary: meets },
    { weight: 1, arbitrary: fc.constantFrom({ op: "true" } as const, { op: "false" } as const) },
  );
  return fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      leaf,
      fc
        .tuple(fc.constantFrom("and", "or", "and"), fc.array(tie("tree"), { minLength: 2, maxLength: 3 }))
        .map(([op, inner]): Tree => ({ op: op as "and" | "or", of: inner })),
      tie("tree").map((inner): Tree => ({ op: "not", of: inner })),
    ),
  })).tree;
}

async function search(name: CollectionName, parameters: Readonly<Record<string, string>>) {
  const { query } = parseItems(MANIFEST, name, { limit: "10000", ...parameters }).search;
  const { total, features } = await dataset.search({ ...query, limit: 50_000 });
  return { total, ids: Array.from(features(new Set()), ({ id }) => id).sort() };
}

describe("random filters find the same rows as a plain loop with three-valued logic", () => {
  test.each(["place", "building", "segment", "division", "water"] as const)("%s", async (name) => {
    const rows = await rowsOf(name);
    let found = 0;
    await fc.assert(
      fc.asyncProperty(trees(name, rows), fc.boolean(), async (tree, isJson) => {
        const filter = isJson ? JSON.stringify(asJson(tree)) : asText(tree);
        const expected = rows.filter((row) => holds(tree, row) === true).map(({ id }) => id);
        const { total, ids } = await search(name, { filter, "filter-lang": isJson ? "cql2-json" : "cql2-text" });
        expect(ids, filter).toEqual(expected.sort());
        expect(total).toBe(expected.length);
        found += total;
      }),
      { seed: name.length, numRuns: 30 },
    );
    expect(found).toBeGreaterThan(rows.length);
  });
});

const isOfPlace = async (filter: string, test: (row: Row) => boolean) => {
  const rows = await rowsOf("place");
  const expected = rows.filter(test).map(({ id }) => id);
  expect((await search("place", { filter })).ids, filter).toEqual(expected.sort());
  return expected.length;
};
const nameOf = ({ names }: Row) => at(names, ["primary"]) as string | null | undefined;

test("AND binds more tightly than OR, NOT more than AND, and keywords ignore case", async () => {
  const found = await isOfPlace(
    "confidence < 0.3 or names.primary like 'A%' And Not operating_status = 'open'",
    (row) =>
      (row.confidence as number) < 0.3 ||
      (nameOf(row)?.startsWith("A") === true && row.operating_status !== null && row.operating_status !== "open"),
  );
  expect(found).toBeGreaterThan(0);
});

test("a value may come first, and NOT may be part of BETWEEN, LIKE, IN and IS NULL", async () => {
  await isOfPlace("0.9 <= confidence", (row) => Number(row.confidence) >= 0.9);
  await isOfPlace(
    "confidence NOT BETWEEN 0.5 AND 0.9",
    (row) => !(Number(row.confidence) >= 0.5 && Number(row.confidence) <= 0.9),
  );
  await isOfPlace("names.primary NOT LIKE '%e%'", (row) => nameOf(row)?.includes("e") === false);
  await isOfPlace("country NOT IN ('MC', 'FR')", ({ country }) => country === "US");
  await isOfPlace("brand.wikidata IS NOT NULL", ({ brand }) => Boolean(at(brand, ["wikidata"])));
});

test("quotes and wildcards are escaped in texts and patterns", async () => {
  const found = await isOfPlace("names.primary LIKE '%\\'%'", (row) => nameOf(row)?.includes("'") === true);
  expect(found).toBeGreaterThan(0);
  await isOfPlace("names.primary LIKE '%''%'", (row) => nameOf(row)?.includes("'") === true);
  await isOfPlace("names.primary LIKE '%\\%%'", (row) => nameOf(row)?.includes("%") === true);
  await isOfPlace("names.primary LIKE '%\\_%'", (row) => nameOf(row)?.includes("_") === true);
  await isOfPlace("names.primary LIKE '%\\t%'", (row) => nameOf(row)?.includes("\t") === true);
  await isOfPlace("names.primary LIKE '_'", (row) => [...(nameOf(row) ?? "--")].length === 1);
});

test("a pattern of many wildcards takes at most text length times pattern length", async () => {
  const started = performance.now();
  await search("place", { filter: `websites IS NULL OR names.primary LIKE '${"%a".repeat(200)}%b'` }).catch(() => {});
  await search("place", { filter: `names.primary LIKE '${"%a".repeat(200)}%b'` });
  expect(performance.now() - started).toBeLessThan(20_000);
});

test("S_INTERSECTS accepts a point, on either side, and together with a bbox", async () => {
  const areas = await rowsOf("division_area");
  const point: BBox = [7.4246, 43.7384, 7.4246, 43.7384];
  const expected = areas.filter(({ geometry }) => meetsBox(geometry, point)).map(({ id }) => id);
  expect(expected.length).toBeGreaterThan(1);
  for (const parameters of [
    { filter: "S_INTERSECTS(geometry, POINT(7.4246 43.7384))" },
    { filter: "S_INTERSECTS(POINT(7.4246 43.7384), geometry)" },
    { filter: "S_INTERSECTS(geometry, POINT(7.4246 43.7384))", bbox: "-180,-90,180,90" },
    {
      filter: JSON.stringify({
        op: "s_intersects",
        args: [{ property: "geometry" }, { type: "Point", coordinates: [7.4246, 43.7384] }],
      }),
      "filter-lang": "cql2-json",
    },
  ])
    expect((await search("division_area", parameters)).ids).toEqual(expected.sort());
});

test("what an index answers is looked up, and no more rows are read than with the parameter", async () => {
  const { query } = parseItems(MANIFEST, "place", {
    filter: "categories IN ('hotel') AND country = 'MC' AND confidence >= 0.5",
  }).search;
  expect(query).toMatchObject({
    country: "MC",
    filters: { terms: [["category:hotel"]], atLeast: { confidence: 0.5 } },
  });
  expect(query.filters?.where).toBeUndefined();
  expect(parseItems(MANIFEST, "place", { filter: "ext_country = 'MC'" }).search.query.country).toBe("MC");
  // a division says in country what it declares
  expect(() => parseItems(MANIFEST, "division", { filter: "ext_country = 'MC'" })).toThrow(
    "ext_country is not a property here",
  );
  expect(parseItems(MANIFEST, "place", { categories: "hotel", filter: "country = 'MC'" }).search.query).toMatchObject({
    country: "MC",
    filters: { terms: [["category:hotel"]] },
  });
});

test("a filter reads at most its limit of rows, and the error explains what to do", async () => {
  const rows = await rowsOf("building");
  const counting = countingSource(sample.source);
  const fresh = openDataset({ source: counting, decode: decodeParquet });
  await fresh.manifest();
  const search = (parameters: Readonly<Record<string, string>>, maxTestedRows: number) =>
    fresh.search({ ...parseItems(MANIFEST, "building", parameters).search.query, maxTestedRows });
  for (const parameters of [
    { filter: "height < 5" },
    { filter: "height < 5", country: "US" },
    { filter: "height < 5", bbox: "-180,-90,180,90" },
    { filter: "height < 5 OR S_INTERSECTS(geometry, BBOX(7,43,8,44))" },
  ]) {
    counting.reset();
    await expect(search(parameters, 1000), JSON.stringify(parameters)).rejects.toThrow(TooManyRowsError);
    expect(counting.requests.filter(({ path }) => /country=/.test(path))).toEqual([]);
    await search(parameters, rows.length);
  }
  const few = rows.filter(({ subtype }) => subtype === "religious").length;
  expect(few).toBeGreaterThan(0);
  await search({ filter: "height < 5 AND subtype = 'religious'", country: "US" }, rows.length / 2);

  const api = createApi({
    dataset: withMethods(dataset, (inner) => ({
      search: (query, options) => inner.search({ ...query, maxTestedRows: 1000 }, options),
    })),
  });
  const response = await api(new Request("http://a.test/ogc/collections/building/items?filter=height%3C5"));
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    code: "TooManyRows",
    description: `filter would read ${rows.length} rows to test them, at most 1000 are read; narrow it by bbox, by country = '..', or by a value of an indexed property such as subtype or categories`,
  });
  expect(parseItems(MANIFEST, "building", { filter: "height < 5" }).search.query.maxTestedRows).toBe(MOST_TESTED_ROWS);
});

test("items without a filter are ordered by id, and only those of the page are read", async () => {
  const rows = await rowsOf("connector");
  const { query } = parseItems(MANIFEST, "connector", { limit: "25", offset: "100" }).search;
  const { total, features, report } = await dataset.search({ ...query, maxTestedRows: 0 });
  const ids = rows.map(({ id }) => id).sort(compareIds);
  expect(Array.from(features(), ({ id }) => id)).toEqual(ids.slice(100, 125));
  expect(total).toBe(rows.length);
  expect(report.rowsScanned).toBe(25);
});

test.each([
  ["confidence", /expected =, <>, .* or IS NULL, got the end/],
  ["confidence = ", /expected a text in 'quotes', a number, TRUE or FALSE, got the end/],
  ["confidence = confidence", /expected a text in 'quotes', .*, got confidence/],
  ["confidence = 'x'", /filter: confidence is a number, got "x"/],
  ["names.primary = 5", /filter: names.primary is a string, got 5/],
  ["names.primary LIKE 5", /expected a pattern in 'quotes', got/],
  ["confidence BETWEEN 'a' AND 'b'", /expected a number/],
  ["confidence LIKE 'a%'", /filter: confidence is a number, got "a%"/],
  ["confidence NOT = 1", /expected IN, LIKE or BETWEEN, got =/],
  ["confidence IS 1", /expected NULL, got 1/],
  ["categories IN ()", /expected a text in 'quotes'/],
  ["colour = 'red'", /colour is not a property here; allowed are country, /],
  ["geometry = 'x'", /geometry takes S_INTERSECTS alone/],
  ["names = 'x'", /names is not a property here; allowed are .*, names.primary, /],
  ["confidense = 1", /confidense is not a property here; the nearest is confidence/],
  ["date = DATE('2020-01-01')", /expected a text in 'quotes', .*, got DATE/],
  ["confidence = 1 confidence = 2", /expected AND, OR or the end, got confidence/],
  ["confidence = 1)", /expected AND, OR or the end, got \)/],
  ["categories = 'a", /expected a text in 'quotes', .*, got '/],
  ["S_INTERSECTS(id, POINT(7 43))", /S_INTERSECTS takes geometry, got id/],
  ["S_INTERSECTS(geometry, LINESTRING(7 43, 8 44))", /expected POINT, POLYGON, MULTIPOLYGON or BBOX, got LINESTRING/],
  ["S_INTERSECTS(geometry, POINT(7 143))", /expected BBOX\(west, south, east, north\) in degrees, got POINT\(7 143\)/],
  ["S_INTERSECTS(geometry, POLYGON((7 43, 8 43)", /expected closing parentheses, got the end/],
  ["S_INTERSECTS(geometry, BBOX(1,2))", /expected BBOX\(west, south, east, north\)/],
  ["", /filter must be CQL2/],
  ["(".repeat(5000), /parentheses are at most 100 deep/],
  ["NOT ".repeat(5000), /parentheses are at most 100 deep/],
  [Array.from({ length: 201 }, () => "confidence = 1").join(" OR "), /a filter has at most 200 conditions/],
])("%.60s is refused, with what came and what is allowed", async (filter, message) => {
  expect(() => parseItems(MANIFEST, "place", { filter })).toThrow(message);
});

test.each([
  ["x", /expected JSON, got x/],
  ["{}", /expected op with args, got \{\}/],
  ['{"op":"or","args":[]}', /expected args of or/],
  ['{"op":"xor","args":[]}', /expected and, or, not, =, .*, got "xor"/],
  ['{"op":"=","args":[{"property":"confidence"}]}', /expected 2 args, got/],
  ['{"op":"=","args":[1,2]}', /expected a property, got 2/],
  ['{"op":"=","args":[{"property":"confidence"},null]}', /expected a text, a number, true or false, got null/],
  ['{"op":"in","args":[{"property":"categories"},[]]}', /expected a list of values/],
  [
    '{"op":"s_intersects","args":[{"property":"geometry"},{"type":"LineString","coordinates":[[1,2],[3,4]]}]}',
    /expected POINT/,
  ],
  ["[".repeat(100_000), /JSON is at most 500 deep/],
])("JSON %.60s is refused", (filter, message) => {
  expect(() => parseItems(MANIFEST, "place", { filter, "filter-lang": "cql2-json" })).toThrow(message);
});
