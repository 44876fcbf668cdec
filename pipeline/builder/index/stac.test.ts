import { readFile, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { beforeAll, expect, test } from "vitest";
import type { BBox } from "../../../data/format/bbox.ts";
import type { LocationNode, Manifest } from "../../../data/format/manifest.ts";
import { parseManifest } from "../../../data/format/manifest-schema.ts";
import { filesBelow } from "../../base/disk/files.ts";
import { point, temporaryFolders, writeGeoJson } from "../../testing/folders.ts";
import { readParquet } from "../../testing/read-parquet.ts";
import { CATALOG_SCHEMA, COLLECTION_SCHEMA, ITEM_SCHEMA } from "../../testing/stac-schema.ts";
import { buildDataset } from "../dataset/build.ts";
import { type StacFile, stacFiles } from "./stac.ts";

interface Stac {
  readonly type: string;
  readonly id: string;
  readonly collection?: string;
  readonly license?: string;
  readonly links: readonly { readonly rel: string; readonly href: string }[];
  readonly bbox?: BBox;
  readonly assets?: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  readonly properties?: Readonly<Record<string, string | number | null>>;
}

const newFolder = temporaryFolders();
const ajv = addFormats.default(new Ajv({ allErrors: true, allowUnionTypes: true }));
const isCatalog = ajv.compile(CATALOG_SCHEMA);
const isCollection = ajv.compile(COLLECTION_SCHEMA);
const isItem = ajv.compile(ITEM_SCHEMA);
let dataset: string;

beforeAll(async () => {
  const source = await newFolder();
  dataset = await newFolder();
  const attribution = [
    {
      dataset: "OpenStreetMap",
      license: "ODbL-1.0",
      text: "© OpenStreetMap contributors",
      url: "https://osm.org/copyright",
    },
  ];
  await writeFile(join(source, "attribution.json"), JSON.stringify(attribution));
  await writeGeoJson(source, "connector.geojson", [
    point("a", 7.42, 43.73),
    point("b", 7.43, 43.74),
    point("c", -105.27, 40.01),
  ]);
  await writeGeoJson(source, "infrastructure.geojson", [point("d", 7.42, 43.73)]);
  await buildDataset({ sources: [source], out: dataset });
});

async function json(path: string): Promise<unknown> {
  return JSON.parse(await readFile(join(dataset, path), "utf8"));
}

/** All files that links reach from the root, by path, and the Items in them. */
async function walk(path = "catalog.json", seen = new Map<string, Stac>(), items: Stac[] = []) {
  const value = (await json(path)) as Stac;
  const isValid = value.type === "Catalog" ? isCatalog : isCollection;
  expect(isValid(value), `${path}: ${ajv.errorsText(isValid.errors)}`).toBe(true);
  seen.set(path, value);
  for (const { rel, href } of value.links) {
    const target = posix.join(posix.dirname(path), href);
    if (rel === "child") await walk(target, seen, items);
    if (rel === "root") expect(target).toBe("catalog.json");
    if (rel === "parent") expect(seen.has(target), `${path}: parent ${target}`).toBe(true);
    if (rel === "item") seen.set(target, (await json(target)) as Stac);
    if (rel !== "items") continue;
    const { features, ...found } = (await json(target)) as Stac & { readonly features: readonly Stac[] };
    expect(found.type).toBe("FeatureCollection");
    seen.set(target, found);
    for (const item of features) expect(isItem(item), `${target}: ${ajv.errorsText(isItem.errors)}`).toBe(true);
    items.push(...features);
  }
  return { seen, items };
}

test("every file is valid STAC and is linked from the root", async () => {
  const { seen, items } = await walk();
  const alone = items.map(({ collection, id }) => `stac/${collection}/${id}.json`);
  expect([...seen.keys()].sort()).toEqual(
    [
      "catalog.json",
      "stac/connector/collection.json",
      "stac/connector/items.json",
      "stac/infrastructure/collection.json",
      "stac/infrastructure/items.json",
      ...alone,
    ].sort(),
  );
  expect(alone).toHaveLength(3);
  for (const [index, path] of alone.entries()) expect(seen.get(path)).toEqual(items[index]);
  const stored = (await filesBelow(dataset)).filter((path) => path.startsWith("stac/") || path === "catalog.json");
  expect(stored.sort()).toEqual([...seen.keys()].sort());
  expect(seen.get("stac/connector/collection.json")).toMatchObject({ license: "ODbL-1.0", "table:row_count": 3 });
});

test("an Item is a pack of the primary copy, with its rows and their box", async () => {
  const { items } = await walk();
  expect(items.length).toBe(3);
  for (const { assets, bbox, properties } of items) {
    const target = posix.join("stac/collection", String(assets?.data?.href));
    expect(target).toMatch(/^(connector|infrastructure)\/country=(MC|US)\/geohash=/);
    const rows = await readParquet(join(dataset, target));
    expect(properties?.["table:row_count"]).toBe(rows.length);
    const boxes = rows.map((row) => row.bbox as Record<"xmin" | "ymin" | "xmax" | "ymax", number>);
    const edge = (pick: (...values: number[]) => number, name: keyof (typeof boxes)[number]) =>
      pick(...boxes.map((box) => box[name]));
    expect(bbox).toEqual([
      edge(Math.min, "xmin"),
      edge(Math.min, "ymin"),
      edge(Math.max, "xmax"),
      edge(Math.max, "ymax"),
    ]);
  }
});

test("many packs are split into several files, and several licences are links", async () => {
  const manifest = parseManifest(await json("manifest.json"));
  const location = manifest.collections.connector?.runs.location;
  const [first] = (location?.nodes ?? []) as LocationNode[];
  if (!location || !first) throw new Error("no slice");
  const many = Array.from({ length: 2500 }, (_, index) => ({
    ...first,
    // Two slices in each pack.
    pack: `${first.geohash}/${Math.floor(index / 2)
      .toString(16)
      .padStart(16, "0")}`,
    offset: (index % 2) * first.bytes,
  }));
  const large: Manifest = {
    ...manifest,
    attribution: [...manifest.attribution, { dataset: "Other", license: "CC-BY-4.0", text: "Other" }],
    collections: {
      connector: { ...manifest.collections.connector, runs: { location: { ...location, nodes: many } } } as never,
    },
  };
  const files: StacFile[] = [];
  for await (const file of stacFiles(large, async () => [])) files.push(file);
  const lists = files.filter(({ path }) => !path.includes("/connector-"));
  expect(lists.map(({ path }) => path)).toEqual([
    "stac/connector/items.json",
    "stac/connector/items-2.json",
    "stac/connector/collection.json",
    "catalog.json",
  ]);
  const parts = lists
    .slice(0, 2)
    .map(({ text }) => (JSON.parse(text) as { readonly features: readonly Stac[] }).features);
  expect(parts.map((features) => features.length)).toEqual([1000, 250]);
  expect(parts.flat().every(({ properties }) => properties?.["table:row_count"] === 2 * first.rows)).toBe(true);
  const alone = files.filter((each) => !lists.includes(each)).map(({ text }) => JSON.parse(text) as Stac);
  expect(alone).toEqual(parts.flat());
  const collection = JSON.parse(lists[2]?.text ?? "") as Stac;
  expect(collection.license).toBe("other");
  expect(collection.links.filter(({ rel }) => rel === "license").map(({ href }) => href)).toEqual([
    "https://spdx.org/licenses/CC-BY-4.0.html",
    "https://spdx.org/licenses/ODbL-1.0.html",
  ]);
});
