import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Manifest } from "../../../../data/format/manifest.ts";
import type { AreaChoice } from "../protocol/area-calls.ts";
import { pinnedNames } from "../storage/area-store.ts";
import { parseCacheName } from "../storage/cached-names.ts";
import { areasOf, expectWhole } from "../testing/area-work.ts";
import { type CacheOperation, type FaultyCaches, faultyCaches } from "../testing/faulty-caches.ts";
import { type FaultyField, faultyField, type Tab } from "../testing/faulty-field.ts";
import { HOST_FAULTS } from "../testing/faulty-host.ts";
import { type FaultyIndexedDb, faultyIndexedDb, type StoreOperation } from "../testing/faulty-indexed-db.ts";
import { ask, makeRelease, planMadeUp } from "../testing/made-up-release.ts";
import { sharedLocks } from "../testing/shared-locks.ts";

const CACHE: readonly CacheOperation[] = ["open", "match", "put", "delete", "keys"];
const STORE: readonly StoreOperation[] = ["open", "transaction", "get", "put", "delete", "commit"];
const CALLS = [...CACHE.map((call) => ["cache", call] as const), ...STORE.map((call) => ["store", call] as const)];

const choiceAt = (lon: number): AreaChoice => ({
  shape: { kind: "circle", lon, lat: 0, radiusMeters: 4000 },
  collections: ["place"],
  hasNames: false,
  hasBaseMap: false,
});

interface Device {
  readonly field: FaultyField;
  readonly caches: FaultyCaches;
  readonly store: FaultyIndexedDb;
  /** Two tabs of one browser. */
  readonly tab: Tab;
  readonly other: Tab;
}

interface Work {
  /** Runs before any failure. Its result is passed to the others. */
  readonly prepare: (device: Device) => Promise<string>;
  /** Runs while a call fails, and again without a failure. */
  readonly act: (device: Device, prepared: string) => Promise<unknown>;
  /** Throws unless the work is complete. */
  readonly isDone: (device: Device, prepared: string) => Promise<void>;
  /** Whether it silently postpones what it is not sure of. */
  readonly isCareful?: boolean;
}

const silent = () => {};
const never = () => new AbortController().signal;
const add = async ({ areas }: Tab, lon = 0.1) =>
  (await areas.addArea({ name: "a", choice: choiceAt(lon) }, never(), silent)).id;
const save = ({ areas }: Tab, id: string) => areas.saveArea(id, never(), silent);
const remove = ({ areas }: Tab, id: string) => areas.removeArea(id, never(), silent);
const saved = async (tab: Tab, lon?: number) => {
  const id = await add(tab, lon);
  expect(await save(tab, id)).toEqual({ kind: "saved" });
  return id;
};
const isSaved = async ({ tab }: Device, id: string, release = "first") =>
  expect((await areasOf(tab)).find((area) => area.id === id)).toMatchObject({
    isUnfinished: false,
    saved: { release },
  });
const isGone = async ({ tab }: Device, id: string) =>
  expect((await areasOf(tab)).map((area) => area.id)).not.toContain(id);
/** Reads and caches everything that the host has. */
async function seeAll({ kept }: Tab): Promise<void> {
  await ask(kept.source, { west: -1, east: 2 });
  await vi.advanceTimersByTimeAsync(0);
}
/** Runs both at once; throws the first error after all have ended. */
async function atOnce(...works: Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(works)) if (result.status === "rejected") throw result.reason;
}

/** Cached files that no area needs. */
async function unneeded({ tab, caches, field }: Device): Promise<readonly string[]> {
  const kept = [...caches.kept.keys()].map((url) => url.slice(field.base.length));
  const pinned = await pinnedNames(tab.kept.areas, async () => kept);
  return kept.filter((name) => !pinned.has(name));
}

let manifest: Manifest;

const WORKS: Readonly<Record<string, Work>> = {
  "to save": { prepare: ({ tab }) => add(tab), act: ({ tab }, id) => save(tab, id), isDone: isSaved },
  "to update": {
    async prepare({ tab, field }) {
      const id = await saved(tab);
      field.host.files = later;
      return id;
    },
    act: ({ tab }, id) => save(tab, id),
    isDone: (device, id) => isSaved(device, id, "second"),
  },
  "to remove": {
    async prepare({ tab }) {
      await saved(tab, 0.2);
      return saved(tab);
    },
    act: ({ tab }, id) => remove(tab, id),
    isDone: isGone,
  },
  "to cancel an update": {
    async prepare({ tab, field }) {
      const id = await saved(tab);
      field.host.files = later;
      field.host.fail(/country=/, HOST_FAULTS["status 403"]);
      await expect(save(tab, id)).rejects.toThrow("403");
      return id;
    },
    act: ({ tab }, id) => tab.areas.cancelArea(id, never(), silent),
    isDone: isSaved,
  },
  "to import": {
    prepare: async () => "",
    async act({ tab }) {
      const result = await tab.areas.importArea(file, never(), silent);
      if (result.kind !== "saved") throw new Error(result.kind);
    },
    async isDone({ tab }) {
      expect((await areasOf(tab)).some((area) => area.saved)).toBe(true);
    },
  },
  "to sweep": {
    async prepare(device) {
      const { tab, field } = device;
      await seeAll(tab);
      const id = await saved(tab);
      field.host.files = later;
      await seeAll(tab);
      return id;
    },
    act: ({ tab }) => tab.releases.tidy(manifest),
    isCareful: true,
    async isDone(device) {
      const left = await unneeded(device);
      const isGone = (name: string) => {
        const { path, sha256 = "" } = parseCacheName(name) ?? { path: name };
        return !later.has(path) && !laterHashes.has(sha256);
      };
      expect(left.filter(isGone)).toEqual([]);
    },
  },
  "to evict": {
    async prepare(device) {
      await seeAll(device.tab);
      return saved(device.tab);
    },
    act: ({ tab }) => tab.kept.seen.evict(0),
    async isDone(device) {
      expect((await unneeded(device)).filter((name) => name !== "manifest.json")).toEqual([]);
    },
  },
  "to save while another tab removes": {
    prepare: ({ tab }) => add(tab),
    act: ({ tab, other }, id) => atOnce(save(tab, id), remove(other, id)),
    isDone: isGone,
  },
  "to save while another tab evicts": {
    async prepare(device) {
      await seeAll(device.other);
      return add(device.tab);
    },
    act: ({ tab, other }, id) => atOnce(other.kept.seen.evict(0), save(tab, id)),
    isDone: isSaved,
  },
  "to save while another tab removes a neighbour": {
    async prepare({ tab, other }) {
      neighbour = await saved(other, 0.2);
      return add(tab);
    },
    act: ({ tab, other }, id) => atOnce(remove(other, neighbour), save(tab, id)),
    async isDone(device, id) {
      await isGone(device, neighbour);
      await isSaved(device, id);
    },
  },
};

let neighbour = "";
let first: ReadonlyMap<string, Uint8Array>;
let later: ReadonlyMap<string, Uint8Array>;
let laterHashes: ReadonlySet<string>;
let file: Blob;

function newDevice(): Device {
  const caches = faultyCaches();
  const store = faultyIndexedDb();
  vi.stubGlobal("caches", caches.storage);
  vi.stubGlobal("indexedDB", store.factory);
  vi.stubGlobal("navigator", { locks: sharedLocks() });
  const field = faultyField({ files: first, plan: planMadeUp });
  return { field, caches, store, tab: field.openTab(), other: field.openTab() };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      postMessage() {}
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
beforeAll(async () => {
  const options = { cells: 3, slicesPerPack: 2, nodesPerPage: 3 };
  const releases = [
    await makeRelease({ ...options, release: "first" }),
    await makeRelease({ ...options, release: "second", versionOf: (cell) => (cell % 2 === 0 ? 1 : 2) }),
  ] as const;
  [first, later, laterHashes] = [releases[0].files, releases[1].files, releases[1].hashes];
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      postMessage() {}
    },
  );
  const device = newDevice();
  const id = await saved(device.tab);
  file = (await device.tab.areas.exportArea({ id }, never(), silent)) ?? new Blob();
  manifest = releases[1].manifest;
  vi.unstubAllGlobals();
});

/** Whether the n-th call of this kind was reached. */
async function tryWith(
  work: Work,
  [where, call]: (typeof CALLS)[number],
  n: number,
  isForGood: boolean,
): Promise<boolean> {
  const device = newDevice();
  const { field, caches, store, tab, other } = device;
  const prepared = await work.prepare(device);
  let calls = 0;
  const fail = (operation: string) => {
    if (operation !== call) return;
    calls++;
    if (calls === n || (isForGood && calls > n)) throw new DOMException(`${call} refused`, "UnknownError");
  };
  if (where === "cache") caches.onOperation = fail;
  else store.onOperation = fail;
  const thrown = await work.act(device, prepared).then(
    () => undefined,
    (error: unknown) => error,
  );
  caches.onOperation = silent;
  store.onOperation = silent;
  field.heal();
  await expectWhole(tab, caches, store);
  await expectWhole(other, caches, store);
  if (thrown === undefined && !work.isCareful) await work.isDone(device, prepared);
  if (thrown !== undefined) expect(thrown).toMatchObject({ message: expect.stringMatching(/./) });
  // the same tabs, without a reload
  await work.act(device, prepared);
  await work.isDone(device, prepared);
  await expectWhole(other, caches, store);
  return calls >= n;
}

test.each(Object.entries(WORKS))("%s: each call of cache and IndexedDB fails in turn", async (_, work) => {
  let failures = 0;
  for (const isForGood of [false, true]) {
    for (const call of CALLS) {
      let n = 1;
      const goesOn = () =>
        tryWith(work, call, n, isForGood).catch((cause: unknown) => {
          throw new Error(`${call.join(" ")} ${n}${isForGood ? " and all after it" : ""}: ${cause}`, { cause });
        });
      for (; await goesOn(); n++) failures++;
    }
  }
  expect(failures).toBeGreaterThan(20);
});
