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
  ["Monaco, with divisions", MONACO, 21, 80_500, 3],
  ["Boulder, with divisions", BOULDER, 22, 116_500, 3],
  ["the edge of Boulder, with divisions", EDGE, 20, 93_500, 3],
  ["Monaco", { ...MONACO, include_divisions: "false" }, 12, 38_000, 3],
  ["the centre of Boulder", { ...BOULDER, include_divisions: "false" }, 14, 73_500, 3],
  ["the edge of Boulder", { ...EDGE, include_divisions: "false" }, 12, 50_500, 3],
] as const)("what is at a point in %s takes few requests", async (_, at, requests, bytes, roundTrips) => {
  const cost = await costOf(at, { hasIndex: false });
  const { address, street, place, divisions } = cost.found;
  expect([address, street, place]).not.toContain(null);
  if (!("include_divisions" in at)) expect(divisions.length).toBeGreaterThan(0);
  expect(cost.requests).toBeLessThanOrEqual(requests);
  expect(cost.bytes).toBeLessThanOrEqual(bytes);
  expect(cost.roundTrips).toBeLessThanOrEqual(roundTrips);
});

/** Where the sample has divisions only: bytes with the index in memory, and without. */
const WITHOUT_ADDRESSES = [
  ["Tokyo", { lat: "35.695932", lng: "139.400036" }, 23_000, 29_500],
  ["Hong Kong", { lat: "22.32", lng: "114.17" }, 33_000, 42_500],
  ["Washington", { lat: "38.81757", lng: "-77.105656" }, 37_000, 41_000],
  ["Germany", { lat: "52.09311", lng: "8.07681" }, 11_000, 15_000],
  ["Ireland", { lat: "52.84833", lng: "-8.955792" }, 15_500, 22_500],
  ["Moldova", { lat: "46.92459", lng: "29.52612" }, 33_500, 40_500],
] as const;

test.each(WITHOUT_ADDRESSES)("what is at a point in %s takes two round trips", async (_, at, opened, first) => {
  const open = await costOf(at, { hasIndex: true });
  expect(open.found.divisions.length).toBeGreaterThan(0);
  expect(open.bytes).toBeLessThanOrEqual(opened);
  expect(open.roundTrips).toBeLessThanOrEqual(2);
  const closed = await costOf(at, { hasIndex: false });
  expect(closed.found).toEqual(open.found);
  expect(closed.bytes).toBeLessThanOrEqual(first);
  expect(closed.roundTrips).toBeLessThanOrEqual(3);
});

test("what is at a point on the open sea takes 5 KB", async () => {
  const { found, bytes, roundTrips } = await costOf({ lat: "-36.54088", lng: "-39.06434" }, { hasIndex: false });
  expect(found).toMatchObject({ label: "", address: null, street: null, place: null, divisions: [] });
  expect(bytes).toBeLessThanOrEqual(5000);
  expect(roundTrips).toBeLessThanOrEqual(3);
});
