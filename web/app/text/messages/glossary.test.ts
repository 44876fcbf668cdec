import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../../data/format/languages.ts";
import guide from "../README.md?raw";

const FILES = import.meta.glob<Readonly<Record<string, string>>>("./*.json", { eager: true, import: "default" });
const MOST_ROWS = 25;

/** Labels of properties: in some languages a singular is the same as its plural. */
const MANY_AND_ONE = new Set(["property"]);
/** The English text, and the same one for "Rename" and "Rename it". */
const meaningOf = (key: string) => FILES["./en.json"]?.[key]?.replace(/ it$/, "").toLowerCase();

const cellsOf = (line: string) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
const [head = [], , ...rows] = guide
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map(cellsOf);

test(`the glossary has a column for each language, and at most ${MOST_ROWS} rows`, () => {
  expect(head.slice(1).sort()).toEqual([...LANGUAGES].sort());
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.length).toBeLessThanOrEqual(MOST_ROWS);
  expect(rows.filter((cells) => cells.length !== head.length || cells.includes(""))).toEqual([]);
});

describe.each(head.slice(1))("%s", (language) => {
  test("has each term of the glossary in its message", () => {
    const messages = FILES[`./${language}.json`];
    const faults = rows.flatMap((cells) => {
      const key = cells[0]?.replaceAll("`", "") ?? "";
      const term = cells[head.indexOf(language)] ?? "";
      const message = messages?.[key] ?? "";
      const isThere = message.toLocaleLowerCase(language).includes(term.toLocaleLowerCase(language));
      return isThere ? [] : [{ key, term, message }];
    });
    expect(faults).toEqual([]);
  });

  test("has different names for different controls of a panel", () => {
    const meanings = new Map<string, Set<string | undefined>>();
    for (const [key, message] of Object.entries(FILES[`./${language}.json`] ?? {})) {
      const panel = key.split(".")[0] ?? "";
      const name = `${panel}: ${message}`;
      if (!MANY_AND_ONE.has(panel)) meanings.set(name, (meanings.get(name) ?? new Set()).add(meaningOf(key)));
    }
    const faults = [...meanings].filter(([, known]) => known.size > 1).map(([name]) => name);
    expect(faults).toEqual([]);
  });
});
