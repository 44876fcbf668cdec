/**
 * Saves an area, or brings it to the present release: decides which files it needs, then fetches those that are not here.
 * What is written down lets it go on after any interruption.
 * @module
 */

import { FetchError } from "../../../engine/errors.ts";
import type { ByteSource } from "../../../engine/ports.ts";
import { type AreaSelection, listAreaFiles } from "../../../engine/release/area-files.ts";
import { type FileEntry, type IndexPage, readFile } from "../../../engine/release/files.ts";
import { readIndex } from "../../../engine/release/index-tree.ts";
import { createMemo } from "../../../engine/release/memo.ts";
import type { FileCache } from "../cache/cache-files.ts";
import { isWhole } from "../cache/cache-source.ts";
import { type Area, type AreaFiles, type AreaStore, pinnedPaths } from "./area-store.ts";

export interface SaveProgress {
  readonly files: number;
  readonly totalFiles: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

/** How a saving ended. `offline` and `full` go on where they stopped when they are begun again. */
export type SaveResult =
  | { readonly kind: "saved" }
  | { readonly kind: "offline" }
  | { readonly kind: "full"; readonly neededBytes: number; readonly freeBytes: number }
  /** The host no longer has a file of the release that was being saved: begun again, the saving takes the present one. */
  | { readonly kind: "gone" }
  /** Another tab is at it. */
  | { readonly kind: "elsewhere" };

export interface SaveContext {
  readonly store: AreaStore;
  readonly files: FileCache;
  /** The dataset through the cache. */
  readonly source: ByteSource;
  /** The network, past the cache. */
  readonly network: ByteSource;
  /** Removes what was seen and belongs to no area. */
  readonly makeRoom: () => Promise<void>;
  /** What the browser would still take, as far as it tells. */
  readonly freeBytes: () => Promise<number>;
  readonly nowMs?: () => number;
}

/** As many as a browser asks one host for at a time. */
const MOST_AT_ONCE = 6;

/** Carries on with the area of this id until it is whole. Throws `AbortError` when aborted, and what it cannot judge. */
export async function saveArea(
  id: string,
  context: SaveContext,
  { signal, onProgress = () => {} }: { signal?: AbortSignal; onProgress?: (progress: SaveProgress) => void } = {},
): Promise<SaveResult> {
  const { store, nowMs = Date.now } = context;
  const area = await store.area(id);
  if (!area) throw new Error(`there is no area ${id}`);
  try {
    let next = await store.files(id, "next");
    if (!next) {
      next = await planFiles(area.selection, context.source, signal);
      await store.write({ ...area, isUnfinished: true }, { next });
    }
    const result = await fetchAll(next.files, context, onProgress, signal);
    if (result) return result;
    const old = await store.files(id, "saved");
    await store.write(finished(area, next, nowMs()), { saved: next, next: null });
    if (old) await removeUnneeded(old.files, context);
    return { kind: "saved" };
  } catch (error) {
    if (!(error instanceof FetchError) || signal?.aborted) throw error;
    if (error.isUnanswered) return { kind: "offline" };
    if (error.status !== 404 && error.status !== 410) throw error;
    await store.write({ ...area, isUnfinished: true }, { next: null });
    return { kind: "gone" };
  }
}

/** The area as it is when it has these files. */
export function finished(area: Area, { manifest, files }: AreaFiles, savedAtMs = Date.now()): Area {
  const saved = { release: manifest.release, files: files.length, bytes: bytesOf(files), savedAtMs };
  return { ...area, saved, isUnfinished: false };
}

/** Forgets what is not finished: an update, or an area that was never saved whole. */
export async function cancelArea(id: string, context: Pick<SaveContext, "store" | "files">): Promise<void> {
  const { store } = context;
  const area = await store.area(id);
  if (!area?.saved) return removeArea(id, context);
  const next = await store.files(id, "next");
  await store.write({ ...area, isUnfinished: false }, { next: null });
  await removeUnneeded(next?.files ?? [], context);
}

/** Removes the area, and those of its files that no other area has. */
export async function removeArea(id: string, context: Pick<SaveContext, "store" | "files">): Promise<void> {
  const { store } = context;
  const own = [...((await store.files(id, "saved"))?.files ?? []), ...((await store.files(id, "next"))?.files ?? [])];
  await store.remove(id);
  await removeUnneeded(own, context);
}

/** The files that an area needs of the present release, or of the one last seen when nobody answers. */
export async function planFiles(
  selection: AreaSelection,
  source: ByteSource,
  signal?: AbortSignal,
): Promise<AreaFiles> {
  const index = await readIndex({ source, pages: createMemo<IndexPage>(), signal });
  return { manifest: index.manifest, files: await listAreaFiles(selection, index) };
}

export function bytesOf(files: readonly FileEntry[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Fetches the files that are not here; says why when it cannot. */
async function fetchAll(
  entries: readonly FileEntry[],
  context: SaveContext,
  onProgress: (progress: SaveProgress) => void,
  signal: AbortSignal | undefined,
): Promise<SaveResult | undefined> {
  const { files, makeRoom, freeBytes } = context;
  const here = new Set(await files.paths());
  const missing = entries.filter(({ path }) => !here.has(path));
  const neededBytes = bytesOf(missing);
  if (neededBytes > (await freeBytes())) {
    await makeRoom();
    const free = await freeBytes();
    if (neededBytes > free) return { kind: "full", neededBytes, freeBytes: free };
  }

  const progress = { files: 0, totalFiles: entries.length, bytes: 0, totalBytes: bytesOf(entries) };
  const queue = entries.values();
  let isFull = false;
  let hasMadeRoom = false;
  async function fetchOne(entry: FileEntry): Promise<void> {
    if (!(here.has(entry.path) && (await isKeptWhole(entry, files)))) {
      const bytes = await readFile(context.network, entry, signal);
      try {
        await files.write(entry.path, bytes);
      } catch (error) {
        if (!isQuotaError(error) || hasMadeRoom) throw error;
        hasMadeRoom = true;
        await makeRoom();
        await files.write(entry.path, bytes);
      }
    }
    progress.files++;
    progress.bytes += entry.bytes;
    onProgress({ ...progress });
  }
  async function work(): Promise<void> {
    for (const entry of queue) {
      signal?.throwIfAborted();
      if (isFull) return;
      try {
        await fetchOne(entry);
      } catch (error) {
        if (!isQuotaError(error)) throw error;
        isFull = true;
      }
    }
  }
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
  if (!isFull) return undefined;
  return { kind: "full", neededBytes: progress.totalBytes - progress.bytes, freeBytes: await freeBytes() };
}

async function isKeptWhole(entry: FileEntry, files: FileCache): Promise<boolean> {
  const kept = await files.read(entry.path);
  return kept !== undefined && (await isWhole(entry.path, kept, entry.bytes));
}

async function removeUnneeded(
  entries: readonly FileEntry[],
  { store, files }: Pick<SaveContext, "store" | "files">,
): Promise<void> {
  const pinned = await pinnedPaths(store);
  for (const { path } of entries) if (!pinned.has(path)) await files.remove(path);
}

export function isQuotaError(error: unknown): boolean {
  return error instanceof Error && error.name === "QuotaExceededError";
}
