import { expect, test } from "vitest";
import { endTermsOf, FACETS, facetValues, splitTerm, storedTerms, termsOfRow, wordOfEnd } from "./terms.ts";

test("a row has the terms of all its facets", () => {
  const terms = termsOfRow({
    names: { primary: "Café Łódź", common: { ja: "東京" }, rules: [{ value: "Alt" }, { value: null }] },
    categories: { primary: "cafe", alternate: ["bar", null] },
    taxonomy: { primary: "cafe", hierarchy: ["eat_and_drink", "cafe"] },
    brand: { wikidata: "Q1", names: { primary: "ALDI Süd" } },
    operating_status: "open",
    sources: [{ dataset: "meta" }, { dataset: "meta" }, { dataset: null }],
    websites: [],
    phones: ["+1"],
    emails: [""],
    subtype: "s",
    class: "c",
    admin_level: 0,
    division_id: "d1",
    road_surface: [{ value: "paved" }, { value: null }, null],
    speed_limits: [
      { max_speed: { value: 50, unit: "km/h" } },
      { max_speed: { value: 25, unit: "mph" } },
      { max_speed: { value: 30, unit: null } },
      { max_speed: null },
    ],
  });
  expect(new Set(terms)).toEqual(
    new Set([
      ...["cafe", "lodz", "東京", "京", "alt"].map((word) => `name:${word}`),
      "category:cafe",
      "category:bar",
      "taxonomy:eat_and_drink",
      "taxonomy:cafe",
      "brand:aldi süd",
      "wikidata:Q1",
      "status:open",
      "source:meta",
      "contact:phone",
      "subtype:s",
      "class:c",
      "level:0",
      "surface:paved",
      "speed:50kmh",
      "speed:25mph",
      "division:d1",
    ]),
  );
  expect(terms).toHaveLength(new Set(terms).size);
});

test("the name of an address is its complete text", () => {
  const terms = termsOfRow({
    number: "12 bis",
    street: "Rue Grimaldi",
    unit: null,
    postcode: "98000",
    postal_city: "Monte-Carlo",
    address_levels: [{ value: "Monaco" }, { value: null }],
  });
  const words = ["12", "bis", "rue", "grimaldi", "98000", "monte", "carlo", "monaco"];
  expect(new Set(terms)).toEqual(new Set(words.map((word) => `name:${word}`)));
});

test("a row without columns has no terms", () => {
  expect(termsOfRow({})).toEqual([]);
  expect(termsOfRow({ names: null, brand: { names: null }, categories: null, sources: null })).toEqual([]);
  for (const facet of FACETS) expect(facetValues(facet, {}).size).toBe(0);
});

test("a term is split at its first colon", () => {
  expect(splitTerm("source:a:b")).toEqual({ facet: "source", value: "a:b" });
  expect(() => splitTerm("colour:red")).toThrow("no facet");
});

test("words of names that may be misspelt are also stored by their ends", () => {
  const terms = storedTerms({ names: { primary: "Łódź 東京都庁 Rue 1945 Teresópolis" } });
  expect(endTermsOf(terms)).toEqual(["end:zdol", "end:siloposeret"]);
  expect(endTermsOf(terms).map(wordOfEnd)).toEqual(["lodz", "teresopolis"]);
  expect(wordOfEnd("name:lodz")).toBeUndefined();
});
