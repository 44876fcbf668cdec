/**
 * Removes kept files that the present release surely does not have.
 * @module
 */
import type { CollectionName } from "../../../../data/format/collections.ts";
import { type AnyRunName, type IndexNode, isPage, type Manifest, parsePage } from "../../../../data/format/manifest.ts";
import { MANIFEST_PATH, pagePath, partitionPath, shapePath } from "../../../../data/format/paths.ts";
import { type KeptDataset, removeUnpinned } from "../storage/index.ts";

type SweptDataset = Pick<KeptDataset, "files" | "areas" | "locks">;

/**
 * Removes them, but for those of areas. Index pages that are not here are not asked for: of a run whose index is known in
 * part alone, nothing is removed; it leaves when it was used the least.
 */
export async function sweep(manifest: Manifest, kept: SweptDataset): Promise<readonly string[]> {
  const { files, areas, locks } = kept;
  const present = new Set<string>([MANIFEST_PATH]);
  /** Folders of which the index is not wholly known. */
  const unsure = new Set<string>();

  async function visit(collection: CollectionName, run: AnyRunName, nodes: readonly IndexNode[]): Promise<void> {
    for (const node of nodes) {
      if (!isPage(node)) {
        present.add(partitionPath(collection, run, node));
        if (node.shape) present.add(shapePath(collection, node.country, node.shape.sha256));
        continue;
      }
      const path = pagePath(collection, node.sha256);
      // pages that name each other's children would be a walk without an end
      if (present.has(path)) continue;
      present.add(path);
      const bytes = await files.read(path);
      const children = bytes && readNodes(bytes);
      if (children) await visit(collection, run, children);
      else {
        const below = partitionPath(collection, run, { country: "", sha256: "" });
        for (const each of [below, path, shapePath(collection, "", "")]) unsure.add(folderOf(each));
      }
    }
  }
  for (const [name, { runs }] of Object.entries(manifest.collections)) {
    for (const [run, entry] of Object.entries(runs)) {
      await visit(name as CollectionName, run as AnyRunName, entry?.nodes ?? []);
    }
  }

  const gone = (await files.paths()).filter((path) => !present.has(path) && !unsure.has(folderOf(path)));
  return gone.length === 0 ? gone : locks.alone(() => removeUnpinned(gone, { store: areas, files }));
}

/** Collection and run of a path. */
function folderOf(path: string): string {
  const [collection = "", folder = ""] = path.split("/");
  return `${collection}/${folder.startsWith("_") ? folder : "location"}`;
}

function readNodes(bytes: Uint8Array): readonly IndexNode[] | undefined {
  try {
    return parsePage(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}
