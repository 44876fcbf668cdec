/** All slices that a collection's index names. @module */
import type { CollectionName } from "../../data/format/collections.ts";
import {
  type AnyRunName,
  isPage,
  type ManifestCollection,
  type ManifestRun,
  type Slice,
} from "../../data/format/manifest.ts";
import { packPath, type SliceKind, slicesOfNode } from "../../data/format/paths.ts";
import { walkIndex } from "../../data/format/walk-index.ts";
import { pageReader } from "../index/index.ts";

export interface HeldSlice extends Pick<Slice, "sha256" | "bytes"> {
  readonly kind: SliceKind;
  readonly path: string;
  /** Of pages, points and dictionaries none. */
  readonly rows: number;
}

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
