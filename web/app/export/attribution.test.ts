import { expect, test } from "vitest";
import { attributionText } from "./attribution.ts";

const OPTIONS = {
  fileName: "places.csv",
  address: "https://example.com/#/places?country=MC",
  release: "r1",
  date: "21 November 2026",
  attribution: [
    {
      dataset: "OpenStreetMap",
      license: "ODbL-1.0",
      text: "© OpenStreetMap contributors",
      url: "https://www.openstreetmap.org/copyright",
    },
    { dataset: "meta", license: "CDLA-Permissive-2.0", text: "Meta (Overture places)" },
  ],
};

test("lists each dataset of the rows with number of records, licence and link", () => {
  const result = {
    records: 1203,
    unnamed: 1,
    sources: [
      { dataset: "OpenStreetMap", license: undefined, records: 1200 },
      { dataset: "meta", license: "CC0-1.0", records: 1 },
      { dataset: "unheard of", license: undefined, records: 1 },
    ],
  };
  expect(attributionText({ ...OPTIONS, result })).toBe(`Sources and licences of places.csv

Exported on 21 November 2026 from release r1 of the dataset, 1,203 records.
Search: https://example.com/#/places?country=MC
A record can have several sources, so the sum of the counts can exceed the number of records.

© OpenStreetMap contributors
  OpenStreetMap: 1,200 records
  Licence: ODbL-1.0
  Link: https://www.openstreetmap.org/copyright

Meta (Overture places)
  meta: 1 record
  Licence: CC0-1.0

unheard of
  unheard of: 1 record
  Licence: not given by the rows

1 record names no source.
`);
});

test("leaves out datasets without an exported row", () => {
  const text = attributionText({ ...OPTIONS, result: { records: 0, unnamed: 0, sources: [] } });
  expect(text).not.toContain("OpenStreetMap");
});
