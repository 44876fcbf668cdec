import { expect, test } from "vitest";
import { nameInLanguage } from "./name-in-language.ts";

const NAMES = { fr: "Monaco", pt: "Mónaco", "pt-BR": "Mônaco", "zh-Hant": "摩納哥", zh: "摩纳哥" };

test.each([
  ["fr", "Monaco"],
  ["fr-CH", "Monaco"],
  ["pt-BR", "Mônaco"],
  ["pt-br", "Mônaco"],
  ["pt-PT", "Mónaco"],
  ["zh-hant-tw", "摩納哥"],
  ["zh-TW", "摩纳哥"],
  ["de", undefined],
  ["toString", undefined],
  ["", undefined],
])("the name in %j is %s", (language, name) => {
  expect(nameInLanguage(NAMES, language)).toBe(name);
  expect(nameInLanguage(undefined, language)).toBeUndefined();
});
