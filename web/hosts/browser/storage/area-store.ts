/**
 * What is written down of saved areas. Their files lie in the cache; here is which they are, and of which release.
 * @module
 */
import type { Manifest } from "../../../../data/format/manifest.ts";
import type { FileEntry } from "../../../engine/index.ts";
import type { Area } from "../protocol/index.ts";
import type { FileCache } from "./cache-files.ts";

/** Files of one release that an area holds, or is about to. */
export interface AreaFiles {
  readonly manifest: Manifest;
  readonly files: readonly FileEntry[];
}

/** `saved`: what searches can use. `next`: what is being fetched. */
export type Part = "saved" | "next";

/** Areas of one dataset. Each call throws when what is written down cannot be read or changed. */
export interface AreaStore {
  /** The oldest first. */
  areas(): Promise<readonly Area[]>;
  area(id: string): Promise<Area | undefined>;
  files(id: string, part: Part): Promise<AreaFiles | undefined>;
  /** Writes the area and the parts named, all or nothing; null removes a part. */
  write(area: Area, parts?: Readonly<Partial<Record<Part, AreaFiles | null>>>): Promise<void>;
  remove(id: string): Promise<void>;
}

const PARTS: readonly Part[] = ["saved", "next"];

/** Paths of all files that saved areas have or are getting. */
export async function pinnedPaths(store: AreaStore): Promise<Set<string>> {
  const paths = new Set<string>();
  for (const { id } of await store.areas()) {
    for (const part of PARTS) {
      for (const { path } of (await store.files(id, part))?.files ?? []) paths.add(path);
    }
  }
  return paths;
}

/** Removes those of the files that no area needs: none while that cannot be read. To be called alone. */
export async function removeUnpinned(
  paths: Iterable<string>,
  { store, files }: { readonly store: AreaStore; readonly files: Pick<FileCache, "remove"> },
): Promise<readonly string[]> {
  const pinned = await pinnedPaths(store);
  const leaving = [...paths].filter((path) => !pinned.has(path));
  for (const path of leaving) await files.remove(path);
  return leaving;
}

/** Manifests of the releases that saved areas have whole, the one saved last first. */
export async function savedManifests(store: AreaStore): Promise<readonly Manifest[]> {
  const saved = (await store.areas()).flatMap(({ id, saved }) => (saved ? [{ id, savedAtMs: saved.savedAtMs }] : []));
  const manifests: Manifest[] = [];
  for (const { id } of saved.sort((a, b) => b.savedAtMs - a.savedAtMs)) {
    const files = await store.files(id, "saved");
    if (files) manifests.push(files.manifest);
  }
  return manifests;
}
