import { computed, effect, signal } from "@preact/signals";
import type { AreaPack } from "../../../data/format/packs-list.ts";
import {
  AREAS_CHANNEL,
  type Area,
  type AreaChoice,
  type AreaOverview,
  type ImportResult,
  type SaveProgress,
  type SaveResult,
} from "../../hosts/browser/protocol/index.ts";
import { dataset, isOnline, networkState } from "../state/index.ts";
import { language, reasonOf } from "../text/index.ts";
import { remote } from "../worker/index.ts";

/** What is being done with an area, or why it stopped. */
export type Activity =
  | {
      readonly kind: "saving";
      readonly progress: SaveProgress | undefined;
      readonly stop: () => void;
      /** Stops, and keeps what was fetched, so that saving can continue. */
      readonly pause: () => void;
    }
  | { readonly kind: "exporting"; readonly progress: SaveProgress | undefined; readonly stop: () => void }
  | { readonly kind: "paused" }
  | { readonly kind: "stopped"; readonly result: Exclude<SaveResult, { kind: "saved" | "gone" | "cancelled" }> }
  | { readonly kind: "failed"; readonly message: string };

/** The areas and the storage they use; undefined until they are read. */
export const overview = signal<AreaOverview | undefined>(undefined);
/** Why the areas could not be read. `overview` is then what was read before. */
export const overviewFault = signal<string | undefined>(undefined);
/** Whether the browser has promised not to delete stored data by itself; undefined until asked. */
export const isKeptForGood = signal<boolean | undefined>(undefined);
/** What is being done with each area, by id. */
export const activities = signal<Readonly<Record<string, Activity>>>({});

export const savedAreas = computed(() => overview.value?.areas.filter(({ saved }) => saved) ?? []);

/**
 * Ids of areas that will be removed when the user leaves the list of areas, or when another area needs space. Until then that can
 * be undone. If the tab is closed before, they stay.
 */
export const removals = signal<readonly string[]>([]);

/** How often one saving starts again because the dataset has changed. A host that changes more often has a fault. */
const MOST_RELEASES = 3;

/** Follows changes by other tabs, and continues interrupted savings when the host of the dataset answers. */
export function startSavedAreas(): void {
  new BroadcastChannel(AREAS_CHANNEL).addEventListener("message", () => void loadAreas());
  effect(() => {
    if (dataset.value && isOnline.value) void loadAreas().then(goOnWithAll);
    else if (dataset.value) void loadAreas();
  });
}

/**
 * Adds an area and starts to save it, or notes that it waits for a network. Resolves before it is saved. Throws if it cannot be
 * added.
 */
export async function addArea(name: string, choice: AreaChoice): Promise<void> {
  // Only with the first area: Firefox asks the user, and does not report a missing answer.
  if (savedAreas.value.length === 0) void askToKeep();
  // category names are cached on first request
  remote("categoryNames", language.peek()).catch(() => {});
  const area = await remote("addArea", { name, choice });
  await loadAreas();
  if (networkState.value !== "off") void saveArea(area.id);
  else setActivity(area.id, { kind: "stopped", result: { kind: "offline" } });
}

async function askToKeep(): Promise<void> {
  isKeptForGood.value = (await navigator.storage?.persist?.().catch(() => false)) ?? false;
}

/**
 * Saves the area, continues to save it, or updates it to the current release. Does not throw: progress and errors are in
 * `activities`.
 */
export async function saveArea(id: string): Promise<void> {
  const controller = new AbortController();
  let isPaused = false;
  const stop = () => controller.abort();
  const pause = () => {
    isPaused = true;
    controller.abort();
  };
  const show = (progress: SaveProgress | undefined) => setActivity(id, { kind: "saving", progress, stop, pause });
  show(undefined);
  await finishRemovals();
  try {
    let result: SaveResult = { kind: "gone" };
    for (let release = 0; result.kind === "gone" && release < MOST_RELEASES; release++) {
      result = await remote("saveArea", id, controller.signal, show);
    }
    if (result.kind === "saved" || result.kind === "cancelled") setActivity(id, undefined);
    else if (result.kind === "gone") throw new Error("the dataset changed while it was being saved");
    else setActivity(id, { kind: "stopped", result });
  } catch (error) {
    if (isPaused) setActivity(id, { kind: "paused" });
    else if (controller.signal.aborted) await change(id, "cancelArea");
    else setActivity(id, failed(error));
  }
  await loadAreas();
}

/** Marks the area for removal, so that it can still be undone. `finishRemovals` removes it. */
export function removeArea(id: string): void {
  removals.value = [...removals.peek(), id];
}

/** Takes back the mark of `removeArea`. */
export function keepArea(id: string): void {
  removals.value = removals.peek().filter((removed) => removed !== id);
}

/** Removes the marked areas. An area that cannot be removed appears in the list again; the error is in `activities`. */
export async function finishRemovals(): Promise<void> {
  const ids = removals.peek();
  if (ids.length === 0) return;
  const now = overview.peek();
  if (now) overview.value = { ...now, areas: now.areas.filter(({ id }) => !ids.includes(id)) };
  removals.value = [];
  for (const id of ids) await change(id, "removeArea");
  await loadAreas();
}

/** Gives a saved area another name. Does not throw: the error is in `activities`. */
export async function renameArea(id: string, name: string): Promise<void> {
  try {
    await remote("renameArea", { id, name });
  } catch (error) {
    setActivity(id, failed(error));
  }
  await loadAreas();
}

async function change(id: string, name: "cancelArea" | "removeArea"): Promise<void> {
  try {
    await remote(name, id);
    setActivity(id, undefined);
  } catch (error) {
    setActivity(id, failed(error));
  }
}

/**
 * Writes the area to the file and returns undefined; without a file returns a blob. Undefined also if it is stopped or fails: the
 * error is in `activities`.
 */
export async function exportArea({ id }: Area, file: FileSystemFileHandle | undefined): Promise<Blob | undefined> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const show = (progress?: SaveProgress) => setActivity(id, { kind: "exporting", progress, stop });
  show();
  try {
    const blob = await remote("exportArea", { id, file }, controller.signal, show);
    setActivity(id, undefined);
    return blob;
  } catch (error) {
    setActivity(id, controller.signal.aborted ? undefined : failed(error));
    return undefined;
  }
}

/** Imports an area from a file, or from a file that the site offers. */
export async function takeIn(
  file: Blob | AreaPack,
  onProgress: (progress: SaveProgress) => void,
  signal: AbortSignal,
): Promise<ImportResult> {
  await finishRemovals();
  try {
    return await (file instanceof Blob
      ? remote("importArea", file, signal, onProgress)
      : remote("takePack", file, signal, onProgress));
  } finally {
    await loadAreas();
  }
}

/** Reads the areas into `overview`. Does not throw: the error is in `overviewFault`. */
export async function loadAreas(): Promise<void> {
  try {
    overview.value = await remote("areas", undefined);
    overviewFault.value = undefined;
    isKeptForGood.value = (await navigator.storage?.persisted?.().catch(() => false)) ?? false;
  } catch (error) {
    overviewFault.value = reasonOf(error);
  }
}

function goOnWithAll(): void {
  for (const { id, isUnfinished } of overview.peek()?.areas ?? []) {
    const activity = activities.peek()[id];
    const isWaiting = !activity || (activity.kind === "stopped" && activity.result.kind === "offline");
    if (isUnfinished && isWaiting && !removals.peek().includes(id)) void saveArea(id);
  }
}

function setActivity(id: string, activity: Activity | undefined): void {
  const { [id]: _, ...others } = activities.peek();
  activities.value = activity ? { ...others, [id]: activity } : others;
}

function failed(error: unknown): Activity {
  return { kind: "failed", message: reasonOf(error) };
}
