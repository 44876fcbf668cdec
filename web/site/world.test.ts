import { expect, test } from "vitest";
import { usualNames } from "./world.ts";

test("a country has its common name in each language of the data; without one the name stays", () => {
  const common = { en: "Taiwan, Province of China", de: "Taiwan", ja: "台湾" };
  expect(usualNames({ country: "TW", names: { common } })).toEqual({ en: "Taiwan", de: "Taiwan", ja: "台湾" });
  expect(usualNames({ country: "-99", names: { common: { en: "Somaliland" } } })).toEqual({ en: "Somaliland" });
  expect(usualNames({ country: "CN" })).toEqual({});
});
