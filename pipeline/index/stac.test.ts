import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { beforeAll, expect, test } from "vitest";
import { type Manifest, type PartitionNode, parseManifest } from "../../data/format/manifest.ts";
import { buildDataset } from "../build/build.ts";
import { point, temporaryFolders, writeGeoJson } from "../testing/folders.ts";
import { CATALOG_SCHEMA, COLLECTION_SCHEMA } from "../testing/stac-schema.ts";
import { verifyDataset } from "../verify/verify.ts";
import { type StacFile, stacFiles } from "./stac.ts";

interface Stac {
  readonly type: string;
  readonly license?: string;
  readonly links: readonly { readonly rel: string; readonly href: string }[];
  readonly assets?: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  readonly "table:row_count"?: number;
}

const newFolder = temporaryFolders();
const ajv = addFormats.default(new Ajv({ allErrors: true, allowUnionTypes: true }));
const isCatalog = ajv.compile(CATALOG_SCHEMA);
const isCollection = ajv.compile(COLLECTION_SCHEMA);
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

async function read(path: string): Promise<Stac> {
  const value = JSON.parse(await readFile(join(dataset, path), "utf8")) as Stac;
  const isValid = value.type === "Catalog" ? isCatalog : isCollection;
  expect(isValid(value), `${path}: ${ajv.errorsText(isValid.errors)}`).toBe(true);
  return value;
}

/** Every file that links lead to from the root, by its path. */
async function walk(path = "catalog.json", seen = new Map<string, Stac>()): Promise<Map<string, Stac>> {
  const value = await read(path);
  seen.set(path, value);
  for (const { rel, href } of value.links) {
    const target = posix.join(posix.dirname(path), href);
    if (rel === "child") await walk(target, seen);
    if (rel === "root") expect(target).toBe("catalog.json");
    if (rel === "parent") expect(seen.has(target), `${path}: parent ${target}`).toBe(true);
  }
  return seen;
}

test("every file follows the rules of STAC, and is reached from the root", async () => {
  const found = await walk();
  expect([...found.keys()].sort()).toEqual([
    "catalog.json",
    "stac/connector/MC.json",
    "stac/connector/US.json",
    "stac/connector/collection.json",
    "stac/infrastructure/MC.json",
    "stac/infrastructure/collection.json",
  ]);
  expect(found.get("stac/connector/collection.json")).toMatchObject({ license: "ODbL-1.0", "table:row_count": 3 });
});

test("assets are the primary copy, with their sizes, hashes and rows", async () => {
  const found = await walk();
  let rows = 0;
  for (const [path, { assets = {} }] of found) {
    for (const [key, asset] of Object.entries(assets)) {
      const target = posix.join(posix.dirname(path), String(asset.href));
      expect(target).toMatch(/^(connector|infrastructure)\/country=(MC|US)\/geohash=/);
      expect(target.endsWith(key)).toBe(true);
      const content = await readFile(join(dataset, target));
      expect(asset["file:size"]).toBe(content.length);
      expect(asset["file:checksum"]).toBe(`1220${createHash("sha256").update(content).digest("hex")}`);
      rows += Number(asset["table:row_count"]);
    }
  }
  expect(rows).toBe(4);
});

test("a changed catalogue is a fault, and the next build puts it right", async () => {
  const path = join(dataset, "stac/connector/MC.json");
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace("1220", "1221"));
  const faults = (await verifyDataset(dataset)).flatMap((line) => line.faults);
  expect(faults).toEqual(["stac/connector/MC.json: not what the index says"]);
  await writeFile(path, text);
  expect((await verifyDataset(dataset)).flatMap((line) => line.faults)).toEqual([]);
});

test("a country with many partitions has several files, and several licences are named by links", async () => {
  const manifest = parseManifest(JSON.parse(await readFile(join(dataset, "manifest.json"), "utf8")));
  const location = manifest.collections.connector?.runs.location;
  const [first] = (location?.nodes ?? []) as PartitionNode[];
  if (!location || !first) throw new Error("no partition");
  const many = Array.from({ length: 2500 }, (_, index) => ({
    ...first,
    // the index has neighbours of two countries in turn
    country: index % 10 === 0 ? "MC" : "US",
    sha256: createHash("sha256").update(String(index)).digest("hex"),
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
  expect(files.map(({ path }) => path)).toEqual([
    "stac/connector/US.json",
    "stac/connector/US-2.json",
    "stac/connector/MC.json",
    "stac/connector/US-3.json",
    "stac/connector/collection.json",
    "catalog.json",
  ]);
  const parts = files.slice(0, 4).map(({ text }) => JSON.parse(text) as Stac);
  expect(parts.map(({ assets = {} }) => Object.keys(assets).length)).toEqual([1000, 1000, 250, 250]);
  const [last] = parts.slice(-1);
  expect(last?.license).toBe("other");
  expect(last?.links.filter(({ rel }) => rel === "license").map(({ href }) => href)).toEqual([
    "https://spdx.org/licenses/CC-BY-4.0.html",
    "https://spdx.org/licenses/ODbL-1.0.html",
  ]);
});
