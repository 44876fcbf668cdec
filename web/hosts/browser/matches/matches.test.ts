import { beforeAll, expect, test } from "vitest";
import { areaOfBox } from "../../../../data/format/area.ts";
import type { BBox } from "../../../../data/format/bbox.ts";
import { type Dataset, openDataset, type Query } from "../../../engine/index.ts";
import { buildSample } from "../../../engine/testing/sample.ts";
import { withMethods } from "../../../engine/testing/with-methods.ts";
import { parseSearch, pathNamed, SEARCH_PATHS, type Search } from "../../../search/index.ts";
import { folderSource } from "../../node/folder-source.ts";
import { decodeParquet } from "../../node/parquet.ts";
import { charsFor, findMatchAt, findMatches } from "./index.ts";

const MONACO: BBox = [7.4, 43.72, 7.45, 43.76];
const WORLD: BBox = [-180, -80, 180, 80];
let dataset: Dataset;

beforeAll(async () => {
  dataset = openDataset({ source: folderSource(await buildSample()), decode: decodeParquet });
}, 300_000);

const searchOf = (path: string, parameters: Readonly<Record<string, string>>): Search =>
  parseSearch(pathNamed(SEARCH_PATHS, path), parameters);

/** The matches of a plain search, as sorted texts. */
async function positionsOf(search: Search): Promise<string[]> {
  const { features } = await dataset.search({ ...search.query, offset: 0, limit: 25_000 });
  return [...features()].flatMap(({ geometry }) =>
    geometry.type === "Point" ? [geometry.coordinates.map((each) => each.toFixed(6)).join(" ")] : [],
  );
}

function pairs(points: Float64Array): string[] {
  return Array.from({ length: points.length / 2 }, (_, i) =>
    [points[2 * i], points[2 * i + 1]].map((each) => each?.toFixed(6)).join(" "),
  );
}

test("all matches in a circle have their points, on whatever page of the list they are", async () => {
  const search = searchOf("/places", { lat: "43.7384", lng: "7.4246", radius: "500", limit: "25" });
  const found = await findMatches(dataset, search, { view: undefined });
  expect(found.isWhole).toBe(true);
  const expected = await positionsOf(search);
  expect(expected.length).toBeGreaterThan(100);
  expect(pairs(found.points).sort()).toEqual(expected.sort());
});

test("a filter leaves out the others, and no row is read for points", async () => {
  const search = searchOf("/places", { lat: "40.0177", lng: "-105.2765", radius: "1500", categories: "restaurant" });
  const found = await findMatches(dataset, search, { view: undefined });
  expect(pairs(found.points).sort()).toEqual((await positionsOf(search)).sort());
  const plain = withMethods(dataset, () => ({
    search: () => Promise.reject(new Error("points need no search")),
  }));
  expect((await findMatches(plain, search, { view: undefined })).points).toEqual(found.points);
});

test("buildings in an area have their outlines", async () => {
  const query: Query = {
    collections: ["building"],
    area: areaOfBox([7.42, 43.735, 7.425, 43.74]),
    offset: 0,
    limit: 25,
  };
  const search = { ...searchOf("/buildings", { lat: "43.7384", lng: "7.4246" }), query };
  const { total } = await dataset.search(query);
  const found = await findMatches(dataset, search, { view: undefined });
  expect(total).toBeGreaterThan(25);
  expect(found.outlines).toHaveLength(total);
  expect(found.points).toHaveLength(2 * total);
});

test("of a country only the matches in the view have points, and a wide view counts them by cells", async () => {
  const search = searchOf("/places", { country: "MC" });
  const near = await findMatches(dataset, search, { view: MONACO });
  expect(near.isWhole).toBe(false);
  expect(pairs(near.points).sort()).toEqual((await positionsOf(search)).sort());
  const wide = await findMatches(dataset, search, { view: WORLD });
  const { total } = await dataset.search({ ...search.query, limit: 0 });
  expect(wide.rows?.reduce((sum, rows) => sum + rows, 0)).toBe(total);
  expect(wide.points).toHaveLength(2 * (wide.rows?.length ?? 0));
});

test("too many matches are counted by cells of the view", async () => {
  const search = searchOf("/places", { lat: "40.0177", lng: "-105.2765", radius: "5000" });
  const counted = await findMatches(dataset, search, { view: [-105.3, 40, -105.25, 40.03], maxPlaced: 100 });
  expect(counted.isWhole).toBe(false);
  const { total } = await dataset.search({
    ...search.query,
    filters: { ...search.query.filters, bbox: [-105.3, 40, -105.25, 40.03] },
    limit: 0,
  });
  expect(total).toBeGreaterThan(100);
  expect(counted.rows?.reduce((sum, rows) => sum + rows, 0)).toBe(total);
  expect([charsFor(undefined), charsFor([0, 0, 10, 10]), charsFor([0, 0, 0.4, 0.4])]).toEqual([2, 4, 6]);
});

test("the match at a point is found with the filters of the search, and none beside it", async () => {
  const search = searchOf("/places", { lat: "43.7384", lng: "7.4246", radius: "500", limit: "25" });
  const [, , lon = 0, lat = 0] = (await findMatches(dataset, search, { view: undefined })).points;
  const found = await findMatchAt(dataset, search, { lon, lat }, {});
  expect(found?.geometry).toEqual({ type: "Point", coordinates: [lon, lat] });
  expect(await findMatchAt(dataset, search, { lon: lon + 0.5, lat }, {})).toBeUndefined();
});
