import type { CollectionName } from "../../../../data/format/collections.ts";
import {
  type AnyRunName,
  type IndexNode,
  isPage,
  type Manifest,
  type Slice,
} from "../../../../data/format/manifest.ts";
import { readManifestFile } from "../../../../data/format/manifest-file.ts";
import { readPage } from "../../../../data/format/manifest-schema.ts";
import { MANIFEST_PATH, packPath, slicesOfNode } from "../../../../data/format/paths.ts";
import { cachedSlices, type DatasetStorage, parseCacheName, removeUnpinned, wantedOf } from "../storage/index.ts";

export type ReleaseKeeper = ReturnType<typeof createReleaseKeeper>;

/**
 * Returns functions that hold a release in use, and delete cached files of older releases. They do nothing in browsers without
 * locks, which rely on eviction.
 */
export function createReleaseKeeper(folder: URL, kept: DatasetStorage) {
  const prefix = `cairn-release ${folder.href} `;
  let held: { readonly name: string; readonly release: () => void } | undefined;

  async function use(manifest: Manifest): Promise<void> {
    const name = prefix + manifest.sha256;
    if (!navigator.locks || held?.name === name) return;
    held?.release();
    const end = new Promise<void>((release) => {
      held = { name, release };
    });
    await new Promise<void>((taken) => {
      void navigator.locks.request(name, { mode: "shared" }, () => {
        taken();
        return end;
      });
    });
  }

  return {
    use,
    /** Removes files that the release does not have, unless an area needs them or another tab uses another release. */
    async tidy(manifest: Manifest): Promise<void> {
      if (!navigator.locks) return;
      await use(manifest);
      const { held: all = [] } = await navigator.locks.query();
      if (all.some(({ name = "" }) => name.startsWith(prefix) && name !== held?.name)) return;
      // the manifest of a saved area, opened without a network, does not describe the host
      const seen = await kept.files.read(MANIFEST_PATH);
      const described = seen && (await readManifestFile(seen.bytes).catch(() => undefined));
      if (described?.sha256 !== manifest.sha256) return;
      await sweep(manifest, kept);
    },
  };
}

type SweptDataset = Pick<DatasetStorage, "files" | "areas" | "locks">;

/**
 * Deletes cached files that neither areas nor the release need. Returns their names. Keeps all files of a collection whose index
 * is not stored completely.
 */
export async function sweep(manifest: Manifest, kept: SweptDataset): Promise<readonly string[]> {
  const { files, areas, locks } = kept;
  const names = await files.names();
  const slices = cachedSlices(files, { names });
  const paths = new Set<string>([MANIFEST_PATH]);
  const hashes = new Set<string>();
  const unsure = new Set<string>();

  function add(path: string, { sha256 }: Pick<Slice, "sha256">): void {
    paths.add(path);
    hashes.add(sha256);
  }

  async function visit(collection: CollectionName, run: AnyRunName, nodes: readonly IndexNode[]): Promise<void> {
    for (const node of nodes) {
      if (!isPage(node)) {
        for (const { path, slice } of slicesOfNode(collection, run, node)) add(path, slice);
        continue;
      }
      const path = packPath(collection, "pages", node.pack);
      // avoids an endless loop over pages that name each other's children
      if (hashes.has(node.sha256)) continue;
      add(path, node);
      const found = await slices.find(wantedOf({ ...node, path }));
      const children = found && readNodes(found.bytes);
      if (children) await visit(collection, run, children);
      else for (const folder of foldersOf(collection, run)) unsure.add(folder);
    }
  }
  for (const [name, { runs, dictionary }] of Object.entries(manifest.collections)) {
    const collection = name as CollectionName;
    add(packPath(collection, "dictionary", dictionary.pack), dictionary);
    for (const [run, entry] of Object.entries(runs)) await visit(collection, run as AnyRunName, entry?.nodes ?? []);
  }

  const gone = names.filter((name) => {
    const { path, sha256 } = parseCacheName(name) ?? { path: name };
    const isPresent = paths.has(path) || (sha256 !== undefined && hashes.has(sha256));
    return !isPresent && !unsure.has(folderOf(path));
  });
  return gone.length === 0 ? gone : locks.alone(() => removeUnpinned(gone, { store: areas, files }));
}

function foldersOf(collection: CollectionName, run: AnyRunName): readonly string[] {
  const pages = `${collection}/_pages`;
  if (run === "location") return [pages, `${collection}/location`, `${collection}/_points`];
  return [pages, `${collection}/_${run}`];
}

function folderOf(path: string): string {
  const [collection = "", folder = ""] = path.split("/");
  return `${collection}/${folder.startsWith("_") ? folder : "location"}`;
}

function readNodes(bytes: Uint8Array): readonly IndexNode[] | undefined {
  try {
    return readPage(bytes).nodes;
  } catch {
    return undefined;
  }
}
