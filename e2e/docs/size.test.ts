import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { pages } from "./blocks.ts";

const MOST_WORDS = 25_000;
/** A page that is longer has two topics. */
const MOST_WORDS_OF_A_PAGE = 2_000;
const MOST_LINES_OF_A_DECISION = 60;
/** Pages for readers. Decisions start with their date and status. */
const FOR_READERS = /^docs\/(?:start|guides|reference|explanation)\/|^docs\/(?:benchmarks|contributing)\.md$/;

/** Words outside of tables, code blocks and comments. */
function wordsIn(page: string): number {
  const text = page
    .replaceAll(/^```.*?^```$/gms, "")
    .replaceAll(/<!--.*?-->/gs, "")
    .replaceAll(/^\s*\|.*\|$/gm, "");
  return text.split(/\s+/).filter((word) => /\w/.test(word)).length;
}

const texts = await Promise.all(
  (await pages())
    .filter((page) => page.startsWith("docs/"))
    .map(async (page) => ({ page, text: await readFile(page, "utf8") })),
);

test(`the docs have at most ${MOST_WORDS} words`, () => {
  const counts = texts.map(({ page, text }) => ({ page, words: wordsIn(text) }));
  expect(counts.filter(({ words }) => words > MOST_WORDS_OF_A_PAGE)).toEqual([]);
  expect(counts.reduce((sum, { words }) => sum + words, 0)).toBeLessThanOrEqual(MOST_WORDS);
  expect(wordsIn("# Two words\n\n| a | b |\n|---|---|\n\n```sh\nnpm start\n```\n<!-- no -->")).toBe(2);
});

test(`a decision has at most ${MOST_LINES_OF_A_DECISION} lines`, () => {
  const decisions = texts.filter(({ page }) => page.startsWith("docs/decisions/"));
  expect(decisions.length).toBeGreaterThan(20);
  const long = decisions.filter(({ text }) => text.trimEnd().split("\n").length > MOST_LINES_OF_A_DECISION);
  expect(long.map(({ page }) => page)).toEqual([]);
});

test("every page starts with what the reader can do after reading it", () => {
  const without = texts
    .filter(({ page }) => FOR_READERS.test(page))
    .filter(({ text }) => !/^# .+\n\n(?:With|After)(?: reading)? this page you /.test(text));
  expect(without.map(({ page }) => page)).toEqual([]);
});
