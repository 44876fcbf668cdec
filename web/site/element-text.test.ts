import { expect, test } from "vitest";
import { LANGUAGES } from "../../data/format/languages.ts";
import { elementTexts } from "./element-text.ts";

test("the element has its texts in all languages, and values only where the formatter replaces them", async () => {
  const texts = await elementTexts();
  expect(Object.keys(texts).sort()).toEqual([...LANGUAGES].sort());
  const all = Object.values(texts).flatMap((messages) => Object.values(messages));
  expect(all.filter((message) => /[{}]/.test(message.replaceAll(/\{\w+(, number)?\}/g, "")))).toEqual([]);
});
