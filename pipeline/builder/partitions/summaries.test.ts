import { expect, test } from "vitest";
import type { Position } from "../../../data/format/geometry.ts";
import { boxesOfPaths } from "../../../data/format/path-boxes.ts";
import { writeWkb } from "../../../data/format/write-wkb.ts";
import { openDatabase } from "../../base/database/database.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { readSummaries } from "./summaries.ts";

const newFolder = temporaryFolders();

const island = (lon: number, lat: number): Position[][] => [
  [
    [lon, lat],
    [lon + 2, lat],
    [lon + 2, lat + 2],
    [lon, lat],
  ],
];

/** The box of a slice with one row for each list of islands. */
async function boxOf(...rows: Position[][][][]) {
  const database = await openDatabase({ folder: await newFolder(), threads: 1 });
  const values = rows.map((coordinates) => {
    const wkb = writeWkb({ type: "MultiPolygon", coordinates });
    const boxes = boxesOfPaths(wkb);
    const [west, south] = [0, 1].map((side) => Math.min(...boxes.map((box) => box[side] as number)));
    const [east, north] = [2, 3].map((side) => Math.max(...boxes.map((box) => box[side] as number)));
    const bbox = `{'xmin': ${west}, 'ymin': ${south}, 'xmax': ${east}, 'ymax': ${north}}`;
    return `(unhex('${Buffer.from(wkb).toString("hex")}'), ${bbox}, 1::BIGINT, 'MultiPolygon')`;
  });
  await database.run(`CREATE TABLE rows AS FROM (VALUES ${values.join(", ")}) t(geometry, bbox, _geohash, _kind)`);
  return (await readSummaries(database, "rows", [{ start: 0, end: rows.length }])).get(0)?.bbox;
}

test("islands on both sides of the antimeridian have a box that crosses it, in one row or in several", async () => {
  const [east, west] = [island(175, -20), island(-178, -15)];
  expect(await boxOf([east, west])).toEqual([175, -20, -176, -13]);
  expect(await boxOf([east], [west])).toEqual([175, -20, -176, -13]);
  expect(await boxOf([east, west], [island(170, 0)])).toEqual([170, -20, -176, 2]);
});

test("islands around the earth have the box of all rows", async () => {
  const around = [-175, -115, -55, 5, 65, 125].map((lon) => island(lon, lon / 10));
  expect(await boxOf(around)).toEqual([-175, -17.5, 127, 14.5]);
});
