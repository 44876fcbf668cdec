import { beforeAll, describe, expect, test } from "vitest";
import type { CollectionName } from "../../../../data/format/collections.ts";
import { type Position, positionsOf } from "../../../../data/format/geometry.ts";
import { openDataset } from "../../../engine/index.ts";
import type { Feature } from "../../../engine/query.ts";
import type { OracleRow } from "../../../engine/testing/oracle.ts";
import { openSample } from "../../../engine/testing/sample.ts";
import { decodeParquet } from "../../node/parquet.ts";
import { type Ask, createAsk } from "../ask.ts";
import { type Area, ringOf } from "./area.ts";
import { createAreaSearch, type SearchArea } from "./search-area.ts";

const base = new URL("http://127.0.0.1/maps/");
let rows: readonly OracleRow[];
let search: SearchArea;
const asked: string[] = [];

beforeAll(async () => {
  const sample = await openSample();
  rows = sample.rows;
  const dataset = openDataset({ source: sample.source, decode: decodeParquet });
  const { ask } = createAsk({ dataset, basePath: "/maps" }, new Map());
  const counted: Ask = (request) => {
    asked.push(request.url);
    return ask(request);
  };
  search = createAreaSearch(counted, base);
}, 300_000);

/** By angles round the point: another way than the crossing of edges that is tested. */
function windsAround(ring: readonly Position[], [lon, lat]: Position): boolean {
  return [-360, 0, 360].some((turn) => {
    let angle = 0;
    for (let i = 1; i < ring.length; i++) {
      const [[x1, y1], [x2, y2]] = [ring[i - 1] as Position, ring[i] as Position];
      const [ax, ay, bx, by] = [x1 - lon - turn, y1 - lat, x2 - lon - turn, y2 - lat];
      angle += Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
    }
    return Math.abs(angle) > Math.PI;
  });
}

async function idsOf(address: string, area: Area): Promise<string[]> {
  const { status, headers, body } = await search(
    { address, area, page: 0, limit: 25_000 },
    new AbortController().signal,
  );
  expect(status, JSON.stringify(body)).toBe(200);
  const records = body as readonly Feature[];
  expect(Number(headers["pagination-count"])).toBe(records.length);
  return records.map(({ id }) => id).sort();
}

function loop(collection: CollectionName, isIn: (row: OracleRow) => boolean): string[] {
  return rows
    .filter((row) => row.collection === collection && isIn(row))
    .map(({ id }) => id)
    .sort();
}

describe("an area holds what a plain loop over all rows finds", () => {
  test.each<[string, CollectionName, Area, number]>([
    [
      "places",
      "place",
      {
        kind: "polygon",
        ring: [
          [-105.29, 40.01],
          [-105.26, 40.012],
          [-105.275, 40.016],
          [-105.265, 40.025],
          [-105.285, 40.024],
        ],
      },
      500,
    ],
    ["places", "place", { kind: "box", bbox: [7.415, 43.73, 7.427, 43.74] }, 100],
    ["divisions", "division", { kind: "box", bbox: [170, -50, -170, 70] }, 20],
    [
      "divisions",
      "division",
      {
        kind: "polygon",
        ring: [
          [165, -48],
          [-175, -15],
          [160, 20],
        ],
      },
      10,
    ],
    ["divisions", "division", { kind: "box", bbox: [-10, 60, 40, 90] }, 100],
  ])("%s (%s) in %j", async (path, collection, area, least) => {
    const ring = ringOf(area);
    const isIn = ({ geometry }: OracleRow) => geometry.type === "Point" && windsAround(ring, geometry.coordinates);
    const expected = loop(collection, isIn);
    expect(expected.length).toBeGreaterThan(least);
    const types = path === "divisions" ? "?types=division" : "";
    expect(await idsOf(`${path}${types}`, area)).toEqual(expected);
  });

  test("buildings, whose box lies in it or on its edge", async () => {
    const [west, south, east, north] = [-105.275, 40.012, -105.27, 40.016] as const;
    const found = new Set(await idsOf("buildings?types=building", { kind: "box", bbox: [west, south, east, north] }));
    const corners = ({ geometry }: OracleRow) => [...positionsOf(geometry)];
    const isIn = ([lon, lat]: Position) => lon >= west && lon <= east && lat >= south && lat <= north;
    const surely = loop("building", (row) => corners(row).some(isIn));
    const atMost = loop("building", (row) => {
      const [lons, lats] = [corners(row).map(([lon]) => lon), corners(row).map(([, lat]) => lat)];
      return (
        Math.max(...lons) >= west &&
        Math.min(...lons) <= east &&
        Math.max(...lats) >= south &&
        Math.min(...lats) <= north
      );
    });
    expect(surely.length).toBeGreaterThan(100);
    expect(surely.filter((id) => !found.has(id))).toEqual([]);
    expect([...found].filter((id) => !atMost.includes(id))).toEqual([]);
  });
});

describe("an answer", () => {
  const area: Area = { kind: "box", bbox: [-105.28, 40.01, -105.27, 40.02] };

  test("comes in pages, nearest first, and is worked out once", async () => {
    const page = async (number: number, limit: number) =>
      (await search({ address: "places", area, page: number, limit }, new AbortController().signal))
        .body as readonly Feature[];
    const all = await page(0, 25_000);
    asked.length = 0;
    const pages = [await page(0, 100), await page(1, 100), await page(2, 100)];
    expect(pages.flat().map(({ id }) => id)).toEqual(all.slice(0, 300).map(({ id }) => id));
    expect(asked).toEqual([]);
    const meters = all.map(({ properties }) => Number(properties.ext_distance));
    expect(meters).toEqual(meters.toSorted((a, b) => a - b));
  });

  test("keeps to the search's other conditions", async () => {
    const every = await idsOf("places", area);
    const confident = await idsOf("places?min_confidence=0.9", area);
    expect(confident.length).toBeGreaterThan(0);
    expect(confident.length).toBeLessThan(every.length);
  });

  test("is refused, never cut short, when the circle holds too much", async () => {
    const { status, headers, body } = await search(
      { address: "divisions?types=division", area: { kind: "box", bbox: [-180, -90, 180, 90] }, page: 0, limit: 25 },
      new AbortController().signal,
    );
    expect(status).toBe(422);
    expect(Number(headers["pagination-count"])).toBeGreaterThan(25_000);
    expect(body).not.toBeInstanceOf(Array);
  });

  test("passes on what the interface refuses", async () => {
    const { status, body } = await search(
      { address: "places?min_confidence=7", area, page: 0, limit: 25 },
      new AbortController().signal,
    );
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain("min_confidence");
  });
});
