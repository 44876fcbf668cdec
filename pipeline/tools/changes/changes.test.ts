import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { BBox } from "../../../data/format/bbox.ts";
import { bboxOf, type Geometry } from "../../../data/format/geometry.ts";
import { meetsBox } from "../../../web/engine/testing/meets-box.ts";
import { filesBelow } from "../../base/disk/files.ts";
import { buildDataset } from "../../builder/dataset/build.ts";
import { buildEditedMonaco } from "../../testing/edited-monaco.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { type Row, readParquet } from "../../testing/read-parquet.ts";
import { verifyDataset } from "../verify/verify.ts";
import { changedPacks } from "./changes-sql.ts";
import { keepPrevious, keepRelease, openRelease } from "./keep-release.ts";
import { changesFile, writeChanges } from "./write-changes.ts";

const newFolder = temporaryFolders();
const TYPES = ["address", "place", "water"] as const;

interface ListedChange {
  readonly collection: string;
  readonly id: string;
  readonly change: string;
  readonly columns: readonly string[];
  readonly country: string;
  readonly name: string | null;
  readonly geometry: Geometry;
}

let [older, newer] = ["", ""];
let expected: readonly (ListedChange & {
  readonly shapes: readonly Geometry[];
  readonly countries: readonly string[];
})[] = [];
beforeAll(async () => {
  ({ older, newer } = await buildEditedMonaco(await newFolder()));
  expected = await compareAll();
});

/** Rows of the primary copy by collection and id, read without DuckDB. */
async function rowsOf(dataset: string, type: string): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  for (const path of await filesBelow(dataset)) {
    const [, country] = path.match(new RegExp(`^${type}/country=(..)/`)) ?? [];
    if (!country) continue;
    for (const { bbox: _, ...row } of await readParquet(join(dataset, path)))
      rows.set(String(row.id), { ...row, country });
  }
  return rows;
}

const spell = (value: unknown) =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === "bigint" ? String(item) : item)) ?? "undefined";

async function compareAll() {
  const listed = [];
  for (const type of TYPES) {
    const [before, after] = [await rowsOf(older, type), await rowsOf(newer, type)];
    for (const id of [...new Set([...before.keys(), ...after.keys()])].sort()) {
      const [old, now] = [before.get(id), after.get(id)];
      const sides = [old, now].filter((row) => row !== undefined);
      const columns = old && now ? Object.keys(old).filter((name) => spell(old[name]) !== spell(now[name])) : [];
      if (old && now && columns.length === 0) continue;
      const row = (now ?? old) as Row;
      listed.push({
        collection: type,
        id,
        change: old ? (now ? "changed" : "removed") : "added",
        columns: columns.sort(),
        country: String(row.country),
        name: (row.names as { primary?: string } | null | undefined)?.primary ?? null,
        geometry: row.geometry as Geometry,
        shapes: sides.map((side) => side.geometry as Geometry),
        countries: sides.map((side) => String(side.country)),
      });
    }
  }
  return listed;
}

async function readJson(path: string): Promise<ListedChange[]> {
  const { features } = JSON.parse(await readFile(path, "utf8")) as {
    features: { id: string; geometry: Geometry; properties: Omit<ListedChange, "geometry"> }[];
  };
  return features.map(({ id, geometry, properties }) => ({
    ...properties,
    columns: properties.columns.toSorted(),
    id,
    geometry,
  }));
}

const plain = ({ shapes: _, countries: __, ...listed }: (typeof expected)[number]): ListedChange => listed;

test("both formats contain what a full comparison of all rows finds, by collection and id", async () => {
  const out = await newFolder();
  const [before, after] = [await openRelease(older), await openRelease(newer)];
  const report = await writeChanges(before, after, { out: join(out, "changes.geojson") });
  expect(await readJson(report.path)).toEqual(expected.map(plain));
  const { path } = await writeChanges(before, after, { out });
  expect(path).toBe(join(out, "changes.parquet"));
  const rows = (await readParquet(path)) as unknown as (ListedChange & { bbox: Record<string, number> })[];
  expect(rows.map(({ bbox: _, ...row }) => ({ ...row, columns: row.columns.toSorted() }))).toEqual(expected.map(plain));
  for (const { bbox, geometry } of rows) expect([bbox.xmin, bbox.ymin, bbox.xmax, bbox.ymax]).toEqual(bboxOf(geometry));
  const counted = (collection: string, change: string) =>
    expected.filter((listed) => listed.collection === collection && listed.change === change).length;
  expect(report.counts).toEqual(
    TYPES.map((collection) => ({
      collection,
      added: counted(collection, "added"),
      removed: counted(collection, "removed"),
      changed: counted(collection, "changed"),
    })),
  );
  const kinds = new Set(expected.map(({ change, columns }) => `${change} ${columns}`));
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      "added ",
      "removed ",
      "changed names",
      "changed geometry",
      "changed geometry,street",
      "changed country,geometry",
    ]),
  );
});

test("a record is reported if its older or newer version is in the area", async () => {
  const [before, after] = [await openRelease(older), await openRelease(newer)];
  const out = join(await newFolder(), "some.json");
  const bbox: BBox = [139, 35, 140, 36];
  await writeChanges(before, after, { out, bbox });
  const inBox = expected.filter(({ shapes }) => shapes.some((shape) => meetsBox(shape, bbox)));
  expect(inBox.map(({ columns }) => columns)).toContainEqual(["country", "geometry"]);
  expect(await readJson(out)).toEqual(inBox.map(plain));
  await writeChanges(before, after, { out, country: "MC", types: ["place"] });
  expect(await readJson(out)).toEqual(
    expected.filter(({ countries, collection }) => collection === "place" && countries.includes("MC")).map(plain),
  );
});

test("files in both releases are not read, and equal releases have no changes", async () => {
  const [before, after] = [await openRelease(older), await openRelease(newer)];
  expect(await changedPacks(before, after, "water")).toEqual({ older: [], newer: [] });
  const places = (await filesBelow(older)).filter((path) => path.startsWith("place/country="));
  const { older: read } = await changedPacks(before, after, "place");
  expect(read.length).toBeGreaterThan(0);
  expect(read.length).toBeLessThanOrEqual(places.length);
  const out = await newFolder();
  const { path, counts } = await writeChanges(after, after, { out });
  expect(counts.map(({ added, removed, changed }) => added + removed + changed)).toEqual([0, 0, 0]);
  expect(await readParquet(path)).toEqual([]);
});

test("an archived release compares like its original folder, and a rebuild removes it", async () => {
  const dataset = await newFolder();
  await cp(newer, dataset, { recursive: true });
  await expect(openRelease(dataset, "old")).rejects.toThrow(`${dataset} keeps no older release, got old`);
  const kept = await keepRelease(older, dataset);
  expect(kept).toMatchObject({ release: "old" });
  expect(kept.files).toBeGreaterThan(3);
  await expect(openRelease(dataset, "march")).rejects.toThrow(`${dataset} keeps the releases old, got march`);
  const out = join(await newFolder(), "kept.geojson");
  await writeChanges(await openRelease(dataset, "old"), await openRelease(dataset), { out });
  expect(await readJson(out)).toEqual(expected.map(plain));
  expect((await verifyDataset(dataset)).flatMap(({ faults }) => faults)).toEqual([]);
  const again = await keepRelease(older, dataset);
  expect(again).toEqual({ release: "old", files: 0, bytes: 0 });

  const lost = (await changedPacks(await openRelease(older), await openRelease(newer), "place")).older[0] ?? "";
  const path = lost.slice(older.length + 1);
  await rm(join(dataset, path));
  expect((await verifyDataset(dataset)).flatMap(({ faults }) => faults)).toEqual([`${path}: missing`]);

  await buildDataset({
    sources: [join(newer, "../new-sources")],
    out: dataset,
    release: "new",
    keep: false,
    packBytes: 0,
  });
  expect(await filesBelow(dataset)).toEqual(await filesBelow(newer));
});

test("a build keeps the previous release; a rebuild of the same release keeps what was kept before", async () => {
  const [dataset, previous, again] = [await newFolder(), await newFolder(), await newFolder()];
  for (const folder of [dataset, again]) await cp(newer, folder, { recursive: true });
  expect(await keepPrevious(previous, dataset)).toBeUndefined();
  await cp(older, previous, { recursive: true });
  expect(await keepPrevious(previous, dataset)).toMatchObject({ release: "old" });
  // Building the same release again does not lose the older one.
  expect(await keepPrevious(dataset, again)).toMatchObject({ release: "old" });
  for (const folder of [dataset, again]) {
    const out = join(await newFolder(), "kept.geojson");
    await writeChanges(await openRelease(folder, "old"), await openRelease(folder), { out });
    expect(await readJson(out)).toEqual(expected.map(plain));
  }
  expect(await keepPrevious(newer, again)).toBeUndefined();
});

test("the file ending decides the format, otherwise the option does", () => {
  expect(changesFile({ out: "a/b.json" })).toEqual({ path: "a/b.json", format: "geojson" });
  expect(changesFile({ out: "a", format: "geojson" })).toEqual({
    path: join("a", "changes.geojson"),
    format: "geojson",
  });
  expect(() => changesFile({ out: "a.parquet", format: "geojson" })).toThrow(
    "--out a.parquet: the ending is of geoparquet, got --format geojson",
  );
  // A folder with this name is probably a mistake.
  expect(() => changesFile({ out: "changes.csv" })).toThrow(
    "--out changes.csv: expected a folder, or a file that ends in .parquet, .geojson, .json, got .csv",
  );
  expect(changesFile({ out: "A.GEOJSON" })).toEqual({ path: "A.GEOJSON", format: "geojson" });
});
