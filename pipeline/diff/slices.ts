/** All slices that a collection's index names. @module */
import type { CollectionName } from "../../data/format/collections.ts";
import {
  type AnyRunName,
  isPage,
  type ManifestCollection,
  type ManifestRun,
  type Slice,
} from "../../data/format/manifest.ts";
import { locationPackPath, type PackKind, packPath } from "../../data/format/paths.ts";
import { walkIndex } from "../../data/format/walk-index.ts";
import { pageReader } from "../index/index.ts";

export type SliceKind = AnyRunName | PackKind;

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
  const held = (kind: SliceKind, path: string, { sha256, bytes }: Slice, rows = 0): HeldSlice => ({
    kind,
    path,
    sha256,
    bytes,
    rows,
  });
  const inPack = (kind: PackKind, slice: Slice, rows = 0): HeldSlice =>
    held(kind, packPath(name, kind, slice.pack), slice, rows);
  for (const [run, { nodes }] of Object.entries(runs) as [AnyRunName, ManifestRun][]) {
    for await (const node of walkIndex(nodes, (page) => readPage(name, page))) {
      if (isPage(node)) yield inPack("pages", node);
      else if ("points" in node) {
        yield held("location", locationPackPath(name, node), node, node.rows);
        yield inPack("points", node.points);
      } else if (run !== "location") yield inPack(run, node, node.rows);
    }
  }
  yield inPack("dictionary", dictionary);
}
