/**
 * Saves or updates an area: computes which slices it needs, and fetches the missing ones. Continues after any interruption.
 * @module
 */

import { writeManifestFile } from "../../../../data/format/manifest-file.ts";
import { MANIFEST_PATH } from "../../../../data/format/paths.ts";
import {
  type AreaSelection,
  type ByteSource,
  createMemo,
  FetchError,
  type IndexPage,
  joinNeighbours,
  listAreaFiles,
  readIndex,
  readSlice,
  type SliceEntry,
} from "../../../engine/index.ts";
import { isQuotaError } from "../cache/index.ts";
import type { Area, SaveProgress, SaveResult } from "../protocol/index.ts";
import { type AreaFiles, cachedSlices, cacheNameOf, missingOf, wantedOf } from "../storage/index.ts";
import { beginArea, bytesOf, type ChangeContext, completeArea, removeArea, removeUnwanted } from "./area-changes.ts";

export type PlanArea = (selection: AreaSelection, source: ByteSource, signal?: AbortSignal) => Promise<AreaFiles>;

export interface SaveContext extends ChangeContext {
  readonly plan?: PlanArea;
  readonly source: ByteSource;
  readonly network: ByteSource;
  readonly makeRoom: () => Promise<void>;
  /** Returns the free storage in bytes, as far as the browser reports it. */
  readonly freeBytes: () => Promise<number>;
}

interface SaveOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SaveProgress) => void;
}

/** Number of requests at a time: browsers make about as many to one host. */
const MOST_AT_ONCE = 6;
/** Maximum number of rounds. Slices that are deleted while others arrive are fetched again; if that goes on, it is a fault. */
const MOST_ROUNDS = 3;

/**
 * Saves the area completely, or returns why it cannot. Rejects with the signal's reason when aborted, and with unknown errors.
 */
export async function saveArea(id: string, context: SaveContext, options: SaveOptions = {}): Promise<SaveResult> {
  const result = await context.locks.claim(id, () => saveClaimed(id, context, options));
  return result ?? { kind: "elsewhere" };
}

async function saveClaimed(id: string, context: SaveContext, options: SaveOptions): Promise<SaveResult> {
  const { store, plan = planFiles } = context;
  const { signal, onProgress = () => {} } = options;
  const area = await store.area(id);
  if (!area) return { kind: "cancelled" };
  let next = await store.files(id, "next");
  let planned: AreaFiles | undefined;
  let result: SaveResult | undefined;
  try {
    if (!next) {
      next = planned = await plan(area.selection, context.source, signal);
      signal?.throwIfAborted();
      await beginArea(id, next, context);
    }
    for (let round = 0; !result && round < MOST_ROUNDS; round++) {
      result = (await fetchAll(id, next.files, context, { signal, onProgress })) ?? (await completeArea(id, context));
    }
    if (!result) throw new Error(`files of ${area.name} were removed each time after they were saved: try again`);
    if (planned && result.kind === "saved") await keepManifest(planned, context);
  } catch (error) {
    if (!(error instanceof FetchError) || signal?.aborted) throw error;
    if (error.isUnanswered) result = { kind: "offline" };
    else if (error.status !== 404 && error.status !== 410) throw error;
    else {
      await beginArea(id, null, context);
      result = { kind: "gone" };
    }
  } finally {
    // files that arrived after the area was removed, or its update cancelled
    if (next && (signal?.aborted || result?.kind === "cancelled")) await removeUnwanted(id, next, context);
  }
  return result;
}

/**
 * Stores the manifest. Slices are written some seconds later, when the tab may be closed; without the manifest an offline search
 * would use the older release.
 */
async function keepManifest({ manifest }: AreaFiles, { files }: SaveContext): Promise<void> {
  // the area is saved even if this fails
  await files.write(MANIFEST_PATH, await writeManifestFile(manifest)).catch(() => {});
}

/** Adds an area whose slices `fill` writes. If that fails, nothing of the area stays. */
export async function addWholeArea(
  area: Area,
  next: AreaFiles,
  { context, signal, fill }: { context: SaveContext; signal: AbortSignal; fill: () => Promise<void> },
): Promise<SaveResult> {
  const { store, locks, makeRoom, freeBytes } = context;
  async function take(): Promise<SaveResult> {
    try {
      // recorded first: files of areas being saved are never evicted
      await locks.alone(() => store.write(area, { next }));
      if (bytesOf(next.files) > (await freeBytes())) await makeRoom();
      await fill();
      signal.throwIfAborted();
      const result = await completeArea(area.id, context);
      if (!result) throw new Error(`files of ${area.name} were removed while others were saved: try again`);
      if (result.kind === "cancelled") await removeUnwanted(area.id, next, context);
      return result;
    } catch (error) {
      // if it cannot be removed either, the list shows it as unfinished
      await removeArea(area.id, context).catch(() => {});
      throw error;
    }
  }
  return (await locks.claim(area.id, take)) ?? { kind: "elsewhere" };
}

/** Returns the slices that an area needs of the current release; offline, of the last release seen. */
export const planFiles: PlanArea = async (selection, source, signal) => {
  const index = await readIndex({ source, pages: createMemo<IndexPage>(), signal });
  return { manifest: index.manifest, files: await listAreaFiles(selection, index) };
};

/** Fetches the missing slices, or returns why it cannot. When it returns, no request is running. */
async function fetchAll(
  id: string,
  entries: readonly SliceEntry[],
  context: SaveContext,
  { signal, onProgress }: { signal: AbortSignal | undefined; onProgress: (progress: SaveProgress) => void },
): Promise<SaveResult | undefined> {
  const { store, files, network, makeRoom, freeBytes } = context;
  const names = await files.names();
  const kept = cachedSlices(files, { names });
  const missing = new Set(missingOf(entries, names));
  const neededBytes = bytesOf([...missing]);
  if (neededBytes > (await freeBytes())) {
    await makeRoom();
    const free = await freeBytes();
    if (neededBytes > free) return { kind: "full", neededBytes, freeBytes: free };
  }

  const progress = { files: 0, totalFiles: entries.length, bytes: 0, totalBytes: bytesOf(entries) };
  const queue = runsOf(entries).values();
  let end: "full" | "cancelled" | "failed" | undefined;
  let hasMadeRoom = false;
  async function fetchOne(entry: SliceEntry): Promise<void> {
    if (missing.has(entry) || !(await kept.find(wantedOf(entry)))) {
      const bytes = await readSlice(network, entry, signal);
      signal?.throwIfAborted();
      const name = cacheNameOf(wantedOf(entry));
      try {
        await files.write(name, bytes);
      } catch (error) {
        if (!isQuotaError(error) || hasMadeRoom) throw error;
        hasMadeRoom = true;
        await makeRoom();
        await files.write(name, bytes);
      }
    }
    progress.files++;
    progress.bytes += entry.bytes;
    onProgress({ ...progress });
  }
  async function work(): Promise<void> {
    for (const run of queue) {
      signal?.throwIfAborted();
      // cancelled or removed, maybe in another tab
      if (!end && !(await store.area(id))?.isUnfinished) end = "cancelled";
      if (end) return;
      for (const each of await Promise.allSettled(run.map(fetchOne))) {
        if (each.status === "fulfilled") continue;
        end ??= isQuotaError(each.reason) ? "full" : "failed";
        if (!isQuotaError(each.reason)) throw each.reason;
      }
    }
  }
  const works = await Promise.allSettled(Array.from({ length: MOST_AT_ONCE }, work));
  for (const each of works) if (each.status === "rejected") throw each.reason;
  if (end === "full") {
    return { kind: "full", neededBytes: progress.totalBytes - progress.bytes, freeBytes: await freeBytes() };
  }
  return end === "cancelled" ? { kind: "cancelled" } : undefined;
}

/** Groups slices that are neighbours in a pack: requested together, they are one request. */
function runsOf(entries: readonly SliceEntry[]): readonly (readonly SliceEntry[])[] {
  const byPath = new Map<string, SliceEntry[]>();
  for (const entry of entries) byPath.set(entry.path, [...(byPath.get(entry.path) ?? []), entry]);
  return [...byPath.values()].flatMap((own) => {
    const ranges = own.map((entry) => ({ start: entry.offset, end: entry.offset + entry.bytes, entry }));
    return joinNeighbours(ranges).map(({ parts }) => parts.map(({ entry }) => entry));
  });
}
