import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { parseManifest } from "../../../data/format/manifest-schema.ts";
import { filesBelow } from "../../base/disk/files.ts";
import { point, temporaryFolders, writeGeoJson } from "../../testing/folders.ts";
import { readDataset } from "../../testing/read-dataset.ts";
import { type Row, readParquet } from "../../testing/read-parquet.ts";
import { verifyDataset } from "../../tools/verify/verify.ts";
import { buildDataset } from "./build.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const newFolder = temporaryFolders();

/** WKB has 16 bytes per corner. */
const CORNERS = 330_000;
const NAMES = 20_000;
/** More than fit in one slice, even for the smallest rows. */
const AT_ONE_PLACE = 20_000;

/** A ring without straight parts, so that it compresses badly. */
const RING = Array.from({ length: CORNERS }, (_, i) => {
  const [angle, radius] = [(2 * Math.PI * i) / CORNERS, 0.01 + 0.001 * Math.sin(i * i)];
  return [7.42 + radius * Math.cos(angle), 43.73 + radius * Math.sin(angle)];
});
const LAKE = { type: "Polygon", coordinates: [[...RING, RING[0]]] };
const COMMON = Object.fromEntries(Array.from({ length: NAMES }, (_, i) => [`x-${i}`, `Name${i.toString(36)} Café`]));

let dataset = "";

beforeAll(async () => {
  const source = await newFolder();
  dataset = await newFolder();
  await writeGeoJson(source, "water.geojson", [
    { type: "Feature", id: "lake", geometry: LAKE, properties: { names: { primary: "Lake" } } },
    point("pond", 7.42, 43.73, { names: { primary: "Pond" } }),
  ]);
  await writeGeoJson(source, "division.geojson", [
    point("named", 7.42, 43.73, { country: "MC", subtype: "locality", names: { primary: "Monaco", common: COMMON } }),
    point("unknown", 7.43, 43.74, { country: "QZ", subtype: "locality", names: { primary: "Nowhere" } }),
    point("no-code", 7.42, 43.737, { country: "Monaco", subtype: "locality", names: { primary: "Somewhere" } }),
  ]);
  const crowd = Array.from({ length: AT_ONE_PLACE }, (_, i) => point(`c${i}`, 7.42, 43.73));
  await writeGeoJson(source, "connector.geojson", crowd);
  await buildDataset({ sources: [source], out: dataset });
});

async function rowsOf(path: RegExp): Promise<Row[]> {
  const paths = (await filesBelow(dataset)).filter((file) => path.test(file));
  return (await Promise.all(paths.map((file) => readParquet(join(dataset, file))))).flat();
}

const manifest = async () => parseManifest(JSON.parse(await readFile(join(dataset, "manifest.json"), "utf8")));

test("the verifier finds every row, name and record of odd data", async () => {
  expect((await verifyDataset(dataset)).flatMap(({ faults }) => faults)).toEqual([]);
  expect((await manifest()).rejects.rows).toBe(0);
});

test("a polygon of 5 MB is stored without loss", async () => {
  const rows = await rowsOf(/^water\/country=/);
  const lake = rows.find(({ id }) => id === "lake");
  expect(rows.length).toBe(2);
  expect(JSON.stringify(lake?.geometry) === JSON.stringify(LAKE)).toBe(true);
});

test("a feature with 20,000 names is found by each of them", async () => {
  const [named] = (await rowsOf(/^division\/country=MC/)).filter(({ id }) => id === "named");
  expect(Object.keys((named?.names as { common: object } | undefined)?.common ?? {}).length).toBe(NAMES);
  const nodes = await (await readDataset(dataset)).nodes("division", "term");
  const terms = nodes.filter((node) => "country" in node && node.country === "MC");
  // One term per name, `cafe` and `monaco`. The other row has the rest.
  expect(terms.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThanOrEqual(NAMES + 2);
});

test("more rows at one point than fit in a slice are split, and the index lists each slice", async () => {
  const nodes = await (await readDataset(dataset)).nodes("connector", "location");
  expect(nodes.length).toBeGreaterThan(1);
  expect(nodes.reduce((sum, { rows }) => sum + rows, 0)).toBe(AT_ONE_PLACE);
  const sizes = nodes.map(({ rows }) => rows);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  for (const { bbox } of nodes) {
    expect(bbox[0]).toBeCloseTo(7.42, 6);
    expect(bbox[3]).toBeCloseTo(43.73, 6);
  }
  expect(new Set((await rowsOf(/^connector\/country=/)).map(({ id }) => id)).size).toBe(AT_ONE_PLACE);
});

test("an unknown country code is accepted, and an invalid one is replaced by the country at the point", async () => {
  expect((await manifest()).collections.division?.countries).toEqual({ MC: 2, QZ: 1 });
  expect((await rowsOf(/^division\/country=QZ/)).map(({ id }) => id)).toEqual(["unknown"]);
});
