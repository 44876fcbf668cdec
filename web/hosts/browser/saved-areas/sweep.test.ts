import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { isPage, type Manifest, type PageNode } from "../../../../data/format/manifest.ts";
import { packPath } from "../../../../data/format/paths.ts";
import { makeRelease } from "../testing/made-up-release.ts";
import { sweep } from "./release-keeper.ts";
import { memoryDevice } from "./testing/memory.ts";

const { manifest } = await makeRelease({ release: "one" });
const isNode = (node: { readonly sha256: string }): node is PageNode => "partitions" in node;

/** Pages that each name all pages of the next level, so that the number of paths grows exponentially. */
function cyclic(width: number, depth: number): { readonly roots: PageNode[]; readonly kept: Map<string, Uint8Array> } {
  const kept = new Map<string, Uint8Array>();
  let below: PageNode[] = [];
  for (let level = 0; level < depth; level++) {
    below = Array.from({ length: width }, (_, index) => {
      const nodes = below.map((node) => ({ ...node, rows: index }));
      const bytes = new Uint8Array(deflateRawSync(JSON.stringify(nodes)));
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const pack = sha256.slice(0, 16);
      kept.set(`${packPath("place", "pages", pack)}?0-${bytes.length}-${sha256}`, bytes);
      return { sha256, bytes: bytes.length, pack, offset: 0, rows: level, bbox: [0, 0, 1, 1] as const, partitions: 1 };
    }) as unknown as PageNode[];
  }
  return { roots: below, kept };
}

const withLocation = (nodes: PageNode[]): Manifest => {
  const place = manifest.collections.place;
  if (!place) throw new Error("no places");
  const none = { partitions: 0, bytes: 0, nodes: [] };
  const runs = { location: { partitions: 1, bytes: 0, nodes }, records: none, ids: none };
  return { ...manifest, collections: { place: { ...place, runs } } };
};

test("ends where pages name each other's children, and removes what no page names", async () => {
  const { roots, kept } = cyclic(3, 12);
  expect(roots.every((node) => isNode(node) && isPage(node))).toBe(true);
  const { context, kept: files } = memoryDevice(new Map());
  for (const [name, bytes] of kept) files.set(name, bytes);
  const other = "place/_find/0123456789abcdef.pack?0-9";
  files.set(other, new Uint8Array(9));
  const gone = await sweep(withLocation(roots), { files: context.files, areas: context.store, locks: context.locks });
  expect(gone).toEqual([other]);
  expect(files.has(other)).toBe(false);
});

test("removes files that earlier versions of the program stored under names no longer used", async () => {
  const { context, kept: files } = memoryDevice(new Map());
  const old = ["place/_id/country=AA/0123456789abcdef.parquet", "place/_pages/0123456789abcdef.json"];
  for (const name of old) files.set(name, new Uint8Array(1));
  const gone = await sweep(withLocation([]), { files: context.files, areas: context.store, locks: context.locks });
  expect(gone).toEqual(old);
});
