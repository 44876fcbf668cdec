import { expect, test } from "vitest";
import { countryNames } from "./country-name.ts";

test.each([
  ["en", "CN", "China"],
  ["en", "TW", "Taiwan"],
  ["en", "HK", "Hong Kong"],
  ["en", "PS", "Palestine"],
  ["en", "GB", "United Kingdom"],
  ["en", "US", "United States"],
  ["de", "IR", "Iran"],
  ["de", "GB", "Vereinigtes Königreich"],
  ["fr", "US", "États-Unis"],
  ["ja", "CN", "中国"],
  ["en", "XX", undefined],
  ["en", "-99", undefined],
])("in %s %s is %j", (language, code, name) => {
  expect(countryNames(language)(code)).toBe(name);
});
