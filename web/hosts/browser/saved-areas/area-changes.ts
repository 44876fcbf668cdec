/**
 * Changes the stored state of an area. Each change runs alone: no tab changes areas or deletes their files at the same time.
 * @module
 */
import type { SliceEntry } from "../../../engine/index.ts";
import type { Area, SaveProgress } from "../protocol/index.ts";
import {
  type AreaFiles,
  type AreaLocks,
  type AreaStore,
  type FileCache,
  missingOf,
  removeSlices,
} from "../storage/index.ts";

export interface ChangeContext {
  readonly store: AreaStore;
  readonly locks: AreaLocks;
  readonly files: FileCache;
  readonly nowMs?: () => number;
}

/**
 * Marks the area as saved if all its slices are stored, and deletes slices that only its previous release needs. Returns
 * undefined when some are missing, `cancelled` if the area or its update was removed.
 */
export async function completeArea(
  id: string,
  context: ChangeContext,
): Promise<{ readonly kind: "saved" | "cancelled" } | undefined> {
  const { store, files, locks, nowMs = Date.now } = context;
  return locks.alone(async () => {
    const area = await store.area(id);
    const next = await store.files(id, "next");
    if (!area || !next) return { kind: "cancelled" };
    if (missingOf(next.files, await files.names()).length > 0) return undefined;
    const old = await store.files(id, "saved");
    await store.write(finished(area, next, nowMs()), { saved: next, next: null });
    // what cannot be removed now is removed with its release
    await removeSlices(slicesOf(old), context).catch(() => {});
    return { kind: "saved" };
  });
}

/** Stores which slices to fetch for the area, or null if they must be computed again, and marks it as unfinished. */
export async function beginArea(id: string, next: AreaFiles | null, { store, locks }: ChangeContext): Promise<void> {
  await locks.alone(async () => {
    const area = await store.area(id);
    if (area) await store.write({ ...area, isUnfinished: true }, { next });
  });
}

/** Deletes slices of an abandoned update that no area needs. Does nothing while the area is being saved. Never rejects. */
export async function removeUnwanted(id: string, next: AreaFiles, context: ChangeContext): Promise<void> {
  const { store, locks } = context;
  const remove = async () => {
    if (!(await store.area(id))?.isUnfinished) await removeSlices(slicesOf(next), context);
  };
  // the caller reports how saving ended, not this error
  await locks.alone(remove).catch(() => {});
}

function finished(area: Area, { manifest, files }: AreaFiles, savedAtMs: number): Area {
  const { release, sha256 } = manifest;
  const saved = { release, sha256, files: files.length, bytes: bytesOf(files), savedAtMs };
  return { ...area, saved, isUnfinished: false };
}

/** Discards an unfinished update, or an area that was never saved completely. */
export async function cancelArea(id: string, context: ChangeContext): Promise<void> {
  const { store, locks } = context;
  await locks.alone(async () => {
    const area = await store.area(id);
    if (!area?.saved) return removeAlone(id, context);
    const next = await store.files(id, "next");
    await store.write({ ...area, isUnfinished: false }, { next: null });
    await removeSlices(slicesOf(next), context);
  });
}

/** Renames an area. Does nothing for an area that was deleted. */
export async function renameArea(id: string, name: string, { store, locks }: ChangeContext): Promise<void> {
  await locks.alone(async () => {
    const area = await store.area(id);
    if (area) await store.write({ ...area, name });
  });
}

/** Deletes an area and the slices that no other area needs. */
export async function removeArea(id: string, context: ChangeContext): Promise<void> {
  await context.locks.alone(() => removeAlone(id, context));
}

async function removeAlone(id: string, context: ChangeContext): Promise<void> {
  const { store } = context;
  const own = [...slicesOf(await store.files(id, "saved")), ...slicesOf(await store.files(id, "next"))];
  await store.remove(id);
  await removeSlices(own, context);
}

/** Returns a function to call with each finished slice. It reports the progress. */
export function counted(
  entries: readonly SliceEntry[],
  onProgress: (progress: SaveProgress) => void,
): (entry: SliceEntry) => void {
  const progress = { files: 0, totalFiles: entries.length, bytes: 0, totalBytes: bytesOf(entries) };
  return ({ bytes }) => {
    progress.files++;
    progress.bytes += bytes;
    onProgress({ ...progress });
  };
}

/** Returns the sum of the bytes of the slices. */
export function bytesOf(files: readonly SliceEntry[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function slicesOf(part: AreaFiles | undefined): readonly SliceEntry[] {
  return part?.files ?? [];
}
