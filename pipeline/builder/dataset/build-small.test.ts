import { createHash } from "node:crypto";
import { cp, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Manifest, PartitionNode } from "../../../data/format/manifest.ts";
import { parseManifest } from "../../../data/format/manifest-schema.ts";
import { filesBelow } from "../../base/disk/files.ts";
import { point, temporaryFolders, writeGeoJson } from "../../testing/folders.ts";
import { readDataset } from "../../testing/read-dataset.ts";
import { type Row, readParquet } from "../../testing/read-parquet.ts";
import { verifyDataset } from "../../tools/verify/verify.ts";
import { buildDataset } from "./build.ts";

const MONACO = "data/sample/monaco";
const newFolder = temporaryFolders();

async function build(...sources: string[]): Promise<string> {
  const out = await newFolder();
  await buildDataset({ sources, out });
  return out;
}

async function manifestOf(dataset: string): Promise<Manifest> {
  return parseManifest(JSON.parse(await readFile(join(dataset, "manifest.json"), "utf8")));
}

async function hashTree(folder: string): Promise<string[]> {
  const hash = async (path: string) =>
    createHash("sha256")
      .update(await readFile(join(folder, path)))
      .digest("hex");
  return Promise.all((await filesBelow(folder)).map(async (path) => `${path} ${await hash(path)}`));
}

/** Rows of the primary copy, by id. */
async function readRows(dataset: string, type: string): Promise<Row[]> {
  const paths = (await filesBelow(dataset)).filter((path) => path.startsWith(`${type}/country=`));
  const rows = await Promise.all(paths.map((path) => readParquet(join(dataset, path))));
  return rows.flat().sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
}

async function readRejects(dataset: string): Promise<Row[]> {
  const rows = await readParquet(join(dataset, "rejects.parquet"));
  return rows.map(({ geometry: _, ...row }) => row);
}

test("the same input gives the same bytes, regardless of its path and the order of files", async () => {
  const files = ["place", "water", "division", "division_area"].map((type) => `${type}.parquet`);
  const moved = await newFolder();
  for (const file of [...files].reverse()) await cp(join(MONACO, file), join(moved, file));
  const first = await build(moved);
  const again = await newFolder();
  await cp(first, again, { recursive: true });
  await buildDataset({ sources: [moved], out: again });
  expect(await hashTree(again)).toEqual(await hashTree(first));
  expect(await hashTree(await build(moved))).toEqual(await hashTree(first));
  expect((await hashTree(first)).length).toBeGreaterThan(8);
});

test("the bytes do not depend on how tasks divide the work", async () => {
  const one = await newFolder();
  const many = await newFolder();
  const options = { sources: [MONACO], packBytes: 50_000 };
  await buildDataset({ ...options, out: one });
  await buildDataset({ ...options, out: many, taskRows: 300, threads: 1 });
  expect(await hashTree(many)).toEqual(await hashTree(one));
});

test("a fast build has the same slices in more bytes, and reuses no checkpoint of a small one", async () => {
  const out = await newFolder();
  const sources = [join(MONACO, "segment.parquet")];
  const slicesOf = async (level: "fast" | "small") => {
    await buildDataset({ sources, out, level, keep: true });
    const nodes = await (await readDataset(out)).nodes("segment", "location");
    return nodes.map(({ rows, bbox, bytes }) => ({ cut: { rows, bbox }, bytes }));
  };
  const [small, fast] = [await slicesOf("small"), await slicesOf("fast")];
  expect(small.length).toBeGreaterThan(1);
  expect(fast.map(({ cut }) => cut)).toEqual(small.map(({ cut }) => cut));
  for (const [index, { bytes }] of fast.entries()) expect(bytes).toBeGreaterThan(small[index]?.bytes ?? Infinity);
  expect(await slicesOf("fast")).toEqual(fast);
});

test("a build with one file per slice and a build with packs have the same slices and records", async () => {
  const sources = [join(MONACO, "segment.parquet")];
  const [alone, together] = [await newFolder(), await newFolder()];
  await buildDataset({ sources, out: alone, packBytes: 0 });
  await buildDataset({ sources, out: together, packBytes: 64 * 2 ** 20 });
  const slicesOf = async (folder: string) => {
    const dataset = await readDataset(folder);
    const nodes = (["location", "term"] as const).map((run) => dataset.nodes("segment", run));
    return (await Promise.all<readonly PartitionNode[]>(nodes)).flat().map(({ sha256 }) => sha256);
  };
  expect((await slicesOf(alone)).sort()).toEqual((await slicesOf(together)).sort());
  // a chunk has the records of a pack
  const recordsOf = async (folder: string) => [...(await (await readDataset(folder)).numbered("segment")).values()];
  expect(await recordsOf(alone)).toEqual(await recordsOf(together));
  const filesOf = async (folder: string) => (await filesBelow(folder)).filter((path) => path.startsWith("segment/"));
  expect((await filesOf(alone)).length).toBeGreaterThan((await slicesOf(alone)).length);
  expect((await filesOf(together)).length).toBeLessThan(20);
});

test("a new build replaces the old one, leaves identical files in place, and repairs damaged ones", async () => {
  const source = await newFolder();
  await writeGeoJson(source, "connector.geojson", [point("a", 7.42, 43.73), point("b", 2.35, 48.85)]);
  const dataset = await build(source);
  const before = await filesBelow(dataset);
  const [monaco = ""] = before.filter((path) => path.startsWith("connector/country=MC"));
  const [france = ""] = before.filter((path) => path.startsWith("connector/country=FR"));
  const { ino } = await stat(join(dataset, monaco));
  await writeFile(join(dataset, "notes.txt"), "a stranger's file stays");
  await writeGeoJson(source, "connector.geojson", [point("a", 7.42, 43.73), point("c", 2.35, 48.85)]);
  await buildDataset({ sources: [source], out: dataset });
  const after = await filesBelow(dataset);
  expect(after).toContain(monaco);
  expect((await stat(join(dataset, monaco))).ino).toBe(ino);
  expect(after).not.toContain(france);
  expect(after).toContain("notes.txt");
  await writeFile(join(dataset, monaco), "damaged");
  await buildDataset({ sources: [source], out: dataset });
  expect((await verifyDataset(dataset)).flatMap(({ faults }) => faults)).toEqual(["notes.txt: no index names it"]);
});

test("a failed build leaves the old dataset unchanged", async () => {
  const source = await newFolder();
  await writeGeoJson(source, "connector.geojson", [point("a", 7.42, 43.73)]);
  const dataset = await build(source);
  const before = await hashTree(dataset);
  await writeFile(join(source, "water.geojson"), '{"type":"FeatureCollection","features":[{"type":"Feat');
  await expect(buildDataset({ sources: [source], out: dataset })).rejects.toThrow("water.geojson: not valid JSON");
  expect(await hashTree(dataset)).toEqual(before);
  await writeGeoJson(source, "water.geojson", [point("w", 7.42, 43.73)]);
  const stop = () => {
    throw new Error("stopped while partitions were written");
  };
  const onProgress = ({ stage }: { stage: string }) => (stage === "reduce" ? stop() : undefined);
  await expect(buildDataset({ sources: [source], out: dataset, onProgress })).rejects.toThrow("stopped while");
  expect(await hashTree(dataset)).toEqual(before);
  expect((await verifyDataset(dataset)).flatMap(({ faults }) => faults)).toEqual([]);
});

test("does not change a folder that is not a dataset", async () => {
  const folder = await newFolder();
  await mkdir(join(folder, "place"));
  await writeFile(join(folder, "place/diary.txt"), "dear diary");
  await expect(buildDataset({ sources: [MONACO], out: folder })).rejects.toThrow("not a dataset, and not empty");
  expect(await filesBelow(folder)).toEqual(["place/diary.txt"]);
});

test("GeoJSON gives the same rows as Parquet", async () => {
  const types = ["place", "water", "segment"];
  const [parquet, collection, lines] = await Promise.all([newFolder(), newFolder(), newFolder()]);
  for (const type of types) {
    await cp(join(MONACO, `${type}.parquet`), join(parquet, `${type}.parquet`));
    const rows = await readParquet(join(MONACO, `${type}.parquet`));
    const features = rows.map(({ id, geometry, bbox: _, ...properties }) => ({
      type: "Feature",
      id,
      geometry,
      properties,
    }));
    const text = (value: unknown): string =>
      JSON.stringify(value, (_, item) => (typeof item === "bigint" ? Number(item) : item));
    await writeFile(join(collection, `${type}.geojson`), text({ type: "FeatureCollection", features }));
    const bare = features.map(({ id, properties, ...rest }) => text({ ...rest, properties: { id, ...properties } }));
    await writeFile(join(lines, `${type}.ndjson`), `${bare.join("\n")}\n`);
  }
  const expected = await build(parquet);
  for (const source of [collection, lines])
    expect(await hashTree(await build(source))).toEqual(await hashTree(expected));
  expect((await readRows(expected, "water")).length).toBe(121);
});

test("rejected records are listed with the reason", async () => {
  const source = await newFolder();
  const line = (coordinates: unknown) => ({ type: "LineString", coordinates });
  const feature = (id: string, geometry: unknown, properties = {}) => ({ type: "Feature", id, geometry, properties });
  await writeGeoJson(source, "place.geojson", [
    point("kept", 7.42, 43.73, { version: 2, note: "ignores this column" }),
    point(undefined, 7.42, 43.73),
    point("", 7.42, 43.73),
    feature("no-geometry", null),
    feature("empty", line([])),
    feature("strange", { type: "Circle", coordinates: [1, 2] }),
    feature("text", { type: "Point", coordinates: ["7", "43"] }),
    point("far-east", 600, 0),
    point("far-north", 0, 90.5),
    point("confident", 7.42, 43.73, { confidence: "very" }),
    point("named", 7.42, 43.73, { names: { primary: { de: "x" } } }),
    point("kept", 7.43, 43.74, { version: 1 }),
    point("twice", 7.42, 43.73, { version: 1, basic_category: "first" }),
    point("twice", 7.42, 43.73, { version: 1, basic_category: "second" }),
    point("twice", 7.42, 43.73, { version: 0 }),
  ]);
  await writeFile(
    join(source, "water.ndjson"),
    `not json\n${JSON.stringify(
      feature(
        "w",
        line([
          [7.4, 43.7],
          [7.5, 43.8],
        ]),
      ),
    )}\n`,
  );
  const dataset = await newFolder();
  await buildDataset({ sources: [source], out: dataset, mostRejects: 1 });
  const rejects = await readRejects(dataset);
  expect(rejects.map(({ id, reason }) => [id, reason])).toEqual([
    [null, "missing id"],
    ["", "missing id"],
    ["no-geometry", "missing geometry"],
    ["empty", "missing geometry"],
    ["strange", "unreadable geometry"],
    ["text", "unreadable geometry"],
    ["far-east", "position out of range"],
    ["far-north", "position out of range"],
    ["confident", "value that cannot be cast"],
    ["named", "value that cannot be cast"],
    ["kept", "duplicate id"],
    ["twice", "duplicate id"],
    ["twice", "duplicate id"],
    [null, "unreadable record"],
  ]);
  expect(rejects[8]).toEqual({
    collection: "place",
    source: "place.geojson",
    id: "confident",
    reason: "value that cannot be cast",
    detail: 'confidence: "very" is no DOUBLE',
  });
  const { rejects: counted, collections } = await manifestOf(dataset);
  expect(counted).toMatchObject({ rows: 14, reasons: { "missing id": 2, "duplicate id": 3, "unreadable record": 1 } });
  expect(collections.place).toMatchObject({ rows: 2, ignored_columns: ["note"], countries: { MC: 2 } });
  const [kept, twice] = await readRows(dataset, "place");
  expect(kept).toMatchObject({ id: "kept", version: 2 });
  expect(twice).toMatchObject({ id: "twice", basic_category: "first", categories: { primary: "first" } });
  expect((await verifyDataset(dataset)).flatMap(({ faults }) => faults)).toEqual([]);
});

test("a build without rejects writes an empty file", async () => {
  const source = await newFolder();
  await writeGeoJson(source, "connector.geojson", [point("a", 7.42, 43.73)]);
  const dataset = await build(source);
  expect(await readRejects(dataset)).toEqual([]);
  expect((await manifestOf(dataset)).rejects.rows).toBe(0);
});
