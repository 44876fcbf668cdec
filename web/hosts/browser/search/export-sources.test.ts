import { expect, test } from "vitest";
import { countSources } from "./export.ts";

test("a record counts once for each dataset and licence that it names", () => {
  const counter = countSources();
  const osm = { dataset: "OpenStreetMap", license: "ODbL-1.0", record_id: "n1" };
  counter.add({ sources: [osm, { ...osm, record_id: "n2" }, { dataset: "meta", license: null }] });
  counter.add({ sources: [osm] });
  counter.add({ sources: [{ dataset: "OpenStreetMap" }] });
  expect(counter.counts()).toEqual({
    sources: [
      { dataset: "OpenStreetMap", license: "ODbL-1.0", records: 2 },
      { dataset: "OpenStreetMap", license: undefined, records: 1 },
      { dataset: "meta", license: undefined, records: 1 },
    ],
    unnamed: 0,
  });
});

test("records without a dataset are counted separately", () => {
  const counter = countSources();
  for (const sources of [undefined, null, [], "OpenStreetMap", [null, 1, { dataset: "" }]]) counter.add({ sources });
  expect(counter.counts()).toEqual({ sources: [], unnamed: 5 });
});
