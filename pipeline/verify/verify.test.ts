import { createHash } from "node:crypto";
import { copyFile, cp, mkdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { COLLECTIONS } from "../../data/format/collections.ts";
import { isPage, type Manifest, type PartitionNode } from "../../data/format/manifest.ts";
import { partitionPath } from "../../data/format/paths.ts";
import { buildDataset } from "../build/build.ts";
import { openDatabase } from "../database/database.ts";
import { quoteIdentifier, quoteLiteral } from "../database/sql.ts";
import { filesBelow } from "../disk/files.ts";
import { copyToParquet } from "../partitions/copy-to-parquet.ts";
import { cairnMetadata, geoMetadata } from "../partitions/geo-metadata.ts";
import { point, temporaryFolders, writeGeoJson } from "../testing/folders.ts";
import { verifyDataset } from "./verify.ts";

const newFolder = temporaryFolders();
let sound: string;

/** As many countries as give the index of address pages. */
const COUNTRIES = ["Q", "R"].flatMap((first) => Array.from("ABCDEFGHIJKLMNOPQRST", (second) => first + second));

beforeAll(async () => {
  const source = await newFolder();
  await copyFile("data/sample/monaco/place.parquet", join(source, "place.parquet"));
  const addresses = COUNTRIES.map((country, i) => point(`a${i}`, i, i, { country }));
  await writeGeoJson(source, "address.geojson", [
    ...addresses,
    point("far", 179, 0, { country: "FJ" }),
    point("west", -179, 1, { country: "FJ" }),
  ]);
  sound = await newFolder();
  await buildDataset({ sources: [source], out: sound });
});

interface Tools {
  readonly folder: string;
  readonly manifest: Manifest;
  /** The first partition of a run of place that is in the manifest itself. */
  readonly partition: (run: "location" | "id") => PartitionNode;
  readonly path: (run: "location" | "id", node: PartitionNode) => string;
}

/** The faults of a copy of the sound dataset after this was done to it. */
async function faultsAfter(damage: (tools: Tools) => Promise<unknown>): Promise<string[]> {
  const folder = await newFolder();
  await cp(sound, folder, { recursive: true });
  const manifestPath = join(folder, "manifest.json");
  const manifest = JSON.parse(await readFile(manifestPath, "utf8")) as Manifest;
  const partition = (run: "location" | "id"): PartitionNode => {
    const node = manifest.collections.place?.runs[run].nodes[0];
    if (!node || isPage(node)) throw new Error("the place run has pages");
    return node;
  };
  const path = (run: "location" | "id", node: PartitionNode) => join(folder, partitionPath("place", run, node));
  await damage({ folder, manifest, partition, path });
  await writeFile(manifestPath, JSON.stringify(manifest));
  return (await verifyDataset(folder)).flatMap(({ faults }) => faults);
}

/** Writes the partition anew from a query over its rows, with an index that believes it. */
async function rewrite(
  { partition, path, manifest }: Tools,
  run: "location" | "id",
  change: (rows: string, columns: string) => string,
): Promise<void> {
  const node = partition(run);
  const old = path(run, node);
  const temporary = `${old}.tmp`;
  const database = await openDatabase({ folder: await newFolder() });
  const columns = COLLECTIONS.place.columns.map(({ name }) => quoteIdentifier(name)).join(", ");
  const rows = `read_parquet(${quoteLiteral(old)}, file_row_number = true, hive_partitioning = false)`;
  await database.each([0], (connection) =>
    copyToParquet(connection, change(rows, columns), temporary, {
      metadata: { geo: geoMetadata(["Point"], node.bbox), cairn: cairnMetadata("place", run, node.country) },
    }),
  );
  database.close();
  const content = await readFile(temporary);
  const bytes = node.bytes;
  Object.assign(node, { sha256: createHash("sha256").update(content).digest("hex"), bytes: content.length });
  const inManifest = manifest.collections.place?.runs[run];
  if (inManifest) inManifest.bytes += content.length - bytes;
  await rm(old);
  await mkdir(dirname(path(run, node)), { recursive: true });
  await rename(temporary, path(run, node));
}

test("a sound dataset has no faults, with pages in its index", async () => {
  expect(await faultsAfter(async () => undefined)).toEqual([]);
  const manifest = JSON.parse(await readFile(join(sound, "manifest.json"), "utf8")) as Manifest;
  expect(manifest.collections.address?.runs.id.nodes.some(isPage)).toBe(true);
});

test("what is found does not depend on how many rows are looked at together", async () => {
  const [whole, byCountry] = [await verifyDataset(sound), await verifyDataset(sound, { batchRows: 1 })];
  const found = (lines: typeof whole) => lines.map(({ scope, check, faults }) => ({ scope, check, faults }));
  expect(found(byCountry)).toEqual(found(whole));
});

test("a truncated partition", async () => {
  const faults = await faultsAfter(({ partition, path }) => truncate(path("location", partition("location")), 5000));
  expect(faults).toContainEqual(
    expect.stringMatching(/^place\/country=..\/geohash=\w+\/\w+\.parquet: length expected \d+, got 5000$/),
  );
});

test("a partition swapped for another", async () => {
  const faults = await faultsAfter(({ partition, path }) =>
    copyFile(path("id", partition("id")), path("location", partition("location"))),
  );
  expect(faults).toContainEqual(expect.stringMatching(/^place\/country=.*: SHA-256 expected/));
});

test("two partitions swapped with each other are both named", async () => {
  const faults = await faultsAfter(async ({ partition, path }) => {
    const [a, b] = [path("location", partition("location")), path("id", partition("id"))];
    await rename(a, `${a}.tmp`);
    await rename(b, a);
    await rename(`${a}.tmp`, b);
  });
  expect(faults.filter((fault) => fault.includes("SHA-256 expected"))).toHaveLength(2);
});

test("a changed byte", async () => {
  const faults = await faultsAfter(async ({ partition, path }) => {
    const file = path("id", partition("id"));
    const content = await readFile(file);
    content[1000] = (content[1000] ?? 0) ^ 1;
    await writeFile(file, content);
  });
  expect(faults).toEqual([expect.stringMatching(/^place\/_id\/country=..\/\w+\.parquet: SHA-256 expected/)]);
});

test("a missing file, and one too many", async () => {
  const faults = await faultsAfter(async ({ folder, partition, path }) => {
    await rm(path("id", partition("id")));
    await writeFile(join(folder, "place/stray.parquet"), "x");
  });
  expect(faults).toEqual([
    "place/stray.parquet: no index names it",
    expect.stringMatching(/^place\/_id\/country=..\/\w+\.parquet: ENOENT, expected a file$/),
  ]);
});

/** Adds to the number at the end of the path. */
function addTo(manifest: Manifest, path: string, amount: number): void {
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  const holder = keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], manifest);
  (holder as Record<string, number>)[last] = Number((holder as Record<string, number>)[last]) + amount;
}

test.each([
  ["collections.place.rows", /place rows, .* expected 792, got 793/],
  ["collections.place.countries.MC", /place countries/],
  ["collections.place.runs.id.partitions", /runs.id.partitions expected \d+/],
  ["collections.place.runs.id.bytes", /runs.id.bytes expected \d+/],
  ["rejects.rows", /rejects.parquet: rows expected 1, got 0/],
])("a manifest that is off by one in %s", async (path, fault) => {
  const faults = await faultsAfter(async ({ manifest }) => addTo(manifest, path, 1));
  expect(faults).toContainEqual(expect.stringMatching(fault));
});

test("a node that is off by one in its rows, start, box, folder or ids", async () => {
  const faults = await faultsAfter(async ({ partition, path }) => {
    const [location, id] = [partition("location"), partition("id")];
    const [oldPath] = [path("location", location)];
    location.rows++;
    location.bbox = [location.bbox[0], location.bbox[1], location.bbox[2], location.bbox[3] + 1];
    location.geohash = "spw";
    id.start = 1;
    id.last_id = "zzz";
    await mkdir(dirname(path("location", location)), { recursive: true });
    await rename(oldPath, path("location", location));
  });
  for (const fault of [
    /rows expected \d+/,
    /bbox of all rows expected/,
    /geohash expected "\w+", got "spw"/,
    /start expected 0, got 1/,
    /last_id expected/,
  ]) {
    expect(faults).toContainEqual(expect.stringMatching(fault));
  }
});

test("a damaged page of the index", async () => {
  const faults = await faultsAfter(async ({ folder, manifest }) => {
    const page = manifest.collections.address?.runs.id.nodes.find(isPage);
    await writeFile(join(folder, `address/_pages/${page?.sha256.slice(0, 16)}.json`), "[]");
  });
  expect(faults).toContainEqual(expect.stringMatching(/^address\/_pages\/\w+\.json: SHA-256 expected/));
});

test("rows out of order, with hashes that are right", async () => {
  const faults = await faultsAfter((tools) =>
    rewrite(tools, "id", (rows, columns) => `SELECT ${columns} FROM ${rows} ORDER BY id DESC`),
  );
  expect(faults).toContainEqual(expect.stringMatching(/rows not after the one before/));
});

test("a row that one run has and the other has not, by its id", async () => {
  const faults = await faultsAfter((tools) =>
    rewrite(
      tools,
      "id",
      (rows, columns) => `SELECT * EXCLUDE (file_row_number)
        REPLACE (CASE WHEN file_row_number = 0 THEN 99 ELSE version END AS version) FROM (SELECT ${columns}, file_row_number FROM ${rows}) ORDER BY id`,
    ),
  );
  expect(faults).toEqual([
    expect.stringMatching(/^place: location and id run differ in 1 rows, such as [0-9a-f-]{36}$/),
  ]);
});

test("a repeated id", async () => {
  const faults = await faultsAfter((tools) =>
    rewrite(
      tools,
      "id",
      (rows, columns) => `SELECT * EXCLUDE (file_row_number)
        REPLACE (CASE WHEN file_row_number = 1 THEN lag(id) OVER (ORDER BY file_row_number) ELSE id END AS id) FROM (SELECT ${columns}, file_row_number FROM ${rows}) ORDER BY file_row_number`,
    ),
  );
  expect(faults).toContainEqual(expect.stringMatching(/^place: 1 ids repeated, such as/));
  expect(faults).toContainEqual(expect.stringMatching(/1 rows not after the one before/));
});

test("a bbox column that is not the geometry's", async () => {
  const faults = await faultsAfter((tools) =>
    rewrite(
      tools,
      "location",
      (rows, columns) => `SELECT * EXCLUDE (file_row_number)
        REPLACE (struct_update(bbox, xmax := bbox.xmax + 1e-9) AS bbox) FROM (SELECT ${columns}, file_row_number FROM ${rows}) ORDER BY file_row_number`,
    ),
  );
  expect(faults).toContainEqual(expect.stringMatching(/bbox is not the geometry's in \d+ rows, such as/));
});

test("a column of another type", async () => {
  const faults = await faultsAfter((tools) =>
    rewrite(
      tools,
      "location",
      (rows, columns) => `SELECT * EXCLUDE (file_row_number)
        REPLACE (version::BIGINT AS version) FROM (SELECT ${columns}, file_row_number FROM ${rows}) ORDER BY file_row_number`,
    ),
  );
  expect(faults).toContainEqual(expect.stringMatching(/column 4 expected "version INTEGER", got "version BIGINT"/));
});

test("a file that is no Parquet, with hashes that are right, does not stop the rest", async () => {
  const faults = await faultsAfter(async ({ partition, path, manifest }) => {
    const node = partition("location");
    const old = path("location", node);
    const content = Buffer.from("PAR1 nothing in it PAR1");
    const inManifest = manifest.collections.place?.runs.location;
    if (inManifest) inManifest.bytes += content.length - node.bytes;
    Object.assign(node, { sha256: createHash("sha256").update(content).digest("hex"), bytes: content.length });
    await rm(old);
    await mkdir(dirname(path("location", node)), { recursive: true });
    await writeFile(path("location", node), content);
    await rm(path("id", partition("id")));
  });
  expect(faults).toEqual([
    expect.stringMatching(/^stac\/place\/..\.json: not what the index says/),
    expect.stringMatching(/ENOENT, expected a file/),
    expect.stringMatching(/^place\/country=.*: cannot be read: /),
  ]);
});

test("a manifest that is none", async () => {
  const folder = await newFolder();
  await expect(verifyDataset(folder)).rejects.toThrow("is not a dataset: it has no manifest.json");
  await writeFile(join(folder, "manifest.json"), "{}");
  expect((await verifyDataset(folder)).flatMap(({ faults }) => faults)).toEqual([
    expect.stringMatching(/^manifest.json: manifest is not valid/),
  ]);
});

describe("runs made from the others", () => {
  let whole: string;
  beforeAll(async () => {
    const source = await newFolder();
    await copyFile("data/sample/boulder/place.parquet", join(source, "place.parquet"));
    await copyFile("data/sample/hongkong/division.parquet", join(source, "division.parquet"));
    whole = await newFolder();
    await buildDataset({ sources: [source], out: whole });
  });

  test("a file that a build left which was cut off is one fault, and its rows are not taken for the dataset's", async () => {
    const folder = await newFolder();
    await cp(whole, folder, { recursive: true });
    const left = (await filesBelow(folder)).filter((path) => /^(place|division)\/_id\//.test(path));
    const copies = left.map((path) => path.replace(/[0-9a-f]{16}/, "0123456789abcdef"));
    for (const [index, copy] of copies.entries()) await copyFile(join(folder, left[index] ?? ""), join(folder, copy));
    const faults = (await verifyDataset(folder)).flatMap((line) => line.faults);
    expect(faults).toEqual([...new Set(copies)].map((path) => `${path}: no index names it`));
  });

  test.each([
    ["division", "suggest", "SELECT * FROM rows WHERE file_row_number <> 3"],
    ["place", "count_category", `SELECT * REPLACE ("rows" + 1 AS "rows") FROM rows`],
    ["division", "term", "SELECT * FROM rows WHERE file_row_number <> 0"],
    ["division", "term", "SELECT * EXCLUDE (bbox) FROM rows"],
  ] as const)("%s: the %s run with a row or a column less, or another", async (collection, run, change) => {
    const folder = await newFolder();
    await cp(whole, folder, { recursive: true });
    const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as Manifest;
    const inManifest = manifest.collections[collection]?.runs[run];
    const node = inManifest?.nodes.find((each) => !isPage(each)) as PartitionNode;
    const file = join(folder, partitionPath(collection, run, node));
    const database = await openDatabase({ folder: await newFolder() });
    const rows = `read_parquet(${quoteLiteral(file)}, file_row_number = true, hive_partitioning = false)`;
    const sql = `WITH rows AS (SELECT * FROM ${rows}) SELECT * EXCLUDE (file_row_number) FROM (${change}) ORDER BY file_row_number`;
    await database.each([0], (connection) => copyToParquet(connection, sql, `${file}.new`));
    const [counted] = await database.rows<{ rows: number }>(
      `SELECT count(*) AS rows FROM read_parquet(${quoteLiteral(`${file}.new`)})`,
    );
    database.close();
    const content = await readFile(`${file}.new`);
    const sha256 = createHash("sha256").update(content).digest("hex");
    Object.assign(node, { sha256, bytes: content.length, rows: counted?.rows });
    await rm(file);
    await rename(`${file}.new`, join(folder, partitionPath(collection, run, node)));
    await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
    const faults = (await verifyDataset(folder)).flatMap((line) => line.faults);
    expect(faults).toContainEqual(expect.stringMatching(/wrong or missing|terms are missing|expected "bbox STRUCT/));
  });
});
