import { expect, test } from "vitest";
import { openDataset } from "../engine/index.ts";
import { openSample } from "../engine/testing/sample.ts";
import { countingSource } from "../engine/testing/sources.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { parseReverse, runReverse } from "./reverse.ts";

/** The dataset is open: its manifest is in memory. */
test.each([
  ["Monaco, with divisions", { lat: "43.7384", lng: "7.4246", include_divisions: "true" }, 28, 165_000, 4],
  ["Boulder, with divisions", { lat: "40.0176", lng: "-105.2797", include_divisions: "true" }, 21, 208_000, 4],
  ["Monaco", { lat: "43.7384", lng: "7.4246" }, 13, 76_000, 3],
  ["the centre of Boulder", { lat: "40.0176", lng: "-105.2797" }, 13, 123_000, 3],
  ["the edge of Boulder", { lat: "40.002652", lng: "-105.289891" }, 12, 124_000, 3],
])("what is at a point in %s takes few requests", async (_, at, requests, bytes, roundTrips) => {
  const source = countingSource((await openSample()).source);
  const dataset = openDataset({ source, decode: decodeParquet });
  await dataset.manifest();
  source.reset();
  const found = await runReverse(dataset, parseReverse({ include_divisions: "false", ...at }));
  expect([found.address, found.street, found.place]).not.toContain(null);
  if ("include_divisions" in at) expect(found.divisions.length).toBeGreaterThan(0);
  expect(source.requests.length).toBeLessThanOrEqual(requests);
  expect(source.requests.reduce((sum, request) => sum + request.bytes, 0)).toBeLessThanOrEqual(bytes);
  expect(source.roundTrips).toBeLessThanOrEqual(roundTrips);
});
