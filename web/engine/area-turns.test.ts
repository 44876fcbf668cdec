import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Area } from "../../data/format/area.ts";
import type { Position } from "../../data/format/geometry.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import type { Query } from "./contract/query.ts";
import { openDataset } from "./dataset.ts";
import { preparedRegionOf, type Region, regionOf } from "./plan/region.ts";
import { nextTask } from "./tasks/in-turn.ts";
import { type MadeUpRow, makeDataset } from "./testing/made-up-dataset.ts";
import { memorySource } from "./testing/sources.ts";

const MOST_CORNERS = 500_000;
const ROWS = 600;

/** Lines across the area, so that each row is a test of its edges. */
const rows: readonly MadeUpRow[] = Array.from({ length: ROWS }, (_, i) => {
  const [lon, lat] = [(i % 30) / 6 - 2.5, Math.floor(i / 30) / 6 - 1.5];
  const end: Position = [lon + 0.05, lat + 0.05];
  return { id: `row${i}`, country: "AA", geometry: { type: "LineString", coordinates: [[lon, lat], end] } };
});

/** An area with the most corners, in a star. */
function star(): Area {
  const at = (i: number): Position => {
    const turn = (2 * Math.PI * i) / (MOST_CORNERS - 1);
    const radius = i % 2 === 0 ? 5 : 1;
    return [radius * Math.cos(turn), radius * Math.sin(turn)];
  };
  const ring = Array.from({ length: MOST_CORNERS - 1 }, (_, i) => at(i));
  return { type: "Polygon", coordinates: [[...ring, ring[0] as Position]] };
}

const query = (): Query => ({ collections: ["segment"], area: star(), offset: 0, limit: 10 });
const files = await makeDataset({ segment: rows }, { rowsPerPartition: 500, nodesPerPage: 4 });
const open = () => openDataset({ source: memorySource(files), decode: decodeParquet });

test("timers fire while an area of the most corners is searched", async () => {
  let fired = 0;
  const timer = setInterval(() => fired++, 1);
  const { total } = await open().search(query());
  clearInterval(timer);
  expect(total).toBeGreaterThan(ROWS / 2);
  expect(fired).toBeGreaterThan(10);
});

test("the index of such an area is made in many turns, and not for a caller that left", async () => {
  const area = star();
  const left = new Error("the caller left");
  await expect(preparedRegionOf({ area }, AbortSignal.abort(left))).rejects.toBe(left);
  expect(regionOf({ area })?.comparisons()).toBe(0);

  const region = regionOf({ area }) as Region;
  const made = [...region.prepare()].length;
  expect(made).toBeGreaterThan(50);
  expect([...region.prepare()]).toHaveLength(made);
  const before = region.comparisons();
  await preparedRegionOf({ area });
  expect(region.comparisons()).toBe(before);
});

test("the search of such an area ends when its caller leaves, and so does its work", async () => {
  const controller = new AbortController();
  const left = new Error("the caller left");
  const asked = query();
  const found = open().search(asked, { signal: controller.signal });
  setTimeout(() => controller.abort(left), 1);
  await expect(found).rejects.toBe(left);
  // the slice that was running ends first
  await nextTask();
  const before = regionOf(asked)?.comparisons();
  await wait(200);
  expect(regionOf(asked)?.comparisons()).toBe(before);
  // without the signal the same search does more
  await open().search(asked);
  expect(regionOf(asked)?.comparisons()).toBeGreaterThan(before ?? 0);
});
