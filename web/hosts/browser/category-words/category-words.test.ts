import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { LANGUAGES } from "../../../../data/format/languages.ts";
import { importCategoryWords } from "../../category-words/index.ts";
import { categoryWordsOf } from "./index.ts";

const BASE = new URL("https://host.example/map/");

test("only the table of the requested language is fetched, and no table for a language without one", async () => {
  const fetched = vi.fn(async (_: Request) => Response.json({ pharmacy: ["Apotheke"] }));
  const words = categoryWordsOf(BASE, fetched);
  expect(await words("de")).toEqual({ pharmacy: ["Apotheke"] });
  expect(await words("cy")).toBeUndefined();
  expect(fetched.mock.calls.map(([{ url }]) => url)).toEqual(["https://host.example/map/assets/words-de-test.json"]);
});

test("the error names a table that cannot be fetched", async () => {
  const path = "assets/words-fr-test.json";
  const lost = categoryWordsOf(BASE, async () => new Response(null, { status: 404 }));
  await expect(lost("fr")).rejects.toMatchObject({ name: "FetchError", path, status: 404 });
  const silent = categoryWordsOf(BASE, () => Promise.reject(new TypeError("no network")));
  await expect(silent("fr")).rejects.toMatchObject({ name: "FetchError", path });
});

test("every language of the page has an importable table of at most 18 KB on the wire", async () => {
  for (const language of LANGUAGES) {
    const text = await readFile(`web/hosts/category-words/words-${language}.json`, "utf8");
    expect(gzipSync(JSON.stringify(JSON.parse(text))).length, language).toBeLessThan(18_000);
    expect(await importCategoryWords(language), language).toEqual(JSON.parse(text));
  }
  expect(await importCategoryWords("cy")).toBeUndefined();
});
