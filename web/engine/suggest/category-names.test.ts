import { expect, test } from "vitest";
import { queryTermsOf, termsOf } from "../../../data/format/fold.ts";
import { importCategoryWords } from "../../hosts/category-words/index.ts";
import { isCalled, namesOfCategory } from "./category-names.ts";
import { hasWords } from "./suggestion.ts";

const WORDS = queryTermsOf("shop rest restaurant s ho hotel bou pain loi 店 料 パン zzz");

test.each(["en", "fr en", "ja"])("categories in %s are called by words and prefixes of their names", async (listed) => {
  const languages = listed.split(" ");
  const loaded = await Promise.all(languages.map(importCategoryWords));
  const tables = loaded.filter((table) => table !== undefined);
  expect(tables).toHaveLength(languages.length);
  const found = { whole: 0, prefix: 0 };
  for (const id of new Set(tables.flatMap((table) => Object.keys(table)))) {
    const called = namesOfCategory(id, tables);
    for (const word of WORDS) {
      const isWhole = called.names.some((name) => termsOf(name).has(word));
      const isPrefix = called.names.some((name) => hasWords(name, [word]));
      expect(isCalled(word, { isWhole: true })(called), `${id} ${word}`).toBe(isWhole);
      expect(isCalled(word, { isWhole: false })(called), `${id} ${word}`).toBe(isPrefix);
      found.whole += Number(isWhole);
      found.prefix += Number(isPrefix);
    }
  }
  expect(found.whole).toBeGreaterThan(0);
  expect(found.prefix).toBeGreaterThan(found.whole);
});
