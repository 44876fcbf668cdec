import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { BLOCK_BYTES, sealBlock, sealLast } from "../../../data/format/blocks.ts";
import { joinBytes } from "../../../data/format/bytes.ts";
import type { IndexNode, Manifest, ManifestCollection, Slice } from "../../../data/format/manifest.ts";
import { packPath } from "../../../data/format/paths.ts";
import { writeGroup } from "../../../data/format/records.ts";
import { readTexts } from "../../../data/format/texts.ts";
import { inlineSlices } from "./inline-slices.ts";

const files = new Map<string, Uint8Array>();
const read = async (path: string, { offset, bytes }: Slice) =>
  files.get(path)?.subarray(offset, offset + bytes) ?? new Uint8Array();

function addSlice(kind: "points" | "records" | "dictionary" | "pages", name: string, bytes: Uint8Array): Slice {
  const sha256 = createHash("sha256").update(name).update(bytes).digest("hex");
  const slice = { sha256, bytes: bytes.length, pack: sha256.slice(0, 16), offset: 3 };
  files.set(packPath(name as "shops", kind, slice.pack), new Uint8Array([1, 2, 3, ...bytes]));
  return slice;
}

interface Sizes {
  readonly rows?: number;
  readonly points?: number;
  /** Bytes of the text of each of two records. */
  readonly text?: number;
  readonly isLong?: boolean;
  readonly isOvertures?: boolean;
  readonly hasPages?: boolean;
}

const DICTIONARY = new Uint8Array(deflateRawSync("{}"));
const textOf = (bytes: number, seed: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, index) => 35 + ((index * index * seed) % 89));
const deflate = (bytes: Uint8Array, dictionary?: Uint8Array) => deflateRawSync(bytes, { dictionary });

/** Two groups of one record. The text of the second one is random. */
async function chunkOf(text: number, isLong: boolean): Promise<Uint8Array> {
  const geometry = Uint8Array.of(isLong ? 2 : 0xe1, 0, 0, 0);
  const group = (seed: number) =>
    writeGroup([{ json: textOf(text, seed), geometry }], deflate, new TextEncoder().encode("{}"));
  const first = await sealBlock(group(1), 0);
  return joinBytes([first, await sealLast(group(7), first.length / BLOCK_BYTES)]);
}

async function collectionOf(name: string, { rows = 2, points = 500, text = 300, isLong = false, ...more }: Sizes = {}) {
  const common = { rows, bbox: [0, 0, 1, 1] as const, country: "IE" };
  const points_ = addSlice("points", name, new Uint8Array(points).fill(7));
  const chunk = { ...addSlice("records", name, await chunkOf(text, isLong)), ...common, chunk: 0, blocks: 1 };
  const leaf = { ...points_, ...common, pack: "gc/0123456789abcdef", geohash: "gc", points: points_, record: 0 };
  const dictionary = addSlice("dictionary", name, DICTIONARY);
  const pageOf = (node: object): object => {
    const page = addSlice("pages", name, new Uint8Array(deflateRawSync(JSON.stringify([node]))));
    return { ...page, rows, bbox: common.bbox, partitions: 1 };
  };
  const nodes = (node: object) => [more.hasPages ? pageOf(node) : node] as unknown as IndexNode[];
  const collection = {
    rows,
    dictionary,
    ...(more.isOvertures ? {} : { schema: { columns: [] } }),
    runs: { location: { nodes: nodes(leaf) }, records: { nodes: nodes(chunk) } },
  } as unknown as ManifestCollection;
  return { collection, points: points_, chunk, dictionary };
}

const inlined = async (collections: Record<string, ManifestCollection>) =>
  inlineSlices(collections as Manifest["collections"], read);

const keys = (collection: ManifestCollection | undefined) => Object.keys(collection?.inline ?? {}).sort();

test("a small collection has its points as in the packs, and the texts of its records", async () => {
  const { collection, points } = await collectionOf("shops");
  const { shops } = await inlined({ shops: collection });
  expect(keys(shops)).toEqual([points.sha256]);
  expect(Buffer.from(shops?.inline?.[points.sha256] ?? "", "base64")).toEqual(Buffer.alloc(500, 7));
  expect(await readTexts(shops?.texts ?? "", 2)).toEqual([textOf(300, 1), textOf(300, 7)]);
  expect(Object.keys(shops ?? {}).at(-1)).toBe("runs");
});

test("pages above them are there too", async () => {
  const { shops } = await inlined({ shops: (await collectionOf("shops", { hasPages: true })).collection });
  expect(keys(shops)).toHaveLength(3);
});

test.each<[string, Sizes]>([
  ["longer texts", { points: 39_990 }],
  ["more than 1 MiB of texts", { text: 600_000 }],
  ["a long geometry", { isLong: true }],
])("%s: the manifest has points and dictionary, the records stay in their packs", async (_, sizes) => {
  const { collection, points, dictionary } = await collectionOf("shops", sizes);
  const { shops } = await inlined({ shops: collection });
  expect(keys(shops)).toEqual([points.sha256, dictionary.sha256].sort());
  expect(shops).not.toHaveProperty("texts");
});

test.each<[string, Sizes]>([
  ["more than 5,000 rows", { rows: 5001 }],
  ["longer points", { points: 64 * 1024 + 1 }],
  ["a type of Overture", { isOvertures: true }],
])("%s: nothing is in the manifest", async (_, sizes) => {
  const { shops } = await inlined({ shops: (await collectionOf("shops", sizes)).collection });
  expect(shops).not.toHaveProperty("inline");
  expect(shops).not.toHaveProperty("texts");
});

test("several collections share the limit", async () => {
  const names = ["bars", "cafes", "shops"];
  const inlineTexts = (await inlined({ shops: (await collectionOf("shops")).collection })).shops?.texts;
  // Two collections leave room for one and a half times the texts.
  const bytes = Buffer.from(inlineTexts ?? "", "base64").length;
  const points = Math.floor((64 * 1024 - 1.5 * bytes) / 2);
  const entries = names.map(async (name) => [name, (await collectionOf(name, { points })).collection] as const);
  const made = await inlined(Object.fromEntries(await Promise.all(entries)));
  const all = names.map((name) => made[name as "bars"]);
  // Points and texts; points and dictionary; nothing.
  expect(all.map((one) => [keys(one).length, one?.texts !== undefined])).toEqual([
    [1, true],
    [2, false],
    [0, false],
  ]);
});
