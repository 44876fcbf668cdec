import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { readManifest, type SliceEntry } from "../../../engine/index-tree/files.ts";
import type { AreaChoice } from "../protocol/area-calls.ts";
import { missingOf, wantedOf } from "../storage/area-store.ts";
import { cacheNameOf } from "../storage/cached-names.ts";
import { type FaultyCaches, faultyCaches } from "../testing/faulty-caches.ts";
import { type FaultyField, faultyField, type Tab } from "../testing/faulty-field.ts";
import { HOST_FAULTS } from "../testing/faulty-host.ts";
import { type FaultyIndexedDb, faultyIndexedDb } from "../testing/faulty-indexed-db.ts";
import { ask, expectAnswer, type MadeUpRelease, makeRelease, planMadeUp } from "../testing/made-up-release.ts";
import { sharedLocks } from "../testing/shared-locks.ts";

const CIRCLE = { lon: 0.15, lat: 0, radiusMeters: 20_000 };
const IN_CIRCLE = { west: 0, east: 0.3 };
const EVERYWHERE = { west: -1, east: 2 };
const IS_PARTITION = /country=/;
const CHOICE: AreaChoice = {
  shape: { kind: "circle", ...CIRCLE },
  collections: ["place"],
  hasNames: true,
  hasBaseMap: false,
};
/** Shares most of its slices with the first. */
const OTHER: AreaChoice = { ...CHOICE, shape: { kind: "circle", lon: 0.25, lat: 0, radiusMeters: 20_000 } };
const signal = () => new AbortController().signal;
const silent = () => {};

let release: MadeUpRelease;
let later: MadeUpRelease;
let caches: FaultyCaches;
let database: FaultyIndexedDb;
let field: FaultyField;
let tab: Tab;
let other: Tab;

beforeAll(async () => {
  release = await makeRelease({ release: "first", slicesPerPack: 1 });
  later = await makeRelease({ release: "second", slicesPerPack: 1, versionOf: () => 2 });
});
beforeEach(() => {
  caches = faultyCaches();
  database = faultyIndexedDb();
  vi.stubGlobal("caches", caches.storage);
  vi.stubGlobal("indexedDB", database.factory);
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      postMessage() {}
    },
  );
  // tests decide when uses are written
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  field = faultyField({ files: release.files, plan: planMadeUp });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const add = async (choice = CHOICE) => (await tab.areas.addArea({ name: "a", choice }, signal(), silent)).id;
const save = (on: Tab, id: string, stop = signal()) => on.areas.saveArea(id, stop, silent);
async function saved(choice = CHOICE): Promise<string> {
  const id = await add(choice);
  expect(await save(tab, id)).toEqual({ kind: "saved" });
  return id;
}
const held = async (id: string) => (await field.openTab().kept.areas.files(id, "saved"))?.files ?? [];
const partitions = () => [...caches.kept.keys()].filter((url) => IS_PARTITION.test(url));
async function seeAll(on = tab): Promise<void> {
  await ask(on.kept.source, EVERYWHERE);
  await vi.advanceTimersByTimeAsync(0);
}
const missing = (entries: readonly SliceEntry[]) =>
  missingOf(
    entries,
    [...caches.kept.keys()].map((url) => url.slice(field.base.length)),
  );

/** Expects that every area reported as saved has all its slices. */
async function expectWhole(): Promise<void> {
  for (const { id, saved } of await field.openTab().kept.areas.areas()) {
    const entries = await held(id);
    expect(entries.length > 0).toBe(saved !== undefined);
    expect(missing(entries)).toEqual([]);
  }
}

/** Does the work once, before the host answers with its n-th partition. */
function atPartition(n: number, work: () => Promise<unknown>): void {
  let left = n;
  field.host.onAsked = async (path) => {
    if (IS_PARTITION.test(path) && --left === 0) await work();
  };
}

describe.each(["with locks of the browser", "without"])("%s", (kind) => {
  beforeEach(() => {
    vi.stubGlobal("navigator", kind === "without" ? {} : { locks: sharedLocks() });
    [tab, other] = [field.openTab(), field.openTab()];
  });

  test.each([1, 2, 3])("an area that another tab removes during saving is not saved, at partition %i", async (n) => {
    const id = await add();
    atPartition(n, () => other.areas.removeArea(id, signal(), silent));
    expect(await save(tab, id)).toEqual({ kind: "cancelled" });
    await expectWhole();
    expect(await tab.kept.areas.areas()).toEqual([]);
    expect(partitions()).toEqual([]);
  });

  test.each([1, 2, 3])("an area that is cancelled during saving is not saved, at partition %i", async (n) => {
    const id = await add();
    const controller = new AbortController();
    const cancelled: Promise<unknown>[] = [];
    // like the page, it does not wait for saving to end
    atPartition(n, async () => {
      controller.abort();
      cancelled.push(tab.areas.cancelArea(id, signal(), silent));
    });
    await expect(save(tab, id, controller.signal)).rejects.toThrow("abort");
    await Promise.all(cancelled);
    await expectWhole();
    expect([await tab.kept.areas.areas(), partitions()]).toEqual([[], []]);
  });

  test("an area that is cancelled at its last file is saved completely or not at all", async () => {
    const id = await add();
    const controller = new AbortController();
    const cancelled: Promise<unknown>[] = [];
    const ends = tab.areas.saveArea(id, controller.signal, ({ files, totalFiles }) => {
      if (files !== totalFiles) return;
      controller.abort();
      cancelled.push(tab.areas.cancelArea(id, signal(), silent));
    });
    await ends.catch((error: unknown) => expect(error).toMatchObject({ name: "AbortError" }));
    await Promise.all(cancelled);
    expect(cancelled).toHaveLength(1);
    await expectWhole();
    expect([await tab.kept.areas.areas(), partitions()]).toEqual([[], []]);
  });

  test("files that are removed during saving are fetched again, up to the last", async () => {
    const id = await add();
    let isEmptied = false;
    const result = await tab.areas.saveArea(id, signal(), ({ files, totalFiles }) => {
      if (files === totalFiles && !isEmptied) caches.kept.clear();
      if (files === totalFiles) isEmptied = true;
    });
    expect([result, isEmptied]).toEqual([{ kind: "saved" }, true]);
    await expectWhole();
  });

  /** Slows the removal of files down, and starts the work at the first. */
  function whenRemoving(work: () => Promise<unknown>): () => Promise<unknown> | undefined {
    let begun: Promise<unknown> | undefined;
    caches.onOperation = async (operation) => {
      if (operation !== "delete") return;
      begun ??= work();
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    return () => begun;
  }

  test("an eviction that started before the area removes none of its files", async () => {
    await seeAll();
    const id = await add();
    const saving = whenRemoving(() => save(other, id));
    await tab.kept.seen.evict(0);
    expect(await saving()).toEqual({ kind: "saved" });
    await expectWhole();
  });

  test("removing an area leaves what a second one needs that is saved meanwhile", async () => {
    const [first, second] = [await saved(), await add(OTHER)];
    const saving = whenRemoving(() => save(other, second));
    await tab.areas.removeArea(first, signal(), silent);
    expect(await saving()).toEqual({ kind: "saved" });
    await expectWhole();
  });

  test("two tabs do not save an area at once", async () => {
    const id = await add();
    expect((await Promise.all([save(tab, id), save(other, id)])).map(({ kind }) => kind).sort()).toEqual([
      "elsewhere",
      "saved",
    ]);
    await expectWhole();
  });

  describe("an imported area", () => {
    let file: Blob;
    beforeEach(async () => {
      const id = await add();
      await save(tab, id);
      file = (await tab.areas.exportArea({ id }, signal(), silent)) ?? new Blob();
      await tab.areas.removeArea(id, signal(), silent);
      expect(partitions()).toEqual([]);
    });
    const take = (stop: AbortSignal, onFile: (number: number, isLast: boolean) => void) =>
      tab.areas.importArea(file, stop, ({ files, totalFiles }) => onFile(files, files === totalFiles));

    test("is not saved when another tab removes it meanwhile", async () => {
      let removing: Promise<unknown> | undefined;
      const result = await take(signal(), () => {
        removing ??= other.kept.areas
          .areas()
          .then(([area]) => other.areas.removeArea(area?.id ?? "", signal(), silent));
      });
      await removing;
      await expectWhole();
      // the file was read before the other tab removed it, or after
      if (result.kind === "saved") expect(partitions()).toEqual([]);
      else expect([result, await tab.kept.areas.areas(), partitions()]).toEqual([{ kind: "cancelled" }, [], []]);
    });

    test.each([1, 3, "last"])("leaves nothing when it is cancelled at file %s", async (n) => {
      const controller = new AbortController();
      const taking = take(
        controller.signal,
        (file, isLast) => (file === n || (isLast && n === "last")) && controller.abort(),
      );
      await expect(taking).rejects.toThrow("abort");
      expect([await tab.kept.areas.areas(), partitions()]).toEqual([[], []]);
    });

    test("is not reported as saved when files of it were removed", async () => {
      await expect(take(signal(), (_, isLast) => isLast && caches.kept.clear())).rejects.toThrow("were removed");
      expect([await tab.kept.areas.areas(), partitions()]).toEqual([[], []]);
    });
  });

  test("an area whose files the browser removed is not reported as saved, and can be saved again", async () => {
    const id = await add();
    await save(tab, id);
    for (const entry of (await held(id)).slice(-1)) caches.kept.delete(field.base + cacheNameOf(wantedOf(entry)));
    expect((await tab.areas.areas(undefined, signal(), silent)).areas).toMatchObject([{ id, isUnfinished: true }]);
    expect((await tab.areas.areas(undefined, signal(), silent)).areas[0]?.saved).toBeUndefined();
    expect(await save(tab, id)).toEqual({ kind: "saved" });
    expect((await tab.areas.areas(undefined, signal(), silent)).areas[0]?.saved?.files).toBeGreaterThan(1);
    await expectWhole();
  });
});

test("the least recently used files are evicted above a fifth of the browser's quota", async () => {
  vi.stubGlobal("navigator", { storage: { estimate: async () => ({ usage: 0, quota: 5 * 8 * 32_768 }) } });
  tab = field.openTab();
  await seeAll();
  const kept = () => caches.kept.size - 1;
  expect(kept()).toBeGreaterThan(8);
  await tab.kept.seen.evict();
  expect(kept()).toBe(8);
});

describe("while the files of areas cannot be read", () => {
  beforeEach(() => {
    vi.stubGlobal("navigator", { locks: sharedLocks() });
    tab = field.openTab();
  });
  test.each(["open", "transaction", "get"] as const)("nothing is removed or evicted: %s fails", async (failing) => {
    await seeAll();
    const id = await add();
    await save(tab, id);
    field.host.files = later.files;
    other = field.openTab();
    await seeAll(other);
    const { manifest } = await readManifest(other.kept.source);
    const before = [...caches.kept.keys()];
    for (const opened of failing === "open" ? [field.openTab()] : [tab, other]) {
      database.onOperation = (operation) => {
        if (operation === failing) throw new DOMException(failing, "UnknownError");
      };
      await expect(opened.releases.tidy(manifest)).rejects.toThrow();
      await expect(opened.kept.seen.evict(0)).rejects.toThrow();
      await expect(opened.areas.areas(undefined, signal(), silent)).rejects.toThrow();
      await expect(opened.areas.removeArea(id, signal(), silent)).rejects.toThrow();
      database.onOperation = () => {};
      expect([...caches.kept.keys()]).toEqual(before);
    }
    await expectWhole();
    await other.releases.tidy(manifest);
    await expectWhole();
    expect(caches.kept.size).toBeLessThan(before.length);
  });

  test("a search continues without the store, also when IndexedDB does not answer", async () => {
    await save(tab, await add());
    await vi.advanceTimersByTimeAsync(0);
    field.host.fail(/./, HOST_FAULTS.offline);
    const refuse = () => {
      throw new DOMException("open", "UnknownError");
    };
    for (const open of [refuse, () => new IDBOpenDBRequest()]) {
      vi.stubGlobal("indexedDB", { open });
      const { kept } = field.openTab();
      const ends = Promise.all(
        [IN_CIRCLE, EVERYWHERE].map((question) => ask(kept.source, question).then((answer) => answer, String)),
      );
      await vi.waitFor(async () => {
        await vi.advanceTimersByTimeAsync(500);
        expect(await Promise.race([ends, "under way"])).not.toBe("under way");
      }, 20_000);
      const [within, beyond] = await ends;
      if (!within || typeof within === "string") throw new Error(within);
      expectAnswer(within, [release]);
      expect(beyond).toMatch(/place\/.* cannot be fetched/);
    }
  });
});
