import type { Manifest } from "../../../../data/format/manifest.ts";
import type { SliceEntry } from "../../../engine/index.ts";
import type { Area } from "../protocol/index.ts";
import type { FileCache } from "./cache-files.ts";
import { type CachedNames, createCachedNames, type Wanted } from "./cached-names.ts";

export interface AreaFiles {
  readonly manifest: Manifest;
  readonly files: readonly SliceEntry[];
}

/** The slices of an area: `saved` can be searched, `next` are being fetched. */
export type Part = "saved" | "next";

/** The areas of one dataset. Each method rejects when the store cannot be read or changed. */
export interface AreaStore {
  areas(): Promise<readonly Area[]>;
  area(id: string): Promise<Area | undefined>;
  files(id: string, part: Part): Promise<AreaFiles | undefined>;
  /** Writes the area and the given parts in one transaction. A part that is null is removed. */
  write(area: Area, parts?: Readonly<Partial<Record<Part, AreaFiles | null>>>): Promise<void>;
  remove(id: string): Promise<void>;
}

const PARTS: readonly Part[] = ["saved", "next"];

/** Returns what to look for in the cache for a slice. */
export function wantedOf({ path, offset, bytes, sha256 }: SliceEntry): Wanted {
  return { path, start: offset, end: offset + bytes, sha256 };
}

/** Returns the slices that no cached file contains. `names` are the names of all cached files. */
export function missingOf(entries: readonly SliceEntry[], names: readonly string[]): readonly SliceEntry[] {
  const kept = createCachedNames(names);
  return entries.filter((entry) => kept.holdersOf(wantedOf(entry)).length === 0);
}

/**
 * Returns the names of cached files that saved areas need, one per slice of `saved` and `next`. `list` returns the names of all
 * cached files.
 */
export async function pinnedNames(
  store: AreaStore,
  list: () => Promise<readonly string[]>,
): Promise<ReadonlySet<string>> {
  const entries: SliceEntry[] = [];
  for (const { id } of await store.areas()) {
    for (const part of PARTS) entries.push(...((await store.files(id, part))?.files ?? []));
  }
  if (entries.length === 0) return new Set();
  const kept = createCachedNames(await list());
  return new Set(entries.flatMap((entry) => holderOf(entry, kept) ?? []));
}

/**
 * Returns the cached file to keep for a slice: that of its own path, otherwise one with the same bytes, otherwise a larger one.
 */
function holderOf(entry: SliceEntry, kept: CachedNames): string | undefined {
  const names = kept.holdersOf(wantedOf(entry)).map(({ name }) => name);
  const own = names.find((name) => name.startsWith(`${entry.path}?`) && name.endsWith(entry.sha256));
  return own ?? names[0];
}

interface RemoveOptions {
  readonly store: AreaStore;
  readonly files: Pick<FileCache, "names" | "remove">;
}

/**
 * Deletes those of the files that no area needs. Returns their names. Throws if the areas cannot be read. Call it inside `alone`.
 */
export async function removeUnpinned(
  names: Iterable<string>,
  { store, files }: RemoveOptions,
): Promise<readonly string[]> {
  const pinned = await pinnedNames(store, files.names);
  const leaving = [...names].filter((name) => !pinned.has(name));
  for (const name of leaving) await files.remove(name);
  return leaving;
}

/**
 * Deletes the cached files of those of the slices that no area needs. Throws if the areas cannot be read. Call it inside `alone`.
 */
export async function removeSlices(entries: readonly SliceEntry[], options: RemoveOptions): Promise<void> {
  if (entries.length === 0) return;
  const kept = createCachedNames(await options.files.names());
  const own = entries.flatMap((entry) => kept.holdersOf(wantedOf(entry)).map(({ name }) => name));
  await removeUnpinned(new Set(own), options);
}

/** Returns the manifests of areas that are saved completely, the last saved first. */
export async function savedManifests(store: AreaStore): Promise<readonly Manifest[]> {
  const saved = (await store.areas()).flatMap(({ id, saved }) => (saved ? [{ id, savedAtMs: saved.savedAtMs }] : []));
  const manifests: Manifest[] = [];
  for (const { id } of saved.sort((a, b) => b.savedAtMs - a.savedAtMs)) {
    const files = await store.files(id, "saved");
    if (files) manifests.push(files.manifest);
  }
  return manifests;
}
