/**
 * Actions on saved areas, and the conditions that must hold after any failure.
 * @module
 */
import { readManifest } from "../../../engine/index-tree/files.ts";
import type { AreaChoice } from "../protocol/area-calls.ts";
import { missingOf } from "../storage/area-store.ts";
import type { FaultyCaches } from "./faulty-caches.ts";
import type { Tab } from "./faulty-field.ts";
import type { FaultyIndexedDb } from "./faulty-indexed-db.ts";

export type AreaWork = "save" | "go on" | "stop" | "cancel" | "remove" | "carry" | "tidy" | "evict";

const silent = () => {};
const never = () => new AbortController().signal;

/** Returns the areas of a tab. */
export const areasOf = async ({ areas }: Tab) => (await areas.areas(undefined, never(), silent)).areas;

/** Saves or continues the area; retries once for a new release, as the page does. */
export async function save({ areas }: Tab, id: string): Promise<string> {
  const { kind } = await areas.saveArea(id, never(), silent);
  return kind === "gone" ? (await areas.saveArea(id, never(), silent)).kind : kind;
}

/** Does the work in the tab, with a new area or the oldest. Returns how saving ended; throws the reported error. */
export async function workOnArea(tab: Tab, work: AreaWork, choice: AreaChoice): Promise<string | undefined> {
  const { areas, kept, releases } = tab;
  const add = async () => (await areas.addArea({ name: work, choice }, never(), silent)).id;
  const oldest = async () => (await areasOf(tab))[0];
  switch (work) {
    case "save":
      return save(tab, await add());
    case "go on": {
      const area = await oldest();
      return area && save(tab, area.id);
    }
    case "stop": {
      const controller = new AbortController();
      const id = await add();
      const saving = areas.saveArea(id, controller.signal, () => controller.abort());
      await saving.catch(() => {});
      await areas.cancelArea(id, never(), silent);
      return undefined;
    }
    case "cancel":
    case "remove": {
      const area = await oldest();
      if (area) await areas[work === "cancel" ? "cancelArea" : "removeArea"](area.id, never(), silent);
      return undefined;
    }
    case "carry": {
      const area = await oldest();
      const file = area?.saved && (await areas.exportArea({ id: area.id }, never(), silent));
      return file && (await areas.importArea(file, never(), silent)).kind;
    }
    case "tidy":
      await releases.tidy((await readManifest(kept.source)).manifest);
      return undefined;
    case "evict":
      await kept.seen.evict(0);
      return undefined;
  }
}

/** Throws when a tab, without faults, reports an area as saved that lacks a file. */
export async function expectWhole(tab: Tab, caches: FaultyCaches, store: FaultyIndexedDb): Promise<void> {
  const faults = [caches.onOperation, store.onOperation] as const;
  [caches.onOperation, store.onOperation] = [silent, silent];
  try {
    for (const { id, saved } of await areasOf(tab)) {
      const held = saved && (await tab.kept.areas.files(id, "saved"));
      const names = [...caches.kept.keys()].map((url) => url.slice(tab.base.length));
      const missing = missingOf(held?.files ?? [], names);
      if (saved && (missing.length > 0 || !held))
        throw new Error(`area ${id} is reported as saved, but lacks ${missing[0]?.path} at ${missing[0]?.offset}`);
    }
  } finally {
    [caches.onOperation, store.onOperation] = faults;
  }
}
