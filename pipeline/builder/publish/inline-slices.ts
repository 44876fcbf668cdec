/**
 * Copies slices and records of small collections into the manifest, so that a first search needs fewer requests.
 * @module
 */
import { deflateRawSync } from "node:zlib";
import { joinBytes } from "../../../data/format/bytes.ts";
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
import { readDictionary } from "../../../data/format/records.ts";
import { MAX_TEXTS_BYTES, textsOfChunk } from "../../../data/format/texts.ts";

/** Maximum rows of a collection with slices in the manifest. */
const MOST_INLINE_ROWS = 5000;

/** Maximum bytes of all these slices and records, before base64: each visit reads the manifest. */
const MOST_INLINE_BYTES = 64 * 1024;

/**
 * Maximum of a collection with its records, as of about 1,100 shops. Then the first search takes one request and, in base64, at most
 * 60 KB. More bytes take longer than a second round trip on slow networks.
 */
const MOST_BYTES_WITH_RECORDS = 40_000;

/** Returns the bytes of a slice of the file at `path` in the dataset. */
export type ReadBytes = (path: string, slice: Slice) => Promise<Uint8Array>;

type Collections = Manifest["collections"];

/**
 * Returns whether the manifest may have slices of the collection: it has its own schema and at most 5,000 rows. Few
 * visits search each of Overture's collections.
 */
export function mayBeInline({ rows, schema }: Pick<ManifestCollection, "rows" | "schema">): boolean {
  return schema !== undefined && rows <= MOST_INLINE_ROWS;
}

/**
 * Returns the collections with copies of the slices and records that the first search in a circle needs, as far as they
 * fit.
 */
export async function inlineSlices(collections: Collections, read: ReadBytes): Promise<Collections> {
  const made: Collections = {};
  let left = MOST_INLINE_BYTES;
  for (const [name, collection] of Object.entries(collections)) {
    const found = mayBeInline(collection) ? await slicesOf(name, collection, read) : undefined;
    const bytes = found ? bytesOf(found.points) : Number.POSITIVE_INFINITY;
    if (!found || bytes > left) {
      made[name] = collection;
      continue;
    }
    const most = Math.min(left, MOST_BYTES_WITH_RECORDS) - bytes;
    const texts = await compressedTexts(found, read, most);
    // records in packs need it
    const dictionary = !texts && bytes + found.dictionary.slice.bytes <= left ? [found.dictionary] : [];
    left -= bytes + (texts?.length ?? bytesOf(dictionary));
    const inline: Record<string, string> = {};
    for (const { path, slice } of [...found.points, ...dictionary])
      inline[slice.sha256] = Buffer.from(await read(path, slice)).toString("base64");
    const { runs, ...described } = collection;
    // Reads end in any order. The manifest has the same bytes every time.
    const sorted = Object.fromEntries(Object.entries(inline).sort(([a], [b]) => (a < b ? -1 : 1)));
    made[name] = { ...described, inline: sorted, ...(texts && { texts: Buffer.from(texts).toString("base64") }), runs };
  }
  return made;
}

function bytesOf(slices: readonly FoundSlice[]): number {
  return slices.reduce((sum, { slice }) => sum + slice.bytes, 0);
}

/** Returns the texts of all records; undefined if they are too long, or the collection has a long geometry. */
async function compressedTexts(
  { dictionary, chunks }: FoundSlices,
  read: ReadBytes,
  most: number,
): Promise<Uint8Array | undefined> {
  const texts: Uint8Array[] = [];
  const common = readDictionary(await read(dictionary.path, dictionary.slice));
  for (const { path, slice } of chunks) {
    const own = await textsOfChunk(await read(path, slice), common);
    if (!own) return undefined;
    texts.push(own);
  }
  const all = joinBytes(texts);
  const made = all.length > MAX_TEXTS_BYTES ? undefined : deflateRawSync(all, { level: 9 });
  return made && made.length <= most ? made : undefined;
}

interface FoundSlice {
  readonly path: string;
  readonly slice: Slice;
}

interface FoundSlices {
  /** Points, and pages above points and records. */
  readonly points: readonly FoundSlice[];
  readonly dictionary: FoundSlice;
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
    points: [...points, ...pages],
    dictionary: found("dictionary", dictionary),
    chunks: chunks.map((node) => found("records", node)),
  };
}
