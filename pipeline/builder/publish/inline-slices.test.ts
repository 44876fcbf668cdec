import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import type { IndexNode, Manifest, ManifestCollection, Slice } from "../../../data/format/manifest.ts";
import { packPath } from "../../../data/format/paths.ts";
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
  readonly records?: number;
  readonly isOvertures?: boolean;
  readonly hasPages?: boolean;
}

function collectionOf(name: string, { rows = 40, points = 500, records = 3000, ...more }: Sizes = {}) {
  const common = { rows, bbox: [0, 0, 1, 1] as const, country: "IE" };
  const points_ = addSlice("points", name, new Uint8Array(points).fill(7));
  const chunk = { ...addSlice("records", name, new Uint8Array(records).fill(8)), ...common, chunk: 0, blocks: 1 };
  const leaf = { ...points_, ...common, pack: "gc/0123456789abcdef", geohash: "gc", points: points_, record: 0 };
  const dictionary = addSlice("dictionary", name, Uint8Array.of(1, 2, 3));
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

test("a small collection has its points, dictionary and records in the manifest, as they are in the packs", async () => {
  const { collection, points, chunk, dictionary } = collectionOf("shops");
  const { shops } = await inlined({ shops: collection });
  expect(Object.keys(shops?.inline ?? {}).sort()).toEqual([points, chunk, dictionary].map((one) => one.sha256).sort());
  expect(Buffer.from(shops?.inline?.[points.sha256] ?? "", "base64")).toEqual(Buffer.alloc(500, 7));
  expect(Object.keys(shops ?? {}).at(-1)).toBe("runs");
});

test("pages above them are there too", async () => {
  const { shops } = await inlined({ shops: collectionOf("shops", { hasPages: true }).collection });
  expect(Object.keys(shops?.inline ?? {})).toHaveLength(5);
});

test("longer records stay in their packs", async () => {
  const { collection, points, dictionary } = collectionOf("shops", { records: 40_000 - 502 });
  const { shops } = await inlined({ shops: collection });
  expect(Object.keys(shops?.inline ?? {}).sort()).toEqual([points, dictionary].map((one) => one.sha256).sort());
});

test.each<[string, Sizes]>([
  ["more than 5,000 rows", { rows: 5001 }],
  ["longer points", { points: 64 * 1024 }],
  ["a type of Overture", { isOvertures: true }],
])("%s: nothing is in the manifest", async (_, sizes) => {
  const { shops } = await inlined({ shops: collectionOf("shops", sizes).collection });
  expect(shops).not.toHaveProperty("inline");
});

test("several collections share the limit", async () => {
  const sizes = { points: 20 * 1024, records: 18 * 1024 };
  const names = ["bars", "cafes", "shops"];
  const made = await inlined(Object.fromEntries(names.map((name) => [name, collectionOf(name, sizes).collection])));
  // Points and records; points without records; nothing.
  expect(names.map((name) => Object.keys(made[name as "bars"]?.inline ?? {}).length)).toEqual([3, 2, 0]);
});
