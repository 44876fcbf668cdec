import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { writeWkb } from "../../../data/format/write-wkb.ts";
import { openDatabase } from "../../base/database/database.ts";
import { point, temporaryFolders, writeGeoJson } from "../../testing/folders.ts";
import { hashTree } from "../../testing/hash-tree.ts";
import { verifyDataset } from "../../tools/verify/verify.ts";
import { buildDataset } from "./build.ts";

const newFolder = temporaryFolders();

const MONACO = Buffer.from(writeWkb({ type: "Point", coordinates: [7.42, 43.73] })).toString("hex");

const points = (prefix: string, count: number, properties = {}) =>
  Array.from({ length: count }, (_, i) => point(`${prefix}${i}`, 7.42 + i / 1e5, 43.73, properties));

const collectionsOf = async (dataset: string): Promise<string[]> =>
  Object.keys(JSON.parse(await readFile(join(dataset, "manifest.json"), "utf8")).collections);

/** Writes `count` places inside buildings, and the buildings. */
async function writePlacesInBuildings(folder: string, count: number, offLat = 0): Promise<void> {
  await writeGeoJson(folder, "place.geojson", points("p", count, { names: { primary: "Café" } }));
  const buildings = Array.from({ length: count }, (_, i) => {
    const [west, south] = [7.42 + i / 1e5 - 2e-6, 43.73 + offLat - 2e-6];
    const corners = [
      [west, south],
      [west + 4e-6, south],
      [west + 4e-6, south + 4e-6],
      [west, south + 4e-6],
      [west, south],
    ];
    return { type: "Feature", id: `b${i}`, geometry: { type: "Polygon", coordinates: [corners] }, properties: {} };
  });
  await writeGeoJson(folder, "building.geojson", buildings);
}

let [source, dataset] = ["", ""];

beforeAll(async () => {
  [source, dataset] = [await newFolder(), await newFolder()];
  await writeGeoJson(source, "connector.geojson", points("c", 3));
  await writeGeoJson(source, "water.geojson", points("w", 2));
  await buildDataset({ sources: [source], out: dataset });
});

test("a collection with an empty or missing source is not replaced unless the build allows it", async () => {
  const before = await hashTree(dataset);
  const refused = `${dataset}: water would have 0 rows, and has 2 now: is a source missing or empty? --allow-empty`;
  await writeGeoJson(source, "water.geojson", []);
  const stages: string[] = [];
  const onProgress = ({ stage }: { stage: string }) => stages.push(stage);
  await expect(buildDataset({ sources: [source], out: dataset, onProgress })).rejects.toThrow(refused);
  // It stops before the expensive stages.
  expect(stages).toEqual(["scan", "scan"]);
  await rm(join(source, "water.geojson"));
  await expect(buildDataset({ sources: [source], out: dataset })).rejects.toThrow(refused);
  await writeGeoJson(source, "connector.geojson", []);
  await expect(buildDataset({ sources: [source], out: dataset })).rejects.toThrow(
    "water would have 0 rows, and has 2 now; connector would have 0 rows, and has 3 now: ",
  );
  expect(await hashTree(dataset)).toEqual(before);

  await writeGeoJson(source, "connector.geojson", points("c", 3));
  const types = ["connector"] as const;
  const narrow = await newFolder();
  await buildDataset({ sources: [source], out: narrow });
  // Types that were not requested are not reported as missing.
  await writeGeoJson(source, "water.geojson", points("w", 2));
  await buildDataset({ sources: [source], out: narrow });
  await buildDataset({ sources: [source], out: narrow, types });
  expect(await collectionsOf(narrow)).toEqual(["connector"]);
  // The same for an extract of one type.
  const [extract, held] = [await newFolder(), await newFolder()];
  await writeGeoJson(extract, "connector.geojson", points("c", 3));
  await buildDataset({ sources: [source], out: held });
  await expect(buildDataset({ sources: [extract], out: held })).rejects.toThrow("water would have 0 rows");
  await buildDataset({ sources: [extract], out: held, wantedTypes: types });
  expect(await collectionsOf(held)).toEqual(["connector"]);
  await rm(join(source, "water.geojson"));
  await buildDataset({ sources: [source], out: dataset, allowEmpty: true });
  expect(await collectionsOf(dataset)).toEqual(["connector"]);
  expect((await verifyDataset(dataset)).flatMap(({ faults }) => faults)).toEqual([]);
});

test("a join that no longer finds any match is also reported", async () => {
  const [from, out] = [await newFolder(), await newFolder()];
  await writePlacesInBuildings(from, 4);
  await buildDataset({ sources: [from], out });
  expect(await collectionsOf(out)).toContain("place_building");
  await writePlacesInBuildings(from, 4, 1);
  await expect(buildDataset({ sources: [from], out })).rejects.toThrow("place_building would have 0 rows, and has 4");
  expect(await collectionsOf(out)).toContain("place_building");
  await buildDataset({ sources: [from], out, allowEmpty: true });
  expect(await collectionsOf(out)).not.toContain("place_building");
});

test("a column with another type than last month stops the build and reports the reason, a record and its file", async () => {
  const [from, out] = [await newFolder(), await newFolder()];
  const write = async (confidence: string): Promise<void> => {
    const database = await openDatabase({ folder: await newFolder() });
    await database.run(`
      COPY (SELECT 'p' || i AS id, from_hex('${MONACO}') AS geometry, ${confidence} AS confidence FROM range(50) r(i))
      TO '${join(from, "place.parquet")}' (FORMAT parquet)`);
    database.close();
  };
  await write("0.5");
  await buildDataset({ sources: [from], out });
  const before = await hashTree(out);
  await write("CASE WHEN i < 30 THEN 'high' ELSE '0.5' END");
  await expect(buildDataset({ sources: [from], out })).rejects.toThrow(
    "place: 30 of 50 records rejected, 60%, and --most-rejects allows 1%: 30 value that cannot be cast, " +
      "such as id p0 of place.parquet (confidence: high)",
  );
  expect(await hashTree(out)).toEqual(before);
  expect(await buildDataset({ sources: [from], out, mostRejects: 0.6 })).toMatchObject({ rows: 20, rejected: 30 });
  await write("'high'");
  await expect(buildDataset({ sources: [from], out, mostRejects: 1 })).rejects.toThrow("place would have 0 rows");
});

test("the share is per collection, the most frequent reasons are reported, and duplicate ids are not a loss", async () => {
  const [from, out] = [await newFolder(), await newFolder()];
  await writeGeoJson(from, "connector.geojson", points("c", 2000));
  const bad = [
    point("far", 600, 0),
    point("farther", 700, 0),
    point(undefined, 7, 43),
    { type: "Feature", id: "bare", geometry: null, properties: {} },
    { type: "Feature", id: "round", geometry: { type: "Circle", coordinates: [1, 2] }, properties: {} },
  ];
  const twice = points("w", 50);
  await writeGeoJson(from, "water.geojson", [...points("w", 95), ...twice, ...bad]);
  await expect(buildDataset({ sources: [from], out })).rejects.toThrow(
    /^water: 5 of 150 records rejected, 3.33%, and --most-rejects allows 1%: 2 position out of range, such as id far of water.geojson \(.*\); 1 missing geometry, such as id bare of .*; 1 missing id, such as one without id of .*; further reasons: 1$/,
  );
  const report = await buildDataset({ sources: [from], out, mostRejects: 5 / 150 });
  expect(report).toMatchObject({ rows: 2095, rejected: 55 });
  await expect(buildDataset({ sources: [from], out, mostRejects: 0 })).rejects.toThrow("--most-rejects allows 0%");
});

test("a file that has a type's name and no ids may be a table of a user", async () => {
  const [from, out] = [await newFolder(), await newFolder()];
  await writeGeoJson(from, "water.geojson", [point(undefined, 7, 43)]);
  await expect(buildDataset({ sources: [join(from, "water.geojson")], out })).rejects.toThrow(
    /^water: 1 of 1 records rejected, 100%, .* 1 missing id, .*; a table of your own, not in Overture's schema, is built with --name$/,
  );
});
