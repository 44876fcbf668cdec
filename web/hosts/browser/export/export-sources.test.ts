import { expect, test } from "vitest";
import type { Feature, Json } from "../../../engine/query.ts";
import { createSourceCounter } from "./export-sources.ts";

function feature(sources?: Json): Feature {
  const properties: Record<string, Json> = sources === undefined ? {} : { sources };
  return { id: "1", type: "Feature", geometry: { type: "Point", coordinates: [0, 0] }, properties };
}

test("a record counts once for each dataset and licence that it names", () => {
  const counter = createSourceCounter();
  const osm = { dataset: "OpenStreetMap", license: "ODbL-1.0", record_id: "n1" };
  counter.add(feature([osm, { ...osm, record_id: "n2" }, { dataset: "meta", license: null }]));
  counter.add(feature([osm]));
  counter.add(feature([{ dataset: "OpenStreetMap" }]));
  expect(counter.counts()).toEqual([
    { dataset: "OpenStreetMap", license: "ODbL-1.0", records: 2 },
    { dataset: "OpenStreetMap", license: undefined, records: 1 },
    { dataset: "meta", license: undefined, records: 1 },
  ]);
  expect(counter).toMatchObject({ records: 3, unnamed: 0 });
});

test("records that name no dataset are counted as such", () => {
  const counter = createSourceCounter();
  for (const sources of [undefined, null, [], "OpenStreetMap", [null, 1, { dataset: "" }]])
    counter.add(feature(sources));
  expect(counter.counts()).toEqual([]);
  expect(counter).toMatchObject({ records: 5, unnamed: 5 });
});
