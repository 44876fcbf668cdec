import { beforeAll, expect, test } from "vitest";
import { foldText, queryTermsOf, termsOf } from "../../../data/format/fold.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { MOST_POPULOUS, SHOWN_LANGUAGES } from "../../../data/format/suggestions.ts";
import { allNames, type TermColumns } from "../../../data/format/terms.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { type Dataset, openDataset } from "../index.ts";
import { randomFrom } from "../testing/random.ts";
import { openSample, type Sample } from "../testing/sample.ts";
import { countingSource } from "../testing/sources.ts";
import { readStoredRows } from "../testing/stored-rows.ts";

interface Row {
  readonly id: string;
  readonly country: string;
  readonly names: NonNullable<TermColumns["names"]>;
  readonly subtype: string;
  readonly population: number | null;
}

let sample: Sample;
let dataset: Dataset;
let divisions: Row[];
let places: Row[];
let segments: Row[];

async function readRows(collection: "division" | "place" | "segment"): Promise<Row[]> {
  const rows = await readStoredRows<Row>(sample.folder, collection);
  return rows.filter(({ names: own }) => own);
}

beforeAll(async () => {
  sample = await openSample();
  dataset = openDataset({ source: sample.source, decode: decodeParquet });
  [divisions, places, segments] = (await Promise.all((["division", "place", "segment"] as const).map(readRows))) as [
    Row[],
    Row[],
    Row[],
  ];
});

const termsByName = new Map<string, string[]>();
const towns = new Map<string, number>();

function hasWords(name: string, words: readonly string[]): boolean {
  const terms = termsByName.get(name) ?? [...termsOf(name)];
  termsByName.set(name, terms);
  return words.every((word) => terms.some((term) => term.startsWith(word)));
}

function peopleOf({ subtype, population, country }: Row): number {
  if (population !== null && population !== undefined) return Number(population);
  if (subtype !== "country") return 0;
  const known = towns.get(country);
  if (known !== undefined) return known;
  const inCountry = divisions.filter((row) => row.country === country && row.subtype === "locality");
  const people = inCountry.reduce((sum, town) => sum + Number(town.population ?? 0), 0);
  towns.set(country, people);
  return people;
}

/** Ids of the divisions that match the text, by a test of each. */
function plainLoop(text: string, language: string | undefined, limit: number): string[] {
  const words = queryTermsOf(text);
  let found = divisions.flatMap((row) => {
    const having = allNames(row.names).filter((name) => hasWords(name, words));
    if (having.length === 0) return [];
    const canShow = [row.names.primary, ...SHOWN_LANGUAGES.map((code) => row.names.common?.[code])];
    const inLanguage = [language ?? "", language?.split("-")[0] ?? ""].map((code) => row.names.common?.[code]);
    const shown = inLanguage.find((name) => name !== undefined) ?? row.names.primary ?? "";
    const people = peopleOf(row);
    return [{ id: row.id, people, shown, isKnown: having.some((name) => canShow.includes(name)) }];
  });
  if (words.length === 1) {
    found.sort((a, b) => Number(b.isKnown) - Number(a.isKnown) || b.people - a.people || compareIds(a.id, b.id));
    found = found.slice(0, MOST_POPULOUS);
  }
  const isShown = (name: string) => Number(hasWords(name, words));
  const isExact = (name: string) => Number(foldText(name) === words.join(" "));
  found.sort(
    (a, b) =>
      isShown(b.shown) - isShown(a.shown) ||
      b.people - a.people ||
      isExact(b.shown) - isExact(a.shown) ||
      compareIds(foldText(a.shown), foldText(b.shown)) ||
      compareIds(a.id, b.id),
  );
  return found.slice(0, limit).map(({ id }) => id);
}

/** More than the number of places and streets between the divisions. */
const MOST = 250;

test("countries and towns match a plain loop, in any script and language", async () => {
  const random = randomFrom(20_261);
  for (let i = 0; i < 60; i++) {
    const name = Array.from(random.of(allNames(random.of(divisions).names)));
    const start = random.below(3) === 0 ? random.below(name.length) : 0;
    const text = name.slice(start, start + 1 + random.below(12)).join("");
    const language = random.of([undefined, ...SHOWN_LANGUAGES]);
    const found = await dataset.suggest({ text, language, limit: MOST });
    const having = found.filter(({ kind, match = "", within }) => {
      return ["country", "division"].includes(kind) && !within && !["part", "misspelt"].includes(match);
    });
    const wanted = queryTermsOf(text).length === 0 ? [] : plainLoop(text, language, MOST);
    expect(
      having.map(({ id }) => id),
      JSON.stringify({ text, language }),
    ).toEqual(found.length < MOST ? wanted : wanted.slice(0, having.length));
  }
});

test("for one letter the most populous come first", async () => {
  for (const [text, language, first] of [
    ["l", "en", "Lagos"],
    ["lon", "en", "London"],
    ["東京", "en", "Tokyo"],
    ["lodz", "pl", "Łódź"],
    ["allem", "fr", "Allemagne"],
    ["deutschl", "fr", "Allemagne"],
    ["new york", "en", "New York City"],
  ] as const) {
    const [best] = await dataset.suggest({ text, language, limit: 5 });
    expect(best?.name, text).toBe(first);
  }
});

test("a country has the bbox of its area", async () => {
  const [france] = await dataset.suggest({ text: "franc", language: "en", limit: 5 });
  expect(france).toMatchObject({ kind: "country", name: "France", country: "FR", collection: "division" });
  const [west = 0, south = 0, east = 0, north = 0] = france?.bbox ?? [];
  const { lon = 0, lat = 0 } = france ?? {};
  expect([west < lon, lon < east, south < lat, lat < north]).toEqual([true, true, true, true]);
});

test("places and streets of the country match all words, each street once", async () => {
  const near = { lon: -105.2797, lat: 40.0176 };
  for (const text of ["pearl", "coff", "boulder hi", "walnut st"]) {
    const found = await dataset.suggest({ text, country: "US", near, limit: 12 });
    const local = found.filter(({ kind, match }) => ["place", "street"].includes(kind) && match !== "category");
    expect(local.length, text).toBeGreaterThan(0);
    for (const { kind, id, within = "" } of local) {
      const row = (kind === "place" ? places : segments).find((each) => each.id === id);
      const terms = [...allNames(row?.names), within].flatMap((name) => [...termsOf(name)]);
      for (const word of queryTermsOf(text))
        expect(
          terms.some((term) => term.startsWith(word)),
          id,
        ).toBe(true);
    }
    const streets = local.filter(({ kind }) => kind === "street");
    expect(new Set(streets.map(({ name }) => name)).size, text).toBe(streets.length);
  }
});

test("a keystroke for just divisions is one or two slices", async () => {
  for (const text of ["s", "sa", "b", "bo", "м"]) {
    const source = countingSource(sample.source);
    const fresh = openDataset({ source, decode: decodeParquet });
    await fresh.manifest();
    source.reset();
    expect((await fresh.suggest({ text, limit: 8 })).length, text).toBeGreaterThan(0);
    const partitions = source.requests.filter(({ path }) => path.endsWith(".parquet"));
    const bytes = source.requests.reduce((sum, request) => sum + request.bytes, 0);
    expect([partitions.length <= 2, source.requests.length <= 4, bytes < 60_000], `${text} ${bytes}`).toEqual([
      true,
      true,
      true,
    ]);
  }
});
