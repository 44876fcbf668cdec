/** Packs of the primary copy that one release has and the other has not. @module */
import { join } from "node:path";
import type { CollectionName } from "../../data/format/collections.ts";
import { isPage } from "../../data/format/manifest.ts";
import { locationPackPath } from "../../data/format/paths.ts";
import { walkIndex } from "../../data/format/walk-index.ts";
import { pageReader } from "../index/index.ts";
import type { OpenRelease } from "./open-release.ts";

export interface ChangedPacks {
  /** Paths of files. */
  readonly older: readonly string[];
  readonly newer: readonly string[];
}

/** A pack that both have holds the same rows in both, and an id stands once in a release: its rows did not change. */
export async function changedPacks(
  older: OpenRelease,
  newer: OpenRelease,
  name: CollectionName,
): Promise<ChangedPacks> {
  const [before, after] = [await packsOf(older, name), await packsOf(newer, name)];
  const only = (packs: ReadonlySet<string>, others: ReadonlySet<string>, { folder }: OpenRelease) =>
    [...packs].filter((path) => !others.has(path)).map((path) => join(folder, path));
  return { older: only(before, after, older), newer: only(after, before, newer) };
}

async function packsOf({ folder, manifest }: OpenRelease, name: CollectionName): Promise<Set<string>> {
  const paths = new Set<string>();
  const readPage = pageReader(folder);
  const nodes = manifest.collections[name]?.runs.location.nodes ?? [];
  for await (const node of walkIndex(nodes, (page) => readPage(name, page))) {
    if (!isPage(node) && "points" in node) paths.add(locationPackPath(name, node));
  }
  return paths;
}
