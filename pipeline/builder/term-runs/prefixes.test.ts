import fc from "fast-check";
import { expect, test } from "vitest";
import { compareIds } from "../../../data/format/ids.ts";
import { makePrefixes } from "./prefixes.ts";
import { numberList, numbersOfList, type TermList } from "./term-lists.ts";

/** Names of rows, each of several words. */
type Rows = readonly (readonly string[])[];

const MANY = 2;

function rowsBy(rows: Rows, isIn: (word: string) => boolean): number[] {
  return rows.flatMap((words, row) => (words.some(isIn) ? [row] : []));
}

function listsOf(rows: Rows): TermList[] {
  const names = [...new Set(rows.flat())].sort(compareIds);
  const lists = names.map((name): TermList => {
    const parts = [numberList(rowsBy(rows, (word) => word === name))];
    return { term: `name:${name}`, parts };
  });
  return [{ term: "category:abab", parts: [numberList(rows.keys())] }, ...lists];
}

test("the first stored term that starts with a prefix of many rows has exactly its rows", () => {
  // Few letters, so that rows share prefixes.
  const word = fc.constantFrom("a", "aa", "aab", "ab", "aba", "abab", "ab\u{1e922}", "\u{1e922}a", "\u{1e922}ab");
  const names = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(names, (rows) => {
      const made = makePrefixes(() => listsOf(rows), MANY);
      expect(made.map(({ term }) => term)).toEqual(made.map(({ term }) => term).toSorted(compareIds));
      const stored = new Map(made.map((list) => [list.term, [...numbersOfList(list)]]));
      const prefixes = new Set(rows.flat().flatMap((text) => prefixesOf(text)));
      for (const prefix of prefixes) {
        const words = new Set(rows.flat().filter((text) => text.startsWith(prefix)));
        const all = rowsBy(rows, (text) => text.startsWith(prefix));
        const first = [...stored.keys()].find((term) => term.startsWith(`prefix:${prefix}`));
        if (all.length <= MANY || words.size === 1) {
          expect(first, `${prefix} is not stored`).toBeUndefined();
        } else expect(stored.get(first ?? ""), `rows of ${prefix} under ${first}`).toEqual(all);
      }
    }),
    { numRuns: 500 },
  );
});

function prefixesOf(text: string): string[] {
  const characters = Array.from(text);
  return characters.map((_, i) => characters.slice(0, i + 1).join(""));
}
