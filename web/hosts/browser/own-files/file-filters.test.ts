import { beforeAll, describe, expect, test } from "vitest";
import { countryCode } from "../../../../data/format/country-code.ts";
import type { Json } from "../../../../data/format/json.ts";
import { FACETS, type Facet, facetValues, splitTerm, type TermColumns } from "../../../../data/format/terms.ts";
import { type Feature, openDataset } from "../../../engine/index.ts";
import { randomFrom } from "../../../engine/testing/random.ts";
import { openSample } from "../../../engine/testing/sample.ts";
import { parseSearch, SEARCH_PATHS } from "../../../search/index.ts";
import { decodeParquet } from "../../node/parquet.ts";
import type { FileRow } from "./read-file.ts";
import { createFileSearch, type FileSearch, type SearchableFile } from "./search-file.ts";

const at = { type: "Point", coordinates: [7.4, 43.7] } as const;
const rowsOf = (...all: Readonly<Record<string, Json>>[]): FileRow[] =>
  all.map((properties) => ({ geometry: at, properties }));
const [places] = SEARCH_PATHS;

function queryOf(parameters: Readonly<Record<string, string>>): FileSearch {
  if (!places) throw new Error("no path");
  return parseSearch(places, { lat: "43.7", lng: "7.4", ...parameters }).query;
}

const ask = async (rows: readonly FileRow[], parameters: Readonly<Record<string, string>>) => {
  const { matches, ...answer } = await createFileSearch(rows).search(queryOf(parameters));
  return { ...answer, rows: matches.map(({ row }) => row) };
};

describe("rows of Overture are filtered like the records of the dataset", () => {
  type Row = TermColumns & { readonly confidence?: number; readonly addresses?: readonly { country?: string }[] };
  let features: readonly Feature[];
  let file: SearchableFile;
  let flat: SearchableFile;

  beforeAll(async () => {
    const { source } = await openSample();
    const dataset = openDataset({ source, decode: decodeParquet });
    const query = { collections: ["place"], country: "MC", offset: 0, limit: 1500 } as const;
    features = [...(await dataset.search(query)).features()];
    file = createFileSearch(features);
    // a table of texts: nested values are JSON, as programs write it
    flat = createFileSearch(
      features.map(({ geometry, properties }) => ({
        geometry,
        properties: Object.fromEntries(
          Object.entries(properties)
            .filter(([, value]) => value !== null)
            .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
        ),
      })),
    );
  });

  const rowAt = (index: number) => features[index]?.properties as unknown as Row;

  function meets(row: Row, { terms = [], atLeast = {} }: NonNullable<FileSearch["filters"]>): boolean {
    const isConfident = atLeast.confidence === undefined || (row.confidence ?? -1) >= atLeast.confidence;
    return (
      isConfident &&
      terms.every((anyOf) =>
        anyOf.some((term) => {
          const { facet, value } = splitTerm(term);
          const values = [...facetValues(facet, row)];
          return facet === "name" ? values.some((word) => word.startsWith(value)) : values.includes(value);
        }),
      )
    );
  }

  test("every filter of the dataset matches a plain loop", async () => {
    expect(features.length).toBeGreaterThan(500);
    const random = randomFrom(20261126);
    let matched = 0;
    const facets = FACETS.filter(
      (facet) => !["subtype", "class", "level", "surface", "speed", "division"].includes(facet),
    );
    for (let i = 0; i < 300; i++) {
      const terms = Array.from({ length: 1 + random.below(2) }, () => {
        const facet: Facet = random.of(facets);
        const values = Array.from({ length: facet === "name" ? 1 : 1 + random.below(2) }, () => {
          const value = random.of([...facetValues(facet, rowAt(random.below(features.length))), "nothing-has-this"]);
          return facet === "name" ? Array.from(value).slice(0, 4).join("") : value;
        });
        return values.map((value) => `${facet}:${value}`);
      });
      const filters = { terms, ...(i % 3 === 0 ? { atLeast: { confidence: random.between(0, 1) } } : {}) };
      const expected = features.flatMap((_, index) => (meets(rowAt(index), filters) ? [index] : []));
      matched += expected.length;
      for (const searched of [file, flat]) {
        const { matches, unasked } = await searched.search({ filters });
        expect({ rows: matches.map(({ row }) => row), unasked }, JSON.stringify(filters)).toEqual({
          rows: expected,
          unasked: [],
        });
      }
    }
    expect(matched).toBeGreaterThan(5000);
  });

  test("by the country of their addresses; a row without one is kept", async () => {
    const codes = features.map((_, index) => rowAt(index).addresses?.find(({ country }) => country)?.country);
    for (const country of ["MC", "FR", "JP"]) {
      const expected = codes.flatMap((code, index) => (code === undefined || code === country ? [index] : []));
      const { matches, unplaced, unasked } = await file.search({ country });
      expect(matches.map(({ row }) => row)).toEqual(expected);
      expect({ unplaced, unasked }).toEqual({
        unplaced: codes.filter((code) => code === undefined).length,
        unasked: [],
      });
    }
  });

  test("their title is the primary name", async () => {
    const titles = features.map((_, index) => rowAt(index).names?.primary ?? undefined);
    for (const searched of [file, flat]) {
      const named = (await searched.search({})).matches.filter(({ row }) => titles[row] !== undefined);
      expect(named.map(({ title }) => title)).toEqual(named.map(({ row }) => titles[row]));
    }
  });
});

test("columns with other names carry the same terms", async () => {
  const rows = rowsOf(
    { NAME: "One", Category: "Coffee shop", Status: "Open", confidence: "0,9", phone: "+1", "brand:wikidata": "Q1" },
    { NAME: "Two", Category: "hotel", Status: "temporarily closed", confidence: "0.3", phone: "", brand: "Ibis" },
    { NAME: "Three", Category: ["hotel", "bar"], confidence: 0.5, email: "a@b.c", brand: "IBIS" },
  );
  expect((await ask(rows, { categories: "coffee_shop,bar" })).rows).toEqual([0, 2]);
  expect((await ask(rows, { operating_status: "temporarily_closed" })).rows).toEqual([1]);
  expect((await ask(rows, { min_confidence: "0.5" })).rows).toEqual([0, 2]);
  expect((await ask(rows, { has_contact: "phone" })).rows).toEqual([0]);
  expect((await ask(rows, { has_contact: "phone,email" })).rows).toEqual([0, 2]);
  expect((await ask(rows, { brand_name: "ibis" })).rows).toEqual([1, 2]);
  expect((await ask(rows, { brand_wikidata: "Q1" })).rows).toEqual([0]);
  expect((await ask(rows, { name: "thr" })).rows).toEqual([2]);
});

test("a filter without a column in the file is ignored and reported", async () => {
  const rows = rowsOf({ title: "One", colour: 3, Lat: "1", lng: "2" }, { title: "Two", colour: 5, wkt: "x" });
  const filters = { categories: "hotel", min_confidence: "0.5", country: "FR", name: "two" };
  expect(await ask(rows, filters)).toEqual({
    rows: [1],
    total: 1,
    unasked: ["country", "category", "confidence"],
    unplaced: 1,
  });
  const { columns } = createFileSearch(rows);
  expect([columns.uses, columns.others]).toEqual([new Map([["name", ["title"]]]), ["colour"]]);
});

test("a country is a code, or a name in a language of the page", async () => {
  const rows = rowsOf(
    { name: "a", Country: "fr" },
    { name: "b", Country: "Frankreich" },
    { name: "c", Country: "U.K." },
    { name: "d", Country: "nowhere" },
    { name: "e" },
  );
  expect(await ask(rows, { country: "FR" })).toEqual({ rows: [0, 1, 3, 4], total: 4, unasked: [], unplaced: 2 });
  expect((await ask(rows, { country: "GB" })).rows).toEqual([2, 3, 4]);
  const texts = [
    "JP",
    "日本",
    "Japón",
    "japan",
    "اليابان",
    "United Kingdom",
    "Côte d’Ivoire",
    "Cote d'Ivoire",
    "ZZ",
    "Elbonia",
  ];
  expect(texts.map(countryCode)).toEqual(["JP", "JP", "JP", "JP", "JP", "GB", "CI", "CI", undefined, undefined]);
});

test("columns of foreign files may contain anything", async () => {
  const odd: Json[] = [
    null,
    5,
    true,
    "",
    "{",
    "[1",
    "{}",
    [],
    [null, [1]],
    {},
    { primary: 3, alternate: 4 },
    [{ country: 7 }],
  ];
  const names = ["names", "name", "categories", "taxonomy", "brand", "sources", "websites", "addresses", "confidence"];
  const rows = odd.flatMap((value) => rowsOf(Object.fromEntries(names.map((name) => [name, value]))));
  const filters = { categories: "x", taxonomy: "x", brand_name: "x", source: "x", has_contact: "website" };
  expect((await ask(rows, { ...filters, country: "FR", name: "xx", min_confidence: "1" })).rows).toEqual([]);
  expect((await ask(rows, { categories: "3,4" })).rows).toEqual([10]);
});

describe("columns of other languages have the uses that a build gives them", () => {
  const rows = rowsOf(
    { Filiale: "Altstadt", Typ: "Café", Telefon: "+49 6221 1", Umsatz: 1 },
    { Filiale: "Weststadt", Typ: "Laden", Telefon: "", Umsatz: 2 },
  );

  test("name, category and contacts are found by role", async () => {
    const { columns } = createFileSearch(rows);
    expect(Object.fromEntries(columns.uses)).toEqual({ name: ["Filiale"], category: ["Typ"], contact: ["Telefon"] });
    expect(columns.others).toEqual(["Umsatz"]);
    expect(await ask(rows, { name: "west" })).toMatchObject({ rows: [1], unasked: [] });
    expect(await ask(rows, { categories: "café" })).toMatchObject({ rows: [0], unasked: [] });
    expect(await ask(rows, { has_contact: "phone" })).toMatchObject({ rows: [0], unasked: [] });
    expect(await ask(rows, { has_contact: "website" })).toMatchObject({ rows: [], unasked: [] });
  });

  test("without a known name, the first column with mostly different short texts is the name", async () => {
    const unknown = rowsOf(
      { Kennzahl: "A-1", Stelle: "Altstadt", Leitung: "Ada" },
      { Kennzahl: "A-2", Stelle: "Weststadt", Leitung: "Bo" },
    );
    const { columns } = createFileSearch(unknown);
    expect(columns.uses.get("name")).toEqual(["Stelle"]);
    expect(await ask(unknown, { name: "west" })).toMatchObject({ rows: [1] });
  });
});
