import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Geometry } from "../../data/format/geometry.ts";
import { filesBelow } from "../../pipeline/base/disk/files.ts";
import { buildEditedMonaco } from "../../pipeline/testing/edited-monaco.ts";
import { temporaryFolders } from "../../pipeline/testing/folders.ts";
import { type Row, readParquet } from "../../pipeline/testing/read-parquet.ts";
import { keepRelease } from "../../pipeline/tools/changes/keep-release.ts";
import { type Api, createApi } from "../api/index.ts";
import { type Dataset, openDataset } from "../engine/index.ts";
import { distanceTo } from "../engine/testing/oracle.ts";
import { withMethods } from "../engine/testing/with-methods.ts";
import { folderSource } from "../hosts/node/folder-source.ts";
import { openNodeDataset } from "../hosts/node/open.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import type { ChangedRecord } from "./run-changes.ts";

const newFolder = temporaryFolders();
const AT = { lat: 43.7384, lng: 7.4246 };

let older: ReadonlyMap<string, Row>;
let newer: ReadonlyMap<string, Row>;
let folder: string;
let dataset: Dataset;
let api: Api;

beforeAll(async () => {
  const folders = await buildEditedMonaco(await newFolder());
  older = await rowsOf(folders.older);
  newer = await rowsOf(folders.newer);
  await keepRelease(folders.older, folders.newer);
  folder = folders.newer;
  dataset = openNodeDataset(folder);
  api = createApi({ dataset });
});

/** Rows of the primary copy by collection and id, read by hyparquet. */
async function rowsOf(folder: string): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  for (const path of await filesBelow(folder)) {
    const [, collection, country] = path.match(/^(place|address)\/country=(..)\//) ?? [];
    if (!collection) continue;
    for (const { bbox: _, ...row } of await readParquet(join(folder, path))) {
      rows.set(`${collection} ${row.id}`, { ...row, country });
    }
  }
  return rows;
}

const spell = (value: unknown) =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === "bigint" ? String(item) : item)) ?? "undefined";

/** The changes found by a loop over all rows that `isHere` selects in their release. */
function expectedChanges(isHere: (collection: string, row: Row) => boolean): unknown[] {
  const changes = [];
  for (const key of [...new Set([...older.keys(), ...newer.keys()])].sort()) {
    const [collection = "", id = ""] = key.split(" ");
    const here = (row: Row | undefined) => (row && isHere(collection, row) ? row : undefined);
    const [old, now] = [here(older.get(key)), here(newer.get(key))];
    const columns = old && now ? Object.keys(old).filter((name) => spell(old[name]) !== spell(now[name])) : [];
    const row = now ?? old;
    if (!row || (old && now && columns.length === 0)) continue;
    const name = (row.names as { primary?: string } | null | undefined)?.primary ?? null;
    const change = old ? (now ? "changed" : "removed") : "added";
    const properties = { id, collection, change, columns: columns.sort(), country: row.country, name };
    changes.push({ id, type: "Feature", geometry: row.geometry, properties });
  }
  return changes;
}

const sorted = (changes: readonly ChangedRecord[]) =>
  changes.map((change) => ({
    ...change,
    properties: { ...change.properties, columns: change.properties.columns.toSorted() },
  }));

async function ask(query: string): Promise<{ status: number; headers: Headers; body: unknown }> {
  const response = await api(new Request(`http://maps.example/changes?${query}`));
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const within = (radiusMeters: number) => (_: string, row: Row) =>
  distanceTo([AT.lng, AT.lat], row.geometry as Geometry) <= radiusMeters;

test.each([50, 400, 3000])("changes within %d m match a loop over all rows", async (radius) => {
  const { status, body } = await ask(`since=old&lat=${AT.lat}&lng=${AT.lng}&radius=${radius}&types=place,address`);
  expect(status).toBe(200);
  expect(sorted(body as ChangedRecord[])).toEqual(expectedChanges(within(radius)));
});

test("changes of every kind occur, and a record that moved away is removed", () => {
  const far = expectedChanges(within(3000)) as ChangedRecord[];
  expect(new Set(far.map(({ properties }) => properties.change))).toEqual(new Set(["added", "removed", "changed"]));
  const moved = [...older].filter(([key]) => newer.get(key)?.country === "JP").map(([key]) => key.split(" ")[1]);
  expect(moved.length).toBeGreaterThan(0);
  expect(far.filter(({ properties }) => properties.change === "removed").map(({ id }) => id)).toEqual(
    expect.arrayContaining(moved),
  );
});

test("a country's changes, by default of places, by pages and as GeoJSON", async () => {
  const all = expectedChanges((collection, row) => collection === "place" && row.country === "MC");
  expect(all.length).toBeGreaterThan(10);
  const pages = [];
  for (let page = 0; pages.length < all.length; page++) {
    const { body, headers } = await ask(`since=old&country=MC&format=geojson&limit=7&page=${page}`);
    expect(headers.get("Pagination-Count")).toBe(String(all.length));
    expect(headers.get("Content-Type")).toMatch(/^application\/geo\+json/);
    pages.push(...(body as { features: ChangedRecord[] }).features);
  }
  expect(sorted(pages)).toEqual(all);
});

test("an answer names its release, so that a client detects pages of two releases", async () => {
  const response = await api(new Request("http://maps.example/places?country=MC&limit=1"));
  expect(response.headers.get("Cairn-Release")).toBe("new");
  expect(response.headers.get("Access-Control-Expose-Headers")).toContain("Cairn-Release");
  expect((await ask("since=old&country=MC&limit=1")).headers.get("Cairn-Release")).toBe("new");
});

test("an error lists the releases of the dataset and missing parameters", async () => {
  const { status, body } = await ask("since=march&country=MC");
  expect([status, body]).toEqual([
    400,
    { statusCode: 400, message: ['since must be one of the older releases, old, got "march"'], error: "Bad Request" },
  ]);
  expect((await ask("lat=91&format=csv")).body).toMatchObject({
    message: [
      "since is required: the name of an older release in the dataset, got nothing",
      'lat must be a number from -90 to 90, got "91"',
      'format must be one of json, geojson, got "csv"',
      "lng is required with lat, got lat alone",
    ],
  });
});

test("a release with more records than are compared is refused", async () => {
  const many = withMethods(dataset, (inner) => ({
    search: async (query, options) => {
      const result = await inner.search(query, options);
      return result.report.release === "old" ? { ...result, total: 25_001 } : result;
    },
  }));
  const response = await createApi({ dataset: many })(
    new Request(`http://maps.example/changes?since=old&lat=${AT.lat}&lng=${AT.lng}`),
  );
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { message: [expect.stringContaining("at most 25000 records of a release are compared, got 25001 of old")] },
  ]);
});

test("a manifest damaged in transit is requested once more, then reported", async () => {
  const asked: boolean[] = [];
  const source = folderSource(folder);
  const damaged = openDataset({
    decode: decodeParquet,
    source: {
      ...source,
      async read(path, options = {}) {
        const bytes = await source.read(path, options);
        if (!path.startsWith("kept/")) return bytes;
        asked.push(options.fresh ?? false);
        return bytes.map((byte, index) => (index === 9 ? byte ^ 1 : byte));
      },
    },
  });
  const query = { collections: ["water"] as const, country: "MC", offset: 0, limit: 1 };
  await expect(damaged.onRelease((old) => old.search(query), { release: "old" })).rejects.toThrow(
    /^kept\/[0-9a-f]{16}\.json of .* has SHA-256 /,
  );
  expect(asked).toEqual([false, true]);
});

test("an unknown release is refused by the engine, and files of both releases are read once", async () => {
  const circle = { lat: AT.lat, lon: AT.lng, radiusMeters: 3000 };
  const query = { collections: ["water"] as const, circle, offset: 0, limit: 10 };
  await expect(dataset.onRelease((march) => march.search(query), { release: "march" })).rejects.toThrow(
    'release must be one of "new", "old", got "march"',
  );
  const present = await dataset.search(query);
  const kept = await dataset.onRelease((old) => old.search(query), { release: "old" });
  expect([present.report.release, kept.report.release]).toEqual(["new", "old"]);
  expect([...kept.features()]).toEqual([...present.features()]);
  expect(kept.report.files.filter(({ from, path }) => from === "source" && path !== "manifest.json")).toEqual([]);
});
