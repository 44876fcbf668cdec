import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { FOLD_VERSION } from "../../data/format/fold.ts";
import {
  FORMAT_VERSION,
  MAX_PAGE_BYTES,
  type Manifest,
  type PartitionNode,
  parseManifest,
} from "../../data/format/manifest.ts";
import type { Query } from "../../web/engine/contract/query.ts";
import { type ByteSource, openDataset } from "../../web/engine/index.ts";
import { folderSource } from "../../web/hosts/node/folder-source.ts";
import { decodeParquet } from "../../web/hosts/node/parquet.ts";
import { temporaryFolders } from "../testing/folders.ts";
import {
  makeUpIdRun,
  makeUpLocationRun,
  makeUpTermRun,
  readSettlements,
  type Settlement,
  seededRandom,
  termAt,
} from "../testing/made-up-index.ts";
import { fitRoots, MAX_LIFTED_BYTES, WRITTEN_MANIFEST_BYTES } from "./fit-roots.ts";
import { writeIndex } from "./index-tree.ts";
import { writeJson } from "./write-json.ts";

const newFolder = temporaryFolders();

/** With as many in each of three runs there are a million. */
const PARTITIONS_OF_RUN = 365_000;

let settlements: readonly Settlement[];
let location: readonly PartitionNode[];
let folder: string;
let manifest: Manifest;
let countries: readonly (readonly [country: string, partitions: number])[];

/** A dataset whose index is whole and whose partitions are not there. */
async function writeDataset(): Promise<Manifest> {
  const indexed = async (run: "location" | "id" | "term", partitions: readonly PartitionNode[]) =>
    writeIndex(folder, { collection: "place", run, partitions });
  const runs = {
    location: await indexed("location", location),
    id: await indexed("id", makeUpIdRun(location)),
    term: await indexed("term", makeUpTermRun(location)),
  };
  const rowsOf: Record<string, number> = {};
  const partitionsOf = new Map<string, number>();
  for (const { country, rows } of location) {
    rowsOf[country] = (rowsOf[country] ?? 0) + rows;
    partitionsOf.set(country, (partitionsOf.get(country) ?? 0) + 1);
  }
  countries = [...partitionsOf];
  const rows = Object.values(rowsOf).reduce((sum, count) => sum + count, 0);
  const collections: Manifest["collections"] = {
    place: { rows, bbox: [-180, -90, 180, 90], countries: rowsOf, ignored_columns: [], runs },
  };
  await fitRoots(folder, collections);
  const made = parseManifest({
    format: "cairn",
    format_version: FORMAT_VERSION,
    release: "made-up",
    fold_version: FOLD_VERSION,
    attribution: [],
    rejects: { rows: 0, bytes: 0, sha256: "0".repeat(64), reasons: {} },
    collections,
  });
  await writeFile(join(folder, "manifest.json"), `${writeJson(made)}\n`);
  return made;
}

/** Counts the pages that each search of one reader had to fetch before the first partition, which is not there. */
function countPages(): (query: Query) => Promise<number> {
  const paths: string[] = [];
  const files = folderSource(folder);
  const source: ByteSource = {
    name: files.name,
    read(path, options) {
      paths.push(path);
      return files.read(path, options);
    },
  };
  const dataset = openDataset({ source, decode: decodeParquet, executor: "scan" });
  return async (query) => {
    paths.length = 0;
    await expect(dataset.search(query)).rejects.toThrow(/\.parquet/);
    return paths.filter((path) => path.includes("/_pages/")).length;
  };
}

async function useDataset(partitionsOfRun: number): Promise<void> {
  location = makeUpLocationRun(settlements, partitionsOfRun);
  folder = await newFolder();
  manifest = await writeDataset();
}

beforeAll(async () => {
  settlements = await readSettlements();
});

const random = seededRandom(7);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
const search: Omit<Query, "circle"> = { collections: ["place"], limit: 25, offset: 0 };

const questions: Readonly<Record<string, () => Query>> = {
  "a circle of 1 km": () => {
    const { lon, lat } = pick(settlements);
    return { ...search, circle: { lon, lat, radiusMeters: 1000 } };
  },
  "a country's page": () => {
    const [country] = pick(countries);
    return { ...search, country, offset: Math.floor(random() * (manifest.collections.place?.countries[country] ?? 0)) };
  },
  "a name": () => {
    const [country, partitions] = pick(countries);
    return { ...search, country, filters: { terms: [[termAt(Math.floor(random() * partitions) * 3)]] } };
  },
};

test("where the manifest has room, the level below stands in it: one page from the first search on", async () => {
  await useDataset(12_000);
  expect((await stat(join(folder, "manifest.json"))).size).toBeLessThanOrEqual(MAX_LIFTED_BYTES);
  for (const [name, ask] of Object.entries(questions)) {
    const first: number[] = [];
    for (let i = 0; i < 20; i++) first.push(await countPages()(ask()));
    expect(meanOf(first), name).toBeLessThan(1.2);
  }
});

describe("with a million partitions", () => {
  beforeAll(() => useDataset(PARTITIONS_OF_RUN));

  test("a million partitions have a manifest and pages of the sizes that the contract allows", async () => {
    const { runs } = manifest.collections.place ?? {};
    const partitions = Object.values(runs ?? {}).reduce((sum, run) => sum + (run?.partitions ?? 0), 0);
    expect(partitions).toBeGreaterThan(1_000_000);
    expect((await stat(join(folder, "manifest.json"))).size).toBeLessThanOrEqual(WRITTEN_MANIFEST_BYTES);
    for (const page of await readdir(join(folder, "place/_pages"))) {
      expect((await stat(join(folder, "place/_pages", page))).size).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    }
  });

  test.each(Object.entries(questions))("%s: two pages when nothing is known, then at most one", async (_, ask) => {
    const first: number[] = [];
    for (let i = 0; i < 15; i++) first.push(await countPages()(ask()));
    const reader = countPages();
    // the pages that stand above the others are a few for the whole planet
    for (let i = 0; i < 100; i++) await reader(ask());
    const later: number[] = [];
    for (let i = 0; i < 100; i++) later.push(await reader(ask()));
    expect(meanOf(first)).toBeLessThan(2.3);
    expect(later.filter((pages) => pages <= 1).length / later.length).toBeGreaterThan(0.9);
  });
});

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
