/**
 * Reads the manifest and the index of a dataset on disk, and lists its slices.
 * @module
 */
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CollectionName } from "../../../data/format/collections.ts";
import {
  type AnyRunName,
  type IndexNode,
  isPage,
  type Manifest,
  type ManifestCollection,
  type ManifestRun,
  type PageNode,
  type Slice,
} from "../../../data/format/manifest.ts";
import { readManifestFile } from "../../../data/format/manifest-file.ts";
import { readPage } from "../../../data/format/manifest-schema.ts";
import { MANIFEST_PATH, packPath, type SliceKind, slicesOfNode } from "../../../data/format/paths.ts";
import { walkIndex } from "../../../data/format/walk-index.ts";
import { CodedError } from "../../base/errors/index.ts";

/** Returns the nodes of a page of the index. */
export type ReadPage = (collection: CollectionName, page: PageNode) => Promise<readonly IndexNode[]>;

/**
 * Returns a function that reads an index page from its pack in the folder. It throws if the pack is missing or too
 * short, or if the page is not valid. It does not compare the hash.
 */
export function pageReader(folder: string): ReadPage {
  return async (collection, { pack, offset, bytes }) => {
    const path = join(folder, packPath(collection, "pages", pack));
    const file = await open(path, "r");
    try {
      const slice = new Uint8Array(bytes);
      const { bytesRead } = await file.read(slice, 0, bytes, offset);
      if (bytesRead !== bytes)
        throw new CodedError("CAIRN_E_DATA", `${path} ends at ${offset + bytesRead}, expected ${offset + bytes}`);
      return readPage(slice).nodes;
    } finally {
      await file.close();
    }
  };
}

/** A slice that the index of a dataset names. */
export interface HeldSlice extends Pick<Slice, "sha256" | "bytes"> {
  readonly kind: SliceKind;
  /** Path of its pack in the dataset's folder. */
  readonly path: string;
  /** 0 for pages, points and dictionaries. */
  readonly rows: number;
}

/**
 * Yields the slices of a collection: those of all runs with their pages and points, and the dictionary. Throws if a
 * page cannot be read.
 */
export async function* slicesOf(
  dataset: string,
  name: CollectionName,
  { runs, dictionary }: ManifestCollection,
): AsyncGenerator<HeldSlice> {
  const readPage = pageReader(dataset);
  for (const [run, { nodes }] of Object.entries(runs) as [AnyRunName, ManifestRun][]) {
    for await (const node of walkIndex(nodes, (page) => readPage(name, page))) {
      for (const { kind, path, slice } of slicesOfNode(name, run, node)) {
        const { sha256, bytes } = slice;
        yield { kind, path, sha256, bytes, rows: slice === node && !isPage(node) ? node.rows : 0 };
      }
    }
  }
  const { sha256, bytes, pack } = dictionary;
  yield { kind: "dictionary", path: packPath(name, "dictionary", pack), sha256, bytes, rows: 0 };
}

/** Returns the paths of all packs that a manifest and its pages name. */
export async function packsNamed(dataset: string, { collections }: Manifest): Promise<Set<string>> {
  const paths = new Set<string>();
  for (const [name, collection] of Object.entries(collections)) {
    for await (const { path } of slicesOf(dataset, name, collection)) paths.add(path);
  }
  return paths;
}

/**
 * Returns the manifest in a dataset's folder at `path`, by default that of the current release. Throws if it is missing
 * or not valid.
 */
export async function readManifest(folder: string, path: string = MANIFEST_PATH): Promise<Manifest> {
  const bytes = await readFile(join(folder, path)).catch((cause) => {
    const what = path === MANIFEST_PATH ? "is not a dataset: it" : "is not whole: it";
    throw new CodedError("CAIRN_E_DATA", `${folder} ${what} has no ${path}`, { cause });
  });
  return readManifestFile(bytes, join(folder, path));
}
