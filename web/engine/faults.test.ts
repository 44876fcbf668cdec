import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { isPage, type Manifest } from "../../data/format/manifest.ts";
import { writeManifestFile } from "../../data/format/manifest-file.ts";
import { readPage } from "../../data/format/manifest-schema.ts";
import { packNameOf, packPath } from "../../data/format/paths.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { FetchError, ManifestError } from "./contract/errors.ts";
import type { ByteSource, ReadOptions } from "./contract/ports.ts";
import type { Query } from "./contract/query.ts";
import { openDataset } from "./dataset.ts";
import { type MadeUpRow, makeDataset } from "./testing/made-up-dataset.ts";
import { memorySource } from "./testing/sources.ts";

const rows: readonly MadeUpRow[] = Array.from({ length: 40 }, (_, i) => ({
  id: `row${i}`,
  country: "AA",
  geometry: { type: "Point", coordinates: [i / 100, 0] },
}));
const files = await makeDataset({ place: rows }, { rowsPerPartition: 10, nodesPerPage: 2 });
const nearby: Query = {
  collections: ["place"],
  circle: { lon: 0, lat: 0, radiusMeters: 5000 },
  offset: 0,
  limit: 5,
};
const PAGE = /_pages\//;
const POINTS = /_points\//;
const RECORDS = /_records\//;
const PARTITION = /\.parquet$/;

function sourceWith(answer: (path: string, options: ReadOptions) => Uint8Array | undefined): ByteSource {
  const inner = memorySource(files);
  return {
    name: "test",
    read: async (path, options = {}) => answer(path, options) ?? inner.read(path, options),
  };
}

const open = (source: ByteSource) => openDataset({ source, decode: decodeParquet });
const bytesOf = (text: string) => new TextEncoder().encode(text);
const HTML = bytesOf("<!doctype html><title>Not found</title>");

function damage(
  path: RegExp,
  change: (bytes: Uint8Array) => Uint8Array,
  isCured = (_: ReadOptions) => false,
): ByteSource {
  const inner = memorySource(files);
  return {
    name: "test",
    async read(asked, options = {}) {
      const bytes = await inner.read(asked, options);
      return path.test(asked) && !isCured(options) ? change(bytes) : bytes;
    },
  };
}

const flipLastByte = (bytes: Uint8Array) => bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1);

test.each([
  [
    "points cut short",
    POINTS,
    (bytes: Uint8Array) => bytes.subarray(0, -1),
    /has \d+ bytes from byte 0 on, expected \d+/,
  ],
  [
    "points with a changed byte",
    POINTS,
    flipLastByte,
    /has SHA-256 [0-9a-f]{64} from byte 0 on, expected [0-9a-f]{64}/,
  ],
  ["a page with a changed byte", PAGE, flipLastByte, /has SHA-256/],
  ["a web page instead of points", POINTS, () => HTML, /expected \d+; it looks like a web page/],
])("%s is a FetchError that names it", async (_, path, change, message) => {
  const search = open(damage(path, change)).search(nearby);
  await expect(search).rejects.toThrow(FetchError);
  await expect(search).rejects.toThrow(message);
  await expect(search).rejects.toThrow(expect.objectContaining({ path: expect.stringMatching(path) }));
});

test("a damaged file is requested once more, past the caches", async () => {
  const asked: ReadOptions[] = [];
  const source = damage(POINTS, flipLastByte, (options) => {
    asked.push(options);
    return options.fresh === true;
  });
  expect((await open(source).search(nearby)).total).toBe(5);
  expect(asked.map(({ fresh }) => fresh ?? false)).toEqual([false, true]);
});

test("a missing file is an error, not a shorter answer, and the next search works", async () => {
  let isMissing = true;
  const source = sourceWith((path) => {
    if (isMissing && POINTS.test(path)) throw new FetchError(`${path} is missing`, { path, status: 404 });
    return undefined;
  });
  const dataset = open(source);
  await expect(dataset.search(nearby)).rejects.toThrow(FetchError);
  isMissing = false;
  expect((await dataset.search(nearby)).total).toBe(5);
});

test.each([
  ["a web page", HTML, /looks like a web page/],
  ["cut short", files.get("manifest.json")?.subarray(0, -20) ?? HTML, /cannot be read/],
  ["of another version", bytesOf('{"format":"cairn","format_version":99}'), /format_version 99/],
  ["of something else", bytesOf('{"name":"cairn"}'), /not valid/],
])("a manifest that is %s is a ManifestError", async (_, bytes, message) => {
  const search = open(sourceWith((path) => (path === "manifest.json" ? bytes : undefined))).search(nearby);
  await expect(search).rejects.toThrow(ManifestError);
  await expect(search).rejects.toThrow(message);
});

const manifestOf = () => JSON.parse(new TextDecoder().decode(files.get("manifest.json"))) as Manifest;

test.each<readonly [string, (manifest: Manifest) => unknown, RegExp]>([
  [
    "a node of the points is gone",
    ({ collections }) => collections.place?.runs.location.nodes.pop(),
    /40 rows, its nodes of location have/,
  ],
  [
    "a node of the records is gone",
    ({ collections }) => collections.place?.runs.records.nodes.pop(),
    /its nodes of records have/,
  ],
  [
    "a node of the ids is gone",
    ({ collections }) => collections.place?.runs.find?.nodes.pop(),
    /partitions of find, its nodes have/,
  ],
  [
    "a country has other rows",
    ({ collections }) => Object.assign(collections.place?.countries ?? {}, { AA: 39 }),
    /place has 40 rows, its countries have 39/,
  ],
])("a manifest in which %s is a ManifestError that names it", async (_, change, message) => {
  const manifest = manifestOf();
  change(manifest);
  const bytes = await writeManifestFile(manifest);
  const search = open(sourceWith((path) => (path === "manifest.json" ? bytes : undefined))).search(nearby);
  await expect(search).rejects.toThrow(ManifestError);
  await expect(search).rejects.toThrow(/manifest\.json of test cannot be read: its sums are wrong/);
  await expect(search).rejects.toThrow(message);
});

test("a page with fewer nodes than its entry states is a ManifestError", async () => {
  const manifest = manifestOf();
  const [page] = manifest.collections.place?.runs.location.nodes.filter(isPage) ?? [];
  if (!page) throw new Error("the index has no page");
  const slice = new Uint8Array(
    deflateRawSync(JSON.stringify(readPage(files.get(packPath("place", "pages", page.pack)) ?? HTML).nodes.slice(1))),
  );
  const sha256 = createHash("sha256").update(slice).digest("hex");
  const pack = packNameOf(sha256);
  Object.assign(page, { sha256, bytes: slice.length, pack, offset: 0 });
  const changed = new Map([
    ["manifest.json", await writeManifestFile(manifest)],
    [packPath("place", "pages", pack), slice],
  ]);
  const search = open(sourceWith((path) => changed.get(path))).search({
    ...nearby,
    circle: { lon: 0, lat: 0, radiusMeters: 5e6 },
  });
  await expect(search).rejects.toThrow(ManifestError);
  await expect(search).rejects.toThrow(/page [0-9a-f]{16} is entered with \d+ rows, its nodes have \d+/);
});

test("a folder without a manifest is a ManifestError, an unreachable host a FetchError; both can be retried", async () => {
  const none = open(memorySource(new Map()));
  await expect(none.search(nearby)).rejects.toThrow(ManifestError);
  let isOffline = true;
  const source = sourceWith((path) => {
    if (isOffline) throw new FetchError("offline", { path });
    return undefined;
  });
  const dataset = open(source);
  await expect(dataset.search(nearby)).rejects.toThrow(FetchError);
  isOffline = false;
  expect((await dataset.search(nearby)).total).toBe(5);
});

test("a partition with fewer rows than the index states is an error", async () => {
  const decode: typeof decodeParquet = (bytes) => decodeParquet(bytes).slice(1);
  const dataset = openDataset({ source: memorySource(files), decode });
  const byColumns = { ...nearby, filters: { atLeast: { version: 1 } } };
  await expect(dataset.search(byColumns)).rejects.toThrow(/holds 9 rows, expected 10/);
});

test("one of two callers may abort; the files still arrive for the other, once", async () => {
  const reads: string[] = [];
  const inner = memorySource(files);
  const source: ByteSource = {
    name: "slow",
    async read(path, options) {
      reads.push(path);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return inner.read(path, options);
    },
  };
  const dataset = open(source);
  const controller = new AbortController();
  const leaving = dataset.search(nearby, { signal: controller.signal });
  const staying = dataset.search(nearby, { signal: new AbortController().signal });
  setTimeout(() => controller.abort(), 30);
  await expect(leaving).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  expect((await staying).total).toBe(5);
  expect(new Set(reads).size).toBe(reads.length);
  expect(reads.some((path) => POINTS.test(path))).toBe(true);
});

test("a search aborted before it starts reads nothing", async () => {
  const reads: string[] = [];
  const dataset = open(sourceWith((path) => void reads.push(path)));
  await expect(dataset.search(nearby, { signal: AbortSignal.abort() })).rejects.toThrow();
  expect(reads).toEqual([]);
});

test("refresh switches to a new release, and no search mixes two", async () => {
  const later = await makeDataset({ place: rows.slice(0, 3) }, { release: "later" });
  let current = files;
  const source: ByteSource = { name: "changing", read: (path, options) => memorySource(current).read(path, options) };
  const dataset = open(source);
  expect((await dataset.search(nearby)).total).toBe(5);
  current = new Map([...files, ...later]);
  expect((await dataset.search(nearby)).report.release).toBe("made-up");
  expect((await dataset.refresh()).release).toBe("later");
  const result = await dataset.search(nearby);
  expect([result.total, result.report.release]).toEqual([3, "later"]);
  current = new Map();
  await expect(dataset.refresh()).rejects.toThrow(ManifestError);
  expect((await dataset.search(nearby)).total).toBe(3);
});

test("an outdated manifest is refreshed in the background of a search, which keeps its release", async () => {
  const later = await makeDataset({ place: rows.slice(0, 3) }, { release: "later" });
  let published = files;
  let asked = 0;
  const inner: ByteSource = { name: "test", read: (path, options) => memorySource(published).read(path, options) };
  const source: ByteSource = {
    ...inner,
    read(path, options) {
      if (path === "manifest.json") asked++;
      return inner.read(path, options);
    },
  };
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const dataset = openDataset({ source, decode: decodeParquet, manifestMaxAgeMs: 1000 });
    const release = async () => (await dataset.search(nearby)).report.release;
    expect(await release()).toBe("made-up");
    published = new Map([...files, ...later]);
    vi.advanceTimersByTime(999);
    expect(await release()).toBe("made-up");
    expect(asked).toBe(1);
    vi.advanceTimersByTime(1);
    // a caller that prepares for a search gets the release of that search
    expect((await dataset.manifest()).release).toBe("made-up");
    expect(asked).toBe(1);
    expect(await release()).toBe("made-up");
    await expect.poll(release).toBe("later");
    expect(asked).toBe(2);

    published = later;
    published.delete("manifest.json");
    vi.advanceTimersByTime(1000);
    expect([await release(), await release()]).toEqual(["later", "later"]);
    expect(asked).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});

test("a new release replaces the current one when a file is gone", async () => {
  const other = await makeDataset(
    { place: rows.slice(0, 20) },
    { release: "next", rowsPerPartition: 10, nodesPerPage: 2 },
  );
  let published = files;
  const source: ByteSource = { name: "test", read: (path, options) => memorySource(published).read(path, options) };
  const dataset = open(source);
  await dataset.manifest();
  published = other;
  const country: Query = { collections: ["place"], country: "AA", offset: 0, limit: 100 };
  const found = await dataset.search(country);
  expect([found.total, found.report.release]).toEqual([20, "next"]);
  // without a new release the missing file is reported, again for each search
  const gone = new Map([...files].filter(([path]) => !PARTITION.test(path) && !RECORDS.test(path)));
  published = files;
  await dataset.refresh();
  published = gone;
  for (let i = 0; i < 2; i++) await expect(dataset.search(country)).rejects.toThrow(FetchError);
  published = files;
  expect((await dataset.search(country)).total).toBe(40);
});

const LOST: readonly (readonly [string, RegExp])[] = [
  ["records", RECORDS],
  ["the ids", /_ids\//],
  // Points lead to the records.
  ["the ids with the primary copy", /_ids\/|\.parquet$/],
  ["the primary copy", PARTITION],
  ["the dictionary", /_dictionary\//],
  ["the term run", /_term\//],
];
const CHANGES: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array])[] = [
  ["missing", () => HTML],
  ["damaged", flipLastByte],
];
const ASKED: readonly Partial<Query>[] = [
  { circle: { lon: 0, lat: 0, radiusMeters: 35_000 }, limit: 25 },
  { circle: { lon: 0, lat: 0, radiusMeters: 35_000 }, filters: { atLeast: { version: 1 } }, limit: 25 },
  { country: "AA", offset: 13, limit: 12 },
  { country: "AA", filters: { bbox: [0.05, -1, 0.2, 1] }, limit: 12 },
  { filters: { atLeast: { version: 2 } }, limit: 12 },
];

test.each(LOST.flatMap(([name, path]) => CHANGES.map(([how, change]) => [name, how, path, change] as const)))(
  "%s that is %s is replaced by another file",
  async (_, how, path, change) => {
    const whole = open(memorySource(files));
    const inner = damage(path, change);
    const source: ByteSource = {
      name: "test",
      async read(asked, options) {
        if (how === "missing" && path.test(asked)) throw new FetchError("gone", { path: asked, status: 404 });
        return inner.read(asked, options);
      },
    };
    const dataset = open(source);
    for (const conditions of ASKED) {
      const query: Query = { collections: ["place"], offset: 0, limit: 5, ...conditions };
      const [expected, found] = [await whole.search(query), await dataset.search(query)];
      expect([found.total, [...found.features()]], JSON.stringify(query)).toEqual([
        expected.total,
        [...expected.features()],
      ]);
    }
  },
);

test("without records and primary copy there is no replacement", async () => {
  const source = damage(/_records\/|\.parquet$/, flipLastByte);
  const dataset = open(source);
  for (const conditions of ASKED) {
    const query: Query = { collections: ["place"], offset: 0, limit: 5, ...conditions };
    await expect(dataset.search(query), JSON.stringify(query)).rejects.toThrow(FetchError);
  }
});
