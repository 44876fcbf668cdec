import { join } from "node:path";
import { expect, test } from "vitest";
import { compareIds } from "../../../data/format/ids.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { mergeSections } from "./read-sections.ts";
import { createTermCollector } from "./term-collector.ts";
import { bytesOfList, numberList, numbersOfList } from "./term-lists.ts";

const newFolder = temporaryFolders();

const WORDS = ["bar", "barber", "zoo", "é", "東京", "\u{1e922}", "\uff21"];

/** Terms of a row. Some rows have no terms. */
const termsOf = (row: number) => WORDS.filter((_, place) => row % (place + 2) === 0).map((word) => `name:${word}`);

test("sections of many rows return terms in byte order, with the numbers of all rows", async () => {
  const path = join(await newFolder(), "terms.bin");
  const collector = await createTermCollector(path);
  const numbers = (country: number, rows: number) => Float64Array.from({ length: rows }, (_, row) => country + 3 * row);
  for (const [country, first, rows] of [
    ["DE", 5, 40_000],
    ["FR", 2 ** 40, 3],
    ["JP", 0, 90_000],
  ] as const) {
    for (let row = 0; row < rows; row++) collector.add(termsOf(row));
    await collector.endCountry(country, numbers(first, rows));
  }
  const sections = await collector.close();
  expect(sections.map(({ country }) => country)).toEqual(["DE", "FR", "JP"]);

  const [german, french, japanese] = sections.map((section, index) => ({ ...section, path, base: index * 2 ** 42 }));
  if (!german || !french || !japanese) throw new Error("three sections were written");
  const merged = [...mergeSections([german, french, japanese])];
  expect(merged.map(({ term }) => term)).toEqual(WORDS.map((word) => `name:${word}`).toSorted(compareIds));
  for (const list of merged) {
    const has = (row: number) => termsOf(row).includes(list.term);
    const expected = [
      ...numbers(5, 40_000).filter((_, row) => has(row)),
      ...numbers(2 ** 40 + 2 ** 42, 3).filter((_, row) => has(row)),
      ...numbers(2 ** 43, 90_000).filter((_, row) => has(row)),
    ];
    expect(String(numbersOfList(list))).toBe(String(expected));
    expect(bytesOfList(list)).toBe(bytesOfList({ term: list.term, parts: [numberList(expected)] }));
  }
});
