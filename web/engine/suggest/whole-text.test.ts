import { beforeAll, expect, test } from "vitest";
import { importCategoryWords } from "../../hosts/category-words/index.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { type Dataset, openDataset } from "../index.ts";
import { openSample } from "../testing/sample.ts";
import { countingSource } from "../testing/sources.ts";
import { withoutCountry } from "./country-names.ts";

let open: () => { dataset: Dataset; bytes: () => number };
let dataset: Dataset;
beforeAll(async () => {
  const { source } = await openSample();
  open = () => {
    const counted = countingSource(source);
    const opened = openDataset({
      source: counted,
      decode: decodeParquet,
      categoryWords: importCategoryWords,
    });
    return { dataset: opened, bytes: () => counted.requests.reduce((sum, { bytes }) => sum + bytes, 0) };
  };
  ({ dataset } = open());
});

const BOULDER = { lat: 40.0165, lon: -105.271 };

async function first(text: string, language = "en", near: typeof BOULDER | undefined = undefined) {
  const [best] = await dataset.suggest({ text, language, near, limit: 5, categories: true });
  return best && { kind: best.kind, id: best.id, country: best.country, within: best.within, unused: best.unused };
}

const category = (id: string, within: string, country: string, unused: readonly string[] = []) => ({
  ...{ kind: "category", id, within, country, unused },
});

test.each([
  ["cafes near Pearl Street Boulder", "en", category("cafe", "Pearl Street", "US")],
  ["pharmacies in Monaco", "en", category("pharmacy", "Monaco", "MC")],
  ["bakeries boulder", "en", category("bakery", "Boulder", "US")],
  ["Apotheken Monaco", "de", category("pharmacy", "Monaco", "MC")],
  ["farmacias Monaco", "es", category("pharmacy", "Mónaco", "MC")],
])("finds the category of a plural: %j", async (text, language, expected) => {
  expect(await first(text, language)).toEqual(expected);
});

test.each([
  ["Apotheke Monaco", "en"],
  ["pharmacie Monaco", "ja"],
  ["farmacia Monaco", "fr"],
  ["薬局 Monaco", "en"],
])("finds a category in a language that the page does not use: %j", async (text, language) => {
  expect(await first(text, language)).toMatchObject({ kind: "category", id: "pharmacy", country: "MC", unused: [] });
});

test("finds a category in a country without places", async () => {
  expect(await first("hotels in Japan")).toEqual(category("hotel", "Japan", "JP"));
});

test("leaves out one word if nothing uses them all, and reports it", async () => {
  expect(await first("vegan restaurants boulder cheap")).toEqual(
    category("vegan_restaurant", "Boulder", "US", ["cheap"]),
  );
  const typed = await dataset.suggest({ text: "vegan restaurants boulder cheap", limit: 5, isTyped: true });
  expect(typed.filter(({ kind }) => kind === "category")).toEqual([]);
});

test("a text that nothing matches reads few bytes more than its words", async () => {
  const whole = open();
  expect(await whole.dataset.suggest({ text: "zzqq wwxx vvkk", near: BOULDER, limit: 5, categories: true })).toEqual(
    [],
  );
  expect(whole.bytes()).toBeLessThan(1024 * 1024);
});

test.each([
  ["1345 Spruce St, Boulder, CO 80302, USA", "en"],
  ["1345 Spruce St, Boulder, CO 80302, United States", "en"],
  ["1345 Spruce St, Boulder, CO 80302, États-Unis", "fr"],
])("finds an address with its country: %j", async (text, language) => {
  expect(await first(text, language)).toMatchObject({ kind: "address", country: "US", unused: [] });
});

test("a country before a postcode is not part of the name", async () => {
  const plain = await first("7 Avenue de Grande-Bretagne, 98000 Monaco", "fr");
  expect(plain).toMatchObject({ country: "MC" });
  expect(await first("7 Avenue de Grande-Bretagne, MC-98000 Monaco", "fr")).toEqual(plain);
});

test("a country is named after the last comma, in English or the language of the text", () => {
  expect(withoutCountry("Paris, France", {})).toEqual({ text: "Paris", country: "FR" });
  expect(withoutCountry("10 High St, York, UK", {})).toEqual({ text: "10 High St, York", country: "GB" });
  expect(withoutCountry("Köln, Deutschland", { language: "de" })).toEqual({ text: "Köln", country: "DE" });
  expect(withoutCountry("Köln, Deutschland", { language: "de-AT" })).toEqual({ text: "Köln", country: "DE" });
  expect(withoutCountry("Köln, Deutschland", { language: "not a language" })).toBeUndefined();
  expect(withoutCountry("Köln, constructor", {})).toBeUndefined();
  expect(withoutCountry("Denver, CO", {})).toBeUndefined();
  expect(withoutCountry("France", {})).toBeUndefined();
  expect(withoutCountry(", France", {})).toBeUndefined();
});
