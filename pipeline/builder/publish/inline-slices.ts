/** Copies slices of small collections into the manifest. @module */
import type { CollectionName } from "../../../data/format/collections.ts";
import {
  type ChunkNode,
  type IndexNode,
  isPage,
  type LocationNode,
  type Manifest,
  type ManifestCollection,
  type Slice,
} from "../../../data/format/manifest.ts";
import { readPage } from "../../../data/format/manifest-schema.ts";
import { type PackKind, packPath } from "../../../data/format/paths.ts";

/** Maximum rows of a collection with slices in the manifest. */
const MOST_INLINE_ROWS = 5000;

/** Maximum bytes of all these slices: each visit reads the manifest. Points of 5,000 rows have about 50 KB. */
const MOST_INLINE_BYTES = 64 * 1024;

/** Maximum of a collection with its records, those of about 650 rows. Then the first search takes one request and, in base64, at most 60 KB. */
const MOST_BYTES_WITH_RECORDS = 40_000;

/** Reads bytes of a file of the dataset. */
export type ReadBytes = (path: string, slice: Slice) => Promise<Uint8Array>;

type Collections = Manifest["collections"];

/**
 * Returns true if the manifest may have slices of the collection. Overture's collections are searched by few visits
 * each.
 */
export function mayBeInline({ rows, schema }: Pick<ManifestCollection, "rows" | "schema">): boolean {
  return schema !== undefined && rows <= MOST_INLINE_ROWS;
}

/** Returns the collections with the slices that the first search in a circle needs, as far as they fit. */
export async function inlineSlices(collections: Collections, read: ReadBytes): Promise<Collections> {
  const made: Collections = {};
  let left = MOST_INLINE_BYTES;
  for (const [name, collection] of Object.entries(collections)) {
    const inline: Record<string, string> = {};
    const before = left;
    const add = async (slices: readonly FoundSlice[], most: number): Promise<void> => {
      const bytes = slices.reduce((sum, { slice }) => sum + slice.bytes, 0);
      if (bytes > Math.min(most, left)) return;
      left -= bytes;
      for (const { path, slice } of slices)
        inline[slice.sha256] = Buffer.from(await read(path, slice)).toString("base64");
    };
    if (mayBeInline(collection)) {
      const { points, chunks } = await slicesOf(name, collection, read);
      await add(points, left);
      if (Object.keys(inline).length > 0) await add(chunks, MOST_BYTES_WITH_RECORDS - (before - left));
    }
    const { runs, ...described } = collection;
    // Reads end in any order. The manifest has the same bytes every time.
    const sorted = Object.fromEntries(Object.entries(inline).sort(([a], [b]) => (a < b ? -1 : 1)));
    made[name] = Object.keys(sorted).length > 0 ? { ...described, inline: sorted, runs } : collection;
  }
  return made;
}

interface FoundSlice {
  readonly path: string;
  readonly slice: Slice;
}

interface FoundSlices {
  /** Points, dictionary, and pages above points and records. */
  readonly points: readonly FoundSlice[];
  readonly chunks: readonly FoundSlice[];
}

async function slicesOf(
  name: CollectionName,
  { dictionary, runs }: ManifestCollection,
  read: ReadBytes,
): Promise<FoundSlices> {
  const found = (kind: PackKind, slice: Slice): FoundSlice => ({ path: packPath(name, kind, slice.pack), slice });
  const pages: FoundSlice[] = [];
  const below = async (nodes: readonly IndexNode[]): Promise<IndexNode[]> => {
    const leaves = nodes.map(async (node) => {
      if (!isPage(node)) return [node];
      const page = found("pages", node);
      pages.push(page);
      return below(readPage(await read(page.path, node)).nodes);
    });
    return (await Promise.all(leaves)).flat();
  };
  const slices = (await below(runs.location.nodes)) as LocationNode[];
  const chunks = (await below(runs.records.nodes)) as ChunkNode[];
  const points = slices.map((node) => found("points", node.points));
  return {
    points: [found("dictionary", dictionary), ...points, ...pages],
    chunks: chunks.map((node) => found("records", node)),
  };
}
