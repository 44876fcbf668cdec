import { deleteDB, openDB } from "idb";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FORMAT_VERSION } from "../../../../data/format/manifest.ts";
import type { Area } from "../protocol/area-calls.ts";
import { type FaultyIndexedDb, faultyIndexedDb } from "../testing/faulty-indexed-db.ts";
import type { AreaFiles } from "./area-store.ts";
import { openBrowserStore } from "./database.ts";

const FOLDER = new URL("https://host.example/dataset/");
const area: Area = {
  id: "a",
  name: "a",
  selection: { shape: { kind: "country", country: "AA" }, collections: ["place"], hasNames: false },
  createdAtMs: 0,
  isUnfinished: true,
};
const FILES: AreaFiles = {
  manifest: {
    format: "cairn",
    format_version: FORMAT_VERSION,
    sha256: "0".repeat(64),
    release: "one",
    attribution: [],
    rejects: { rows: 0, bytes: 0, sha256: "0".repeat(64), reasons: {} },
    collections: {},
  },
  files: [{ path: "b", offset: 0, bytes: 1, sha256: "0".repeat(64) }],
};
const use = { path: "b", bytes: 1, usedAtMs: 2 };

let database: FaultyIndexedDb;
beforeEach(() => {
  database = faultyIndexedDb();
  vi.stubGlobal("indexedDB", database.factory);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a failing store is not mistaken for an empty one, and works again later", async () => {
  const { areas, uses } = openBrowserStore(FOLDER);
  await areas.write(area);
  for (const operation of ["open", "transaction", "get"] as const) {
    const tab = operation === "open" ? openBrowserStore(FOLDER) : { areas, uses };
    database.onOperation = (called) => {
      if (called === operation) throw new DOMException(operation, "UnknownError");
    };
    for (const read of [() => tab.areas.areas(), () => tab.areas.area("a"), () => tab.areas.files("a", "saved")])
      await expect(read(), operation).rejects.toThrow();
    await expect(tab.uses.uses(), operation).rejects.toThrow();
    database.onOperation = () => {};
    expect(await tab.areas.areas(), operation).toEqual([area]);
  }
});

test("a change is made completely or not at all, whichever call fails", async () => {
  const { areas, uses } = openBrowserStore(FOLDER);
  await areas.write(area, { next: FILES });
  for (const operation of ["transaction", "put", "delete", "commit"] as const) {
    database.onOperation = (called) => {
      if (called === operation) throw new DOMException(operation, "UnknownError");
    };
    const renamed = { ...area, name: "b" };
    await expect(areas.write(renamed, { saved: FILES, next: null }), operation).rejects.toThrow();
    if (operation !== "put") await expect(areas.remove("a"), operation).rejects.toThrow();
    if (operation !== "delete") await expect(uses.write([use]), operation).rejects.toThrow();
    database.onOperation = () => {};
    expect(await areas.areas(), operation).toEqual([area]);
    expect([await areas.files("a", "next"), await areas.files("a", "saved")], operation).toEqual([FILES, undefined]);
    expect(await uses.uses(), operation).toEqual([]);
  }
});

describe("without a store nothing is remembered, and saving is refused", () => {
  const open = () => {
    throw new DOMException("storage is forbidden", "SecurityError");
  };
  test.each([
    ["IndexedDB is missing", () => Reflect.deleteProperty(globalThis, "indexedDB")],
    ["site data is forbidden", () => vi.stubGlobal("indexedDB", { open })],
  ])("%s", async (_, take) => {
    take();
    const { areas, uses } = openBrowserStore(FOLDER);
    expect([await areas.areas(), await areas.area("a"), await uses.uses()]).toEqual([[], undefined, []]);
    await uses.write([use]);
    await expect(areas.write(area)).rejects.toThrow("areas cannot be saved");
  });
});

describe("a connection", () => {
  /** A tab that does not react to a version change, and a waiting upgrade: other openers then wait too. */
  async function block(): Promise<() => void> {
    const unresponsive = await openDB("cairn", 1);
    const deletion = deleteDB("cairn");
    return async () => {
      unresponsive.close();
      await deletion;
    };
  }

  test("that does not open is awaited for a limited time, and works when it opens", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    await openBrowserStore(FOLDER).areas.write(area);
    const unblock = await block();
    const { areas } = openBrowserStore(FOLDER);
    const waits = expect(areas.areas()).rejects.toThrow("IndexedDB did not open within 3 s");
    await vi.advanceTimersByTimeAsync(3000);
    await waits;
    // timers are still fake
    await expect(areas.areas()).rejects.toThrow("IndexedDB did not open within 3 s");
    await unblock();
    await vi.waitFor(async () => expect(await areas.areas()).toEqual([]));
    await areas.write(area);
    expect(await areas.areas()).toEqual([area]);
  });

  test("that never opens is requested again", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const open = vi.fn(() => new IDBOpenDBRequest());
    vi.stubGlobal("indexedDB", { open });
    const { areas } = openBrowserStore(FOLDER);
    for (let i = 0; i < 2; i++) {
      const waits = expect(areas.areas()).rejects.toThrow("did not open");
      await vi.advanceTimersByTimeAsync(3000);
      await waits;
    }
    expect(open).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(30_000);
    vi.stubGlobal("indexedDB", database.factory);
    expect(await areas.areas()).toEqual([]);
  });

  test("closes for another tab that waits, and opens again", async () => {
    const { areas } = openBrowserStore(FOLDER);
    await areas.write(area);
    await deleteDB("cairn");
    expect(await areas.areas()).toEqual([]);
  });

  test("that the browser closed silently opens again", async () => {
    const closed: IDBDatabase[] = [];
    const { open } = database.factory;
    database.factory.open = (...args) => {
      const request = open(...args);
      request.addEventListener("success", () => closed.push(request.result));
      return request;
    };
    const { areas } = openBrowserStore(FOLDER);
    await areas.write(area);
    for (const each of closed) each.close();
    expect(await areas.areas()).toEqual([area]);
  });

  test("that does not answer ends in an error, and its write is undone", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { areas } = openBrowserStore(FOLDER);
    await areas.write(area);
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...args) {
      // its transaction stays open while there are requests
      const goOn = () => this.get("").addEventListener("success", goOn);
      goOn();
      return put.apply(this, args);
    };
    const waits = expect(areas.write({ ...area, name: "b" })).rejects.toThrow("IndexedDB did not answer within 10 s");
    await vi.advanceTimersByTimeAsync(10_000);
    IDBObjectStore.prototype.put = put;
    await waits;
    expect(await areas.areas()).toEqual([area]);
  });
});
