import { cp, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { CollectionName } from "../../../data/format/collections.ts";
import { type IndexNode, isPage, type Manifest, type PageNode } from "../../../data/format/manifest.ts";
import { writeManifestFile } from "../../../data/format/manifest-file.ts";
import { buildSample } from "../../../web/engine/testing/sample.ts";
import { writeStac } from "../../builder/index/stac.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { type Change, SMALL_PREFIX_ROWS, writeSmallDataset } from "../../testing/small-dataset/index.ts";
import { CHECKS } from "./ledger.ts";
import { expectFaults, faultsOf, holdFaults, type Mutation, only } from "./testing.ts";
import { verifyDataset } from "./verify.ts";

const newFolder = temporaryFolders();
let whole: string;

beforeAll(async () => {
  whole = await newFolder();
  await writeSmallDataset(whole);
  await writeStac(whole, await readManifest(whole));
});

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as Manifest;
}

test("a correct dataset has no fault, and every check is made", async () => {
  const lines = await verifyDataset(whole, { prefixRows: SMALL_PREFIX_ROWS });
  expect(lines.flatMap(({ faults }) => faults)).toEqual([]);
  const tested = Object.fromEntries(lines.map(({ scope, check, tested: count }) => [`${scope} ${check}`, count]));
  expect(tested["place packs"]).toBeGreaterThan(200);
  for (const check of CHECKS) {
    for (const name of ["place", "division", "division_area"])
      expect(tested[`${name} ${check}`], `${name} ${check}`).toBeGreaterThan(0);
  }
});

test("the dataset of the sample has no fault, in any collection", async () => {
  const folder = await buildSample();
  const lines = await verifyDataset(folder);
  expect(lines.flatMap(({ faults }) => faults)).toEqual([]);
  const scopes = new Set(lines.map(({ scope }) => scope));
  const { collections } = await readManifest(folder);
  expect([...Object.keys(collections), "dataset"].filter((scope) => !scopes.has(scope))).toEqual([]);
});

test("the result does not depend on how many rows are checked together", async () => {
  const folder = await newFolder();
  await writeSmallDataset(folder, { change: { collection: (own) => ({ ...own, rows: own.rows + 1 }) } });
  const found = async (batchRows: number) =>
    (await verifyDataset(folder, { prefixRows: SMALL_PREFIX_ROWS, batchRows })).map(({ scope, check, faults }) => ({
      scope,
      check,
      faults,
    }));
  expect(await found(1)).toEqual(await found(1e6));
});

/** A file of the dataset with this text in its path. */
async function fileWith(folder: string, part: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.includes(part) && /\.\w+$/.test(name),
  );
  const [first] = names.sort();
  if (!first) throw new Error(`no file with ${part}`);
  return first;
}

async function replaceInManifest(folder: string, from: string, to: string): Promise<void> {
  const path = join(folder, "manifest.json");
  const text = (await readFile(path, "utf8")).replaceAll(from, to);
  await writeFile(path, await writeManifestFile(JSON.parse(text)));
}

const FILES: readonly (readonly [name: string, damage: (folder: string) => Promise<unknown>, ...faults: RegExp[]])[] = [
  [
    "a pack that is missing",
    async (folder) => rm(join(folder, await fileWith(folder, "place/_records/"))),
    /^place\/_records\/\w+\.pack: missing$/,
  ],
  [
    "a file that no index names",
    (folder) => writeFile(join(folder, "place/stray.pack"), "x"),
    /^place\/stray\.pack: no index names it$/,
  ],
  [
    "a pack cut short",
    async (folder) => truncate(join(folder, await fileWith(folder, "place/_points/")), 100),
    /^place\/_points\/\w+\.pack, slice at \d+: ends at \d+, beyond the 100 bytes of the pack$/,
    /^place\/_points\/\w+\.pack: head of the SHA-256 expected/,
  ],
  [
    "a pack with bytes too many",
    async (folder) => writeFile(join(folder, await fileWith(folder, "place/_term/")), "more", { flag: "a" }),
    /^place\/_term\/\w+\.pack: 4 bytes after its last slice$/,
    /^place\/_term\/\w+\.pack: head of the SHA-256 expected "\w{16}", got "\w{16}"$/,
  ],
  [
    "a byte that is another",
    async (folder) => {
      const path = join(folder, await fileWith(folder, "place/country=MC/"));
      const bytes = await readFile(path);
      bytes[1000] = (bytes[1000] ?? 0) ^ 1;
      await writeFile(path, bytes);
    },
    /^place\/country=MC\/.*, slice at 0: SHA-256 expected/,
    /^place\/country=MC\/.*\.parquet: head of the SHA-256 expected/,
  ],
  [
    "a pack named by other content",
    async (folder) => {
      const path = await fileWith(folder, "place/_points/");
      const name = /(\w+)\.pack$/.exec(path)?.[1] ?? "";
      await rename(join(folder, path), join(folder, path.replace(name, "0123456789abcdef")));
      await replaceInManifest(folder, name, "0123456789abcdef");
    },
    /^place\/_points\/0123456789abcdef\.pack: head of the SHA-256 expected "0123456789abcdef", got "\w+"$/,
  ],
  [
    "a folder of another geohash",
    async (folder) => {
      const path = await fileWith(folder, "division_area/country=MC/");
      const [, geohash = ""] = /geohash=([^/]+)/.exec(path) ?? [];
      const folderOf = (name: string) => join(folder, `division_area/country=MC/geohash=${name}`);
      await rename(folderOf(geohash), folderOf("s"));
      await replaceInManifest(folder, `"pack":"${geohash}/`, '"pack":"s/');
    },
    /^division_area\/country=MC\/geohash=s\/\w+\.parquet: geohash of its folder expected "spv", got "s"$/,
    /^stac\/|^place\/|^division\/|missing|no index names/,
  ],
  [
    "a catalogue of another dataset",
    async (folder) => writeFile(join(folder, "stac/place/collection.json"), "{}"),
    /^stac\/place\/collection\.json: differs from the index$/,
  ],
  [
    "a catalogue that lacks a file",
    async (folder) => rm(join(folder, "stac/place/items.json")),
    /^stac\/place\/items\.json: missing$/,
  ],
  [
    "rejects that are missing",
    async (folder) => rm(join(folder, "rejects.parquet")),
    /^rejects\.parquet: ENOENT, expected a file$/,
  ],
  [
    "rejects that are others",
    async (folder) => writeFile(join(folder, "rejects.parquet"), "PAR1"),
    /^rejects\.parquet: length expected \d+, got 4$/,
    /^rejects\.parquet: SHA-256 expected/,
  ],
  [
    "a manifest of more bytes than readers take",
    async (folder) =>
      writeFile(
        join(folder, "manifest.json"),
        `${await readFile(join(folder, "manifest.json"), "utf8")}${" ".repeat(1 << 20)}`,
      ),
    /^manifest\.json: \d+ bytes, readers take at most 1048576$/,
    /^manifest\.json: its content has SHA-256 \w{64}, expected \w{64}$/,
  ],
  [
    "a manifest of another release",
    async (folder) => {
      const path = join(folder, "manifest.json");
      await writeFile(path, (await readFile(path, "utf8")).replace('"small"', '"other"'));
    },
    /^manifest\.json: its content has SHA-256 \w{64}, expected \w{64}$/,
    /^catalog\.json: differs from the index$/,
  ],
  [
    "an invalid manifest",
    (folder) => writeFile(join(folder, "manifest.json"), "{}"),
    /^manifest\.json: manifest is not valid/,
  ],
];

test.each(FILES.map((each) => [each[0], each] as const))("%s", async (_, [, damage, ...patterns]) => {
  const folder = await newFolder();
  await cp(whole, folder, { recursive: true });
  await damage(folder);
  holdFaults(await faultsOf(folder), patterns);
});

test("a folder that is not a dataset", async () => {
  await expect(verifyDataset(await newFolder())).rejects.toThrow("is not a dataset: it has no manifest.json");
});

const ofTerm = (text: string) => new RegExp(`^place/_term/\\w+\\.pack, slice at \\d+: ${text}`);
const TERM = { run: "term", index: 1 };
const node = (changeTo: (node: Readonly<Record<string, unknown>>) => object): Change => ({
  node: (value, at) => only({ ...at }, TERM, value, (own) => ({ ...own, ...changeTo(own) })),
});
/** The nodes of the term run in the manifest, which are pages. */
const roots = (changeTo: (nodes: readonly IndexNode[]) => readonly IndexNode[]): Change => ({
  nodes: (value, at) => only({ ...at }, { run: "term", index: -1 }, value, changeTo),
});
const page = (changeTo: (page: PageNode) => object): Change =>
  roots((nodes) => nodes.map((own, i) => (i === 0 && isPage(own) ? { ...own, ...changeTo(own) } : own)));
const members = (changeTo: (nodes: readonly IndexNode[]) => readonly IndexNode[]): Change => ({
  nodes: (value, at) => only({ ...at }, { run: "term", index: 0 }, value, changeTo),
});
const ofPage = (text: string) => new RegExp(`^place/_pages/\\w+\\.pack, slice at \\d+: ${text}`);
/** Checks of a run that are impossible if one of its pages was not read. */
const UNREAD =
  /^place\/_(?:term|pages)\/\w+\.pack(, slice at \d+)?: (no index names it|a gap of \d+ bytes before it|\d+ bytes after its last slice|start expected)/;

const INDEX: readonly Mutation[] = [
  [
    "slices with a gap between them",
    {
      parts: (parts, at) =>
        only({ ...at }, { run: "term", index: 0 }, parts, ([first, ...others]) =>
          first ? [first, new Uint8Array(5), ...others] : [],
        ),
    },
    ofTerm("a gap of 5 bytes before it"),
  ],
  [
    "slices that overlap",
    node(({ offset }) => ({ offset: Number(offset) - 1 })),
    ofTerm("overlaps the one before, which ends at \\d+"),
    ofTerm("a gap of 1 bytes before it"),
  ],
  [
    "a slice that exceeds its pack",
    node(({ bytes }) => ({ bytes: Number(bytes) + 1e6 })),
    ofTerm("ends at \\d+, beyond the \\d+ bytes of the pack"),
    ofTerm("overlaps the one before"),
  ],
  [
    "a slice of another SHA-256",
    node(() => ({ sha256: "0".repeat(64) })),
    ofTerm('SHA-256 expected "0{64}", got "\\w{64}"'),
  ],
  [
    "a collection with another box",
    { collection: (own) => ({ ...own, bbox: [0, 0, 1, 1] }) },
    /^manifest.json: place bbox expected/,
  ],
  ["a page that counts another row", page(({ rows }) => ({ rows: rows + 1 })), ofPage("rows expected \\d+, got \\d+")],
  [
    "a page that counts another partition",
    page(({ partitions }) => ({ partitions: partitions + 1 })),
    ofPage("partitions expected \\d+, got \\d+"),
  ],
  ["a page with another box", page(() => ({ bbox: [0, 0, 1, 1] })), ofPage("bbox expected")],
  ["a page with another first key", page(() => ({ first: ["JP", "a"] })), ofPage("first expected")],
  ["a page with another last key", page(() => ({ last: ["JP", "zzz"] })), ofPage("last expected")],
  ["a page without nodes", members(() => []), ofPage("cannot be read: an empty page"), UNREAD],
  [
    "a page that is no index",
    members((nodes) => nodes.map((own) => ({ ...own, offset: -1 }))),
    ofPage("cannot be read: index page is not valid"),
    UNREAD,
  ],
  [
    "a page that is named twice",
    roots((nodes) => [...nodes, ...nodes.slice(0, 1)]),
    /^place: term run: the index names page \w{16} twice, expected once$/,
    UNREAD,
  ],
  [
    "a node of another run",
    { collection: (own) => ({ ...own, runs: { ...own.runs, count_country: { ...own.runs.records } } }) },
    /^place\/_count_country\/\w+\.pack, slice at \d+: its node does not belong to the count_country run$/,
    /^place\/_count_country\/\w+\.pack: no index names it$/,
  ],
  [
    "nodes out of order",
    members((nodes) => nodes.toReversed()),
    ofTerm("does not come after the node before it"),
    ofPage("(first|last) expected"),
    ofTerm("start expected"),
  ],
  ...(["partitions", "bytes"] as const).map(
    (key): Mutation => [
      `a run with other ${key}`,
      {
        collection: (own) => ({
          ...own,
          runs: { ...own.runs, records: { ...own.runs.records, [key]: own.runs.records[key] + 1 } },
        }),
      },
      new RegExp(`^manifest.json: place runs.records.${key} expected \\d+, got \\d+$`),
    ],
  ),
  [
    "a collection with other rows",
    { collection: (own) => ({ ...own, rows: own.rows + 1 }) },
    /^manifest.json: place rows expected 48, got 49$/,
    /^manifest.json: its sums are wrong: place has 49 rows, its countries have 48; /,
  ],
  [
    "a collection with other countries",
    { collection: (own) => ({ ...own, countries: { JP: 25, MC: 23 } }) },
    /^manifest.json: place countries expected \{"JP":24,"MC":24\}, got \{"JP":25,"MC":23\}$/,
  ],
  [
    "rejects that count another row",
    { manifest: (own) => ({ ...own, rejects: { ...own.rejects, rows: 2 } }) },
    /^rejects.parquet: rows expected 1, got 2$/,
  ],
  [
    "rejects with other reasons",
    { manifest: (own) => ({ ...own, rejects: { ...own.rejects, reasons: {} } }) },
    /^rejects.parquet: reasons expected/,
  ],
];

test.each(INDEX.map((mutation) => [mutation[0], mutation] as const))("%s", async (_, mutation) => {
  await expectFaults(await newFolder(), ["place"] satisfies CollectionName[], mutation);
});
