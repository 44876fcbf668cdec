import { fork } from "node:child_process";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { bboxIntersects } from "../../data/format/bbox.ts";
import { compareIds } from "../../data/format/ids.ts";
import {
  type AnyRunName,
  type IndexNode,
  isPage,
  MAX_PAGE_BYTES,
  PACK_BYTES,
  type PageNode,
} from "../../data/format/manifest.ts";
import { createIndexCheck, walkIndex } from "../../data/format/walk-index.ts";
import { bundle } from "../testing/bundle.ts";
import { temporaryFolders } from "../testing/folders.ts";
import type { WrittenIndex } from "../testing/index-process.ts";
import { makeUpLocationRun, readSettlements, type Settlement, seededRandom, termAt } from "../testing/made-up-index.ts";
import { MAX_LIFTED_BYTES, WRITTEN_MANIFEST_BYTES } from "./fit-roots.ts";
import { pageReader } from "./slices.ts";

const newFolder = temporaryFolders();

/** In each of three runs, about: the planet has as many in all. */
const PARTITIONS_OF_RUN = 410_000;
const HEAP_MIB = 2048;

let settlements: readonly Settlement[];
let script: string;
let folder: string;
let roots: ReadonlyMap<AnyRunName, readonly IndexNode[]>;

/** Writes the index of a dataset whose partitions are not there, in a process with a bounded heap. */
async function writeIndex(partitionsOfRun: number): Promise<WrittenIndex> {
  folder = await newFolder();
  const child = fork(script, [folder, String(partitionsOfRun)], { execArgv: [`--max-old-space-size=${HEAP_MIB}`] });
  const [[told], [code]] = await Promise.all([once(child, "message"), once(child, "exit")]);
  expect(code).toBe(0);
  const written = told as WrittenIndex;
  roots = new Map(written.roots);
  return written;
}

function rootBytes(): number {
  return Buffer.byteLength(JSON.stringify([...roots.values()]));
}

/** Whether what is asked for may stand below the node. */
type Asks = (node: IndexNode) => boolean;

/** Pages by their hash: what is counted is which are asked for, and each is hundreds of nodes to check. */
const pagesRead = new Map<string, Promise<readonly IndexNode[]>>();

function readOnce(page: PageNode): Promise<readonly IndexNode[]> {
  const read = pagesRead.get(page.sha256) ?? pageReader(folder)("place", page);
  pagesRead.set(page.sha256, read);
  return read;
}

/** How many pages a search reads of those that are not known yet. */
async function countPages(run: AnyRunName, asks: Asks, known: Set<string> = new Set()): Promise<number> {
  let pages = 0;
  const walk = async (nodes: readonly IndexNode[]): Promise<void> => {
    for (const node of nodes) {
      if (!isPage(node) || !asks(node)) continue;
      if (!known.has(node.sha256)) pages++;
      known.add(node.sha256);
      await walk(await readOnce(node));
    }
  };
  await walk(roots.get(run) ?? []);
  return pages;
}

const random = seededRandom(7);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

function isWithin({ first, last }: PageNode, country: string, key: string): boolean {
  const order = (edge: PageNode["first"]): number => {
    const [of, at] = edge ?? ["", ""];
    return of < country ? -1 : of > country ? 1 : compareIds(at, key);
  };
  return order(first) <= 0 && order(last) >= 0;
}

const questions: Readonly<Record<string, () => readonly [AnyRunName, Asks]>> = {
  "a circle of 1 km": () => {
    const { lon, lat } = pick(settlements);
    return ["location", ({ bbox }) => bboxIntersects(bbox, [lon - 0.01, lat - 0.01, lon + 0.01, lat + 0.01])];
  },
  "a name": () => {
    const { country } = pick(settlements);
    const term = termAt(Math.floor(random() * 300));
    return ["term", (node) => isPage(node) && isWithin(node, country, term)];
  },
};

beforeAll(async () => {
  settlements = await readSettlements();
  script = await bundle(fileURLToPath(new URL("../testing/index-process.ts", import.meta.url)));
});

test("every partition is found below the roots, and the pages are a tree", async () => {
  await writeIndex(12_000);
  const location = makeUpLocationRun(settlements, 12_000);
  expect(rootBytes()).toBeLessThanOrEqual(MAX_LIFTED_BYTES);
  const read = pageReader(folder);
  for (const [run, nodes] of roots) {
    createIndexCheck(nodes);
    const found = new Set<string>();
    for await (const node of walkIndex(nodes, (page) => read("place", page))) {
      if (!isPage(node)) found.add(`${node.country} ${node.sha256}`);
    }
    const all = run === "location" ? location.map((node) => `${node.country} ${node.sha256}`) : undefined;
    if (all) expect(found).toEqual(new Set(all));
    expect(found.size).toBeGreaterThan(0.9 * location.length);
  }
});

describe("with a million partitions", () => {
  beforeAll(async () => {
    const { partitions, rows, seconds, residentBytes } = await writeIndex(PARTITIONS_OF_RUN);
    expect(partitions).toBeGreaterThan(1_200_000);
    const mib = Math.round(residentBytes / 2 ** 20);
    console.log(`index of ${partitions} partitions of ${rows} rows: ${seconds.toFixed(1)} s, ${mib} MiB resident`);
  });

  test("the manifest and the pages have the sizes that the contract allows", async () => {
    expect(rootBytes()).toBeLessThanOrEqual(WRITTEN_MANIFEST_BYTES);
    const sizes = (await readdir(join(folder, "place/_pages"))).map(async (name) =>
      stat(join(folder, "place/_pages", name)),
    );
    expect((await Promise.all(sizes)).every(({ size }) => size <= PACK_BYTES)).toBe(true);
    for (const nodes of roots.values()) {
      for (const node of nodes) if (isPage(node)) expect(node.bytes).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    }
  });

  test.each(Object.entries(questions))("%s: two pages when nothing is known, then at most one", async (_, ask) => {
    const first: number[] = [];
    for (let i = 0; i < 15; i++) first.push(await countPages(...ask()));
    const known = new Set<string>();
    // the pages that stand above the others are a few for the whole planet
    for (let i = 0; i < 100; i++) await countPages(...ask(), known);
    const later: number[] = [];
    for (let i = 0; i < 100; i++) later.push(await countPages(...ask(), known));
    expect(meanOf(first)).toBeLessThan(2.3);
    expect(later.filter((pages) => pages <= 1).length / later.length).toBeGreaterThan(0.85);
  });
});

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
