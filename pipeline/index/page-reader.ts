import { open } from "node:fs/promises";
import { join } from "node:path";
import type { CollectionName } from "../../data/format/collections.ts";
import { type IndexNode, type PageNode, readPage } from "../../data/format/manifest.ts";
import { packPath } from "../../data/format/paths.ts";

export type ReadPage = (collection: CollectionName, page: PageNode) => Promise<readonly IndexNode[]>;

/** Reads index pages from their packs below the folder. */
export function pageReader(folder: string): ReadPage {
  return async (collection, { pack, offset, bytes }) => {
    const path = join(folder, packPath(collection, "pages", pack));
    const file = await open(path, "r");
    try {
      const slice = new Uint8Array(bytes);
      const { bytesRead } = await file.read(slice, 0, bytes, offset);
      if (bytesRead !== bytes) throw new Error(`${path} ends at ${offset + bytesRead}, expected ${offset + bytes}`);
      return readPage(slice).nodes;
    } finally {
      await file.close();
    }
  };
}
