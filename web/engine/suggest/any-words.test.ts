import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { queryTermsOf, termsOf } from "../../../data/format/fold.ts";
import { allNames, type TermColumns } from "../../../data/format/terms.ts";
import { joinRanges } from "../../hosts/http/join-ranges.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import {
  type ByteSource,
  type CategoryWords,
  type Dataset,
  FetchError,
  openDataset,
  type Suggestion,
  type SuggestQuery,
} from "../index.ts";
import { misspell } from "../testing/as-typed.ts";
import { randomFrom } from "../testing/random.ts";
import { openSample, type Sample } from "../testing/sample.ts";
import { countingSource } from "../testing/sources.ts";
import { readStoredRows } from "../testing/stored-rows.ts";
import { metersApart } from "./scope.ts";

const MONACO = { lat: 43.7384, lon: 7.4246 };
const BOULDER = { lat: 40.0176, lon: -105.2797 };
const PARIS = { lat: 48.857, lon: 2.351 };

interface Row {
  readonly id: string;
  readonly country: string;
  readonly names: NonNullable<TermColumns["names"]>;
  readonly categories: NonNullable<TermColumns["categories"]> | null;
  readonly population?: number | null;
  readonly bbox: { readonly xmin: number; readonly ymin: number };
}

let sample: Sample;
let dataset: Dataset;
let places: Row[];
let divisions: Row[];

async function readRows(collection: "division" | "place" | "segment"): Promise<Row[]> {
  const rows = await readStoredRows<Row>(sample.folder, collection);
  return rows.filter(({ names: own }) => own?.primary);
}

beforeAll(async () => {
  sample = await openSample();
  dataset = openDataset({ source: sample.source, decode: decodeParquet });
  [places, divisions] = (await Promise.all((["place", "division"] as const).map(readRows))) as [Row[], Row[]];
});

const suggest = (text: string, more: Partial<SuggestQuery> = {}) =>
  dataset.suggest({ text, language: "en", limit: 7, categories: true, ...more });

const labelOf = ({ kind, name }: Suggestion) => `${kind} ${name}`;

test("finds what people typed without a chosen country", async () => {
  for (const [text, near, first, within] of [
    ["monacco", MONACO, "country Monaco", undefined],
    ["monacco", undefined, "country Monaco", undefined],
    ["bouldr", undefined, "division Boulder", undefined],
    ["bouldr", BOULDER, "division Boulder", undefined],
    ["Boulder, Colorado", MONACO, "division Boulder", undefined],
    ["pearl street boulder", undefined, "street Pearl Street", "Boulder"],
    ["boulder street pearl", MONACO, "street Pearl Street", "Boulder"],
    ["pharmacy", MONACO, "category pharmacy", undefined],
    ["pharmacy monaco", BOULDER, "category pharmacy", "Monaco"],
    ["fast food", BOULDER, "category fast food restaurant", undefined],
    ["hotel de paris", MONACO, "place Hôtel de Paris", undefined],
    ["casino", MONACO, "category casino", undefined],
  ] as const) {
    const [best] = await suggest(text, { near });
    expect(best && labelOf(best), text).toBe(first);
    expect(best?.within, text).toBe(within);
  }
  const names = (await suggest("casino", { near: MONACO })).map(labelOf);
  expect(names).toContain("place Monte-Carlo Casino and Opera House");
});

test("a state after a town selects the town, with and without a comma", async () => {
  for (const [text, near, name, lon, lat] of [
    ["boulder colorado", MONACO, "Boulder", -105.3, 40],
    ["Boulder CO", undefined, "Boulder", -105.3, 40],
    ["Boulder, Colorado", MONACO, "Boulder", -105.3, 40],
    ["Washington DC", PARIS, "Washington, D.C.", -77, 38.9],
    ["Washington, D.C.", PARIS, "Washington, D.C.", -77, 38.9],
    ["washington district of columbia", MONACO, "Washington, D.C.", -77, 38.9],
    ["springfield illinois", PARIS, "Springfield", -89.6, 39.8],
    ["springfield missouri", PARIS, "Springfield", -93.3, 37.2],
    ["new york ny", PARIS, "New York City", -74, 40.7],
    ["paris tx", PARIS, "Paris", -95.6, 33.7],
  ] as const) {
    const [best] = await suggest(text, { near });
    expect(best, text).toMatchObject({ kind: "division", name, country: "US" });
    expect([best?.lon.toFixed(1), best?.lat.toFixed(1)].map(Number), text).toEqual([lon, lat]);
    // the sample has no regions, so no state is shown
    expect(best?.within, text).toBeUndefined();
  }
  // a town of another state is not an exact match
  expect((await suggest("Boulder, Texas", { near: PARIS }))[0]?.match).not.toBe("exact");
  const [rue] = await suggest("Rue de Colorado", { near: MONACO });
  expect(rue?.within).toBeUndefined();
});

test("a suggestion reports the unused words of the text as typed", async () => {
  for (const [text, near, first, unused] of [
    ["Apotheke Monaco", undefined, "country Monaco", ["Apotheke"]],
    ["pharmacy monaco", BOULDER, "category pharmacy", []],
    ["Hotels in Japan", MONACO, "country Japan", ["Hotels"]],
    ["boulder colorado", MONACO, "division Boulder", []],
    ["Boulder, Texas", PARIS, "division Boulder", ["Texas"]],
    ["Lyon, France", undefined, "division Lyon", []],
    ["NYC Straße", undefined, "division New York City", ["Straße"]],
    ["1600 pearl st 99999", BOULDER, "address 1600 Pearl St", ["99999"]],
    ["12 rue grimaldi monaco", undefined, "address 6 Rue Grimaldi", ["12"]],
    ["cafes near Pearl Street Boulder", undefined, "category cafe", []],
  ] as const) {
    const [best] = await suggest(text, { near });
    expect(best && labelOf(best), text).toBe(first);
    expect(best?.unused, text).toEqual(unused);
  }
});

test("a word that matches nothing is unused in every suggestion, with any other words", async () => {
  const random = randomFrom(44_26);
  let suggestions = 0;
  for (let i = 0; i < 30; i++) {
    const row = random.of(i % 2 === 0 ? places : divisions);
    const words = queryTermsOf(row.names?.primary ?? "").slice(0, 3);
    const text = words.toSpliced(random.below(words.length + 1), 0, "Qxzzvwq").join(" ");
    const found = await suggest(text, { near: random.of([undefined, MONACO, BOULDER]) });
    for (const suggestion of found) expect(suggestion.unused, `${text}: ${labelOf(suggestion)}`).toContain("Qxzzvwq");
    suggestions += found.length;
  }
  expect(suggestions).toBeGreaterThan(5);
});

test("features near a named place are found, nearest first", async () => {
  const [casino] = (await suggest("casino", { near: MONACO })).filter(({ kind }) => kind === "place");
  const found = (await suggest("cafe near casino", { near: MONACO })).filter(({ kind }) => kind === "place");
  expect(found.length).toBeGreaterThan(2);
  for (const { id, lon, lat, within } of found) {
    expect(within).toBe(casino?.name);
    expect(metersApart({ lon, lat }, casino ?? MONACO)).toBeLessThan(2000);
    const { names, categories } = places.find((place) => place.id === id) ?? {};
    const words = [...allNames(names), categories?.primary ?? "", ...(categories?.alternate ?? [])];
    expect(words.some((word) => [...termsOf(word ?? "")].some((term) => term.startsWith("cafe")))).toBe(true);
  }
});

test("a word that every object has is handled like others", async () => {
  for (const text of ["constructor", "boulder constructor", "toString", "__proto__", "valueOf street"]) {
    await expect(suggest(text, { near: BOULDER }), text).resolves.toBeInstanceOf(Array);
  }
});

test("short forms are expanded", async () => {
  for (const [text, first] of [
    ["NYC", "division New York City"],
    ["UK", "country United Kingdom"],
    ["usa", "country United States"],
    ["UAE", "country United Arab Emirates"],
    ["LA", "division Los Angeles"],
    ["St Petersburg", "division Saint Petersburg"],
    ["bd Albert 1er", "street Boulevard Albert 1er"],
    ["blvd des moulins", "street Boulevard des Moulins"],
  ] as const) {
    const [best] = await suggest(text, { near: MONACO });
    expect(best && labelOf(best), text).toBe(first);
  }
});

test("categories are suggested on request, together with places of them nearby", async () => {
  const found = await suggest("pharmacy", { near: MONACO });
  const own = found.filter(({ kind }) => kind === "place");
  expect(own.length).toBeGreaterThan(2);
  for (const { id, meters = Number.POSITIVE_INFINITY } of own) {
    const row = places.find((place) => place.id === id);
    const words = [...allNames(row?.names), row?.categories?.primary ?? "", ...(row?.categories?.alternate ?? [])];
    expect(
      words.some((word) => [...termsOf(word ?? "")].some((term) => term.startsWith("pharmacy"))),
      id,
    ).toBe(true);
    expect(meters).toBeLessThan(2000);
  }
  const plain = await suggest("pharmacy", { near: MONACO, categories: false });
  expect(plain.filter(({ kind }) => kind === "category")).toEqual([]);
});

test("categories are found by their names in the language of the user", async () => {
  const wordsIn = async (language: string): Promise<CategoryWords> =>
    JSON.parse(await readFile(`web/hosts/category-words/words-${language}.json`, "utf8"));
  for (const [language, text, near, first] of [
    ["de", "Apotheke", MONACO, "category Apotheke"],
    ["de", "friseur", BOULDER, "category Friseur"],
    ["fr", "pharmacie", MONACO, "category Pharmacie"],
    ["es", "farmacia", MONACO, "category Farmacia"],
    ["ja", "薬局", MONACO, "category 薬局・ドラッグストア"],
    ["ar", "صيدلية", MONACO, "category صيدلية"],
    ["en", "chemist", MONACO, "category pharmacy"],
  ] as const) {
    const categoryWords = [await wordsIn(language)];
    const [best] = await suggest(text, { near, language, categoryWords });
    expect(best && labelOf(best), `${text} in ${language}`).toBe(first);
    expect(CATEGORIES, text).toContain(best?.id);
    const without = await suggest(text, { near, language });
    expect(
      without.some((one) => one.kind === "category" && one.id === best?.id),
      text,
      // its stem is that of *pharmacy*
    ).toBe(text === "pharmacie");
  }
  const categoryWords = [await wordsIn("de")];
  const inMonaco = await suggest("Apotheke Monaco", { near: BOULDER, language: "de", categoryWords });
  expect(inMonaco[0]).toMatchObject({ kind: "category", id: "pharmacy", within: "Monaco" });
  const pharmacies = inMonaco.filter(({ kind }) => kind === "place");
  expect(pharmacies.length).toBeGreaterThan(1);
  for (const { id } of pharmacies) {
    const { categories } = places.find((place) => place.id === id) ?? {};
    expect([categories?.primary, ...(categories?.alternate ?? [])]).toContain("pharmacy");
  }
});

const CATEGORIES = ["pharmacy", "hair_salon", "hairdresser"];

test("a failed lookup is reported, and other results are returned", async () => {
  const lost: ByteSource = {
    ...sample.source,
    async read(path, options) {
      if (path.startsWith("segment/_term")) throw new FetchError(`${path} is lost`, { path });
      return sample.source.read(path, options);
    },
  };
  const part = openDataset({ source: lost, decode: decodeParquet });
  const ask = async (from: Dataset, text: string) => {
    let isPartial = false;
    const onMissing = () => {
      isPartial = true;
    };
    const found = await from.suggest({ text, near: MONACO, language: "en", limit: 5, onMissing });
    return { isPartial, names: found.map(labelOf) };
  };
  expect(await ask(dataset, "rue grimaldi")).toEqual({ isPartial: false, names: ["street Rue Grimaldi"] });
  expect(await ask(part, "rue grimaldi")).toEqual({ isPartial: true, names: [] });
  expect(await ask(part, "monaco")).toMatchObject({ names: expect.arrayContaining(["country Monaco"]) });
});

test("of rare places with the words of a text in any order, all around the user are found", async () => {
  const random = randomFrom(30_1);
  const inMonaco = places.filter(({ country }) => country === "MC");
  let asked = 0;
  while (asked < 40) {
    const words = queryTermsOf(random.of(inMonaco).names.primary ?? "");
    if (words.length < 2 || words.join("").length < 8) continue;
    const wanted = inMonaco.filter(({ names }) => {
      const terms = allNames(names).map((name) => termsOf(name));
      return terms.some((having) => words.every((word) => [...having].some((term) => term.startsWith(word))));
    });
    if (wanted.length > 3) continue;
    asked++;
    const found = await suggest(words.toReversed().join(" "), { near: MONACO, limit: 20 });
    const ids = found.map(({ id }) => id);
    for (const { id, names } of wanted) expect(ids, `${words.join(" ")}: ${names.primary}`).toContain(id);
  }
});

test("the remaining words narrow the result to the named division", async () => {
  for (const text of ["hotel monaco", "coffee boulder", "boulder sushi", "monaco cafe"]) {
    const found = (await suggest(text, { limit: 12 })).filter(({ within }) => within !== undefined);
    expect(found.length, text).toBeGreaterThan(3);
    const country = text.includes("monaco") ? "MC" : "US";
    for (const { country: own } of found) expect(own, text).toBe(country);
  }
});

/** The suggestions for a client that has only the manifest, and the bytes that a host sends. */
async function askCold(text: string, near: SuggestQuery["near"], more: Partial<SuggestQuery> = {}) {
  const source = countingSource(sample.source);
  const fresh = openDataset({ source: joinRanges(source), decode: decodeParquet });
  await fresh.manifest();
  source.reset();
  const found = await fresh.suggest({ text, near, limit: 5, ...more });
  return { found, fresh, bytes: source.requests.reduce((sum, request) => sum + request.bytes, 0) };
}

/** Bytes of a first keystroke. Rows with a word are scattered over the records of a country. */
const MOST_BYTES = 180_000;

test("the first letters of many nearby names stay within their budget, and find streets once points are cached", async () => {
  const counts = new Map<string, number>();
  for (const { names, country } of [...places, ...(await readRows("segment"))]) {
    const words = country === "US" ? queryTermsOf(names.primary ?? "").filter((word) => word.length >= 3) : [];
    for (const letters of new Set(words.map((word) => word.slice(0, 3)))) {
      counts.set(letters, (counts.get(letters) ?? 0) + 1);
    }
  }
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 40);
  const costs: { letters: string; bytes: number }[] = [];
  for (const [letters] of frequent)
    costs.push({ letters, bytes: (await askCold(letters, BOULDER, { isTyped: true })).bytes });
  expect(costs.filter(({ bytes }) => bytes > MOST_BYTES)).toEqual([]);

  const streets = (found: readonly Suggestion[]) => found.filter(({ kind }) => kind === "street");
  const { found, fresh } = await askCold("cre", BOULDER, { isTyped: true });
  expect(streets(found)).toEqual([]);
  await fresh.suggest({ text: "cree", near: BOULDER, limit: 5 });
  expect(streets(await fresh.suggest({ text: "cre", near: BOULDER, limit: 5, isTyped: true }))).not.toEqual([]);
  // a text that is not being typed gets the same answer with any cache
  expect(streets((await askCold("cre", BOULDER)).found)).not.toEqual([]);
});

/**
 * Of misspellings of the rows' names: the share found among the first five, with an equal name, and the maximum extra
 * cost over the right spelling.
 */
async function measure(rows: readonly Row[], near: SuggestQuery["near"], { least = 5, edits = 1 } = {}) {
  const random = randomFrom(30_2);
  const misspelt: { found: boolean; more: number }[] = [];
  for (const row of rows) {
    const name = row.names.primary ?? "";
    const words = queryTermsOf(name);
    const at = words.findIndex((word) => word.length >= least);
    const word = words[at] ?? "";
    if (at < 0) continue;
    let changed = word;
    for (let i = 0; i < edits; i++) changed = misspell(changed, random);
    const text = words.map((each, place) => (place === at ? changed : each)).join(" ");
    const [right, wrong] = [await askCold(name, near), await askCold(text, near)];
    const isFound = wrong.found.some(({ id, name: shown }) => id === row.id || shown === name);
    misspelt.push({ found: isFound, more: wrong.bytes - right.bytes });
  }
  const more = misspelt.map((each) => each.more).sort((a, b) => a - b);
  return {
    found: misspelt.filter(({ found }) => found).length / misspelt.length,
    median: more[more.length >> 1] ?? 0,
    most: more.at(-1) ?? 0,
  };
}

/** Bytes that a misspelt text may cost more than a right one. */
const MOST_MORE = 155_000;

test("a name with a wrong letter is among the first five, for some more bytes", async () => {
  const random = randomFrom(30_3);
  const isPlain = ({ names }: Row) => {
    const name = names.primary ?? "";
    return /^[A-Za-z ]+$/.test(name) && queryTermsOf(name).some((word) => word.length >= 5);
  };
  const towns = divisions.filter((row) => isPlain(row) && Number(row.population ?? 0) > 100_000);
  const inMonaco = places.filter((row) => isPlain(row) && row.country === "MC");
  const some = (rows: readonly Row[]) => Array.from({ length: 30 }, () => random.of(rows));
  const [ofTowns, ofPlaces] = [await measure(some(towns), undefined), await measure(some(inMonaco), MONACO)];
  expect(ofTowns.found).toBeGreaterThan(0.93);
  expect(ofPlaces.found).toBeGreaterThan(0.93);
  expect(Math.max(ofTowns.median, ofPlaces.median)).toBeLessThan(64 * 1024);
  expect(Math.max(ofTowns.most, ofPlaces.most)).toBeLessThan(MOST_MORE);
});

test("a name with two wrong letters in a word of eight or more is among the first five", async () => {
  const random = randomFrom(30_4);
  const isLong = ({ names }: Row) => {
    const name = names.primary ?? "";
    return /^[A-Za-z ]+$/.test(name) && queryTermsOf(name).some((word) => word.length >= 8);
  };
  const towns = divisions.filter((row) => isLong(row) && Number(row.population ?? 0) > 100_000);
  const local = places.filter((row) => isLong(row) && row.country === "US");
  const some = (rows: readonly Row[]) => Array.from({ length: 24 }, () => random.of(rows));
  const two = { least: 8, edits: 2 };
  const [ofTowns, ofPlaces] = [await measure(some(towns), undefined, two), await measure(some(local), BOULDER, two)];
  expect(ofTowns.found).toBeGreaterThan(0.9);
  expect(ofPlaces.found).toBeGreaterThan(0.9);
  expect(Math.max(ofTowns.most, ofPlaces.most)).toBeLessThan(MOST_MORE);
});
