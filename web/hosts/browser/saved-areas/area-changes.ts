/** Changes of what is written down of an area, each made while nobody else changes areas or removes files, in any tab. @module */
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

/** Says that the area is saved if all its slices are there; undefined when some left meanwhile. */
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
    // what cannot be removed now goes with its release
    await removeSlices(slicesOf(old), context).catch(() => {});
    return { kind: "saved" };
  });
}

/** Writes down which slices the area is to have; null for none, until they are worked out anew. */
export async function beginArea(id: string, next: AreaFiles | null, { store, locks }: ChangeContext): Promise<void> {
  await locks.alone(async () => {
    const area = await store.area(id);
    if (area) await store.write({ ...area, isUnfinished: true }, { next });
  });
}

export async function removeUnwanted(id: string, next: AreaFiles, context: ChangeContext): Promise<void> {
  const { store, locks } = context;
  const remove = async () => {
    if (!(await store.area(id))?.isUnfinished) await removeSlices(slicesOf(next), context);
  };
  // how the saving ended is what is to be told
  await locks.alone(remove).catch(() => {});
}

function finished(area: Area, { manifest, files }: AreaFiles, savedAtMs: number): Area {
  const saved = { release: manifest.release, files: files.length, bytes: bytesOf(files), savedAtMs };
  return { ...area, saved, isUnfinished: false };
}

/** Forgets what is not finished: an update, or an area that was never saved whole. */
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

export async function renameArea(id: string, name: string, { store, locks }: ChangeContext): Promise<void> {
  await locks.alone(async () => {
    const area = await store.area(id);
    if (area) await store.write({ ...area, name });
  });
}

export async function removeArea(id: string, context: ChangeContext): Promise<void> {
  await context.locks.alone(() => removeAlone(id, context));
}

async function removeAlone(id: string, context: ChangeContext): Promise<void> {
  const { store } = context;
  const own = [...slicesOf(await store.files(id, "saved")), ...slicesOf(await store.files(id, "next"))];
  await store.remove(id);
  await removeSlices(own, context);
}

/** Tells how far a list of slices is: to be called with each that is done. */
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

export function bytesOf(files: readonly SliceEntry[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function slicesOf(part: AreaFiles | undefined): readonly SliceEntry[] {
  return part?.files ?? [];
}
