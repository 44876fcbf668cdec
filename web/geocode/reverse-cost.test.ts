import { expect, test } from "vitest";
import { openDataset } from "../engine/index.ts";
import { openSample } from "../engine/testing/sample.ts";
import { countingSource } from "../engine/testing/sources.ts";
import { joinRanges } from "../hosts/http/join-ranges.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { parseReverse, runReverse } from "./reverse.ts";

interface At {
  readonly lat: string;
  readonly lng: string;
  readonly include_divisions?: string;
}

/**
 * Bytes and requests as a host sends them, which joins near ranges, and round trips of the search. The manifest is in memory;
 * `hasIndex`: the index of locations too, which an idle page loads.
 */
async function costOf(at: At, { hasIndex }: { readonly hasIndex: boolean }) {
  const run = async (join: typeof joinRanges) => {
    const source = countingSource((await openSample()).source);
    const dataset = openDataset({ source: join(source), decode: decodeParquet });
    await dataset.manifest();
    if (hasIndex) await dataset.prefetchIndex();
    source.reset();
    return { found: await runReverse(dataset, parseReverse({ ...at })), source };
  };
  const { found, source } = await run(joinRanges);
  const bytes = source.requests.reduce((sum, request) => sum + request.bytes, 0);
  const { roundTrips } = (await run((apart) => apart)).source;
  return { found, requests: source.requests.length, bytes, roundTrips };
}

const MONACO = { lat: "43.7384", lng: "7.4246" };
const BOULDER = { lat: "40.0176", lng: "-105.2797" };
const EDGE = { lat: "40.002652", lng: "-105.289891" };

test.each([
  ["Monaco, with divisions", MONACO, 22, 148_000, 3],
  ["Boulder, with divisions", BOULDER, 19, 190_000, 3],
  ["Monaco", { ...MONACO, include_divisions: "false" }, 11, 75_000, 3],
  ["the centre of Boulder", { ...BOULDER, include_divisions: "false" }, 13, 122_000, 3],
  ["the edge of Boulder", { ...EDGE, include_divisions: "false" }, 12, 123_000, 3],
] as const)("what is at a point in %s takes few requests", async (_, at, requests, bytes, roundTrips) => {
  const cost = await costOf(at, { hasIndex: false });
  const { address, street, place, divisions } = cost.found;
  expect([address, street, place]).not.toContain(null);
  if (!("include_divisions" in at)) expect(divisions.length).toBeGreaterThan(0);
  expect(cost.requests).toBeLessThanOrEqual(requests);
  expect(cost.bytes).toBeLessThanOrEqual(bytes);
  expect(cost.roundTrips).toBeLessThanOrEqual(roundTrips);
});

/** Where the sample has divisions only. */
const WITHOUT_ADDRESSES = [
  ["Tokyo", { lat: "35.695932", lng: "139.400036" }],
  ["Hong Kong", { lat: "22.32", lng: "114.17" }],
  ["Washington", { lat: "38.81757", lng: "-77.105656" }],
  ["Germany", { lat: "52.09311", lng: "8.07681" }],
  ["Ireland", { lat: "52.84833", lng: "-8.955792" }],
  ["Moldova", { lat: "46.92459", lng: "29.52612" }],
] as const;

test.each(WITHOUT_ADDRESSES)("what is at a point in %s takes two round trips and 75 KB", async (_, at) => {
  const open = await costOf(at, { hasIndex: true });
  expect(open.found.divisions.length).toBeGreaterThan(0);
  expect(open.bytes).toBeLessThanOrEqual(75_000);
  expect(open.roundTrips).toBeLessThanOrEqual(2);
  const closed = await costOf(at, { hasIndex: false });
  expect(closed.found).toEqual(open.found);
  expect(closed.bytes).toBeLessThanOrEqual(82_000);
  expect(closed.roundTrips).toBeLessThanOrEqual(3);
});

test("what is at a point on the open sea takes 25 KB", async () => {
  const { found, bytes, roundTrips } = await costOf({ lat: "-36.54088", lng: "-39.06434" }, { hasIndex: false });
  expect(found).toMatchObject({ label: "", address: null, street: null, place: null, divisions: [] });
  expect(bytes).toBeLessThanOrEqual(25_000);
  expect(roundTrips).toBeLessThanOrEqual(3);
});
