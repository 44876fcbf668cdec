import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { AddedFile, OwnFile } from "../protocol/index.ts";
import { type FaultyIndexedDb, faultyIndexedDb } from "../testing/faulty-indexed-db.ts";
import { openOwnFiles } from "./file-handlers.ts";

const CSV = "name,lat,lng\nPort,43.73,7.42\nRock,43.74,7.43\n";
const csv = (name = "ports.csv") => new File([CSV], name, { type: "text/csv" });
const FOLDER = new URL("https://host.example/");
const signal = new AbortController().signal;
const report = () => {};

let database: FaultyIndexedDb;
const quota = { quota: 1e9, usage: 0 };
beforeEach(() => {
  database = faultyIndexedDb();
  vi.stubGlobal("indexedDB", database.factory);
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      postMessage() {}
    },
  );
  vi.stubGlobal("navigator", { storage: { estimate: async () => quota } });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A new tab, or the same one after a reload. */
function tab(base = FOLDER) {
  const { handlers: calls } = openOwnFiles({ base: () => base });
  return {
    add: async (file = csv()) => ownFile(await calls.addFile({ file }, signal, report)),
    keep: (id: string) => calls.keepFile(id, signal, report),
    forget: (id: string) => calls.forgetFile(id, signal, report),
    remove: (id: string) => calls.removeFile(id, signal, report),
    restore: (id: string) => calls.restoreFile(id, signal, report),
    kept: () => calls.keptFiles(undefined, signal, report),
    open: (key: string) => calls.openKept(key, signal, report),
    search: (id: string) => calls.searchFile({ id }, signal, report),
  };
}

function ownFile(added: AddedFile | undefined): OwnFile {
  if (added?.kind !== "added") throw new Error("not added");
  return added.file;
}

const nameOf = (kept: readonly { readonly name: string }[]) => kept.map(({ name }) => name);

describe("a stored file", () => {
  test("is available after a reload, and a file that was not stored is not", async () => {
    const before = tab();
    const [one, two] = [await before.add(), await before.add(csv("other.csv"))];
    expect([one.isKept, one.table, two.table]).toEqual([false, "my_ports", "my_other"]);
    expect(await before.keep(one.id)).toEqual({ kind: "kept" });
    const after = tab();
    const [kept] = await after.kept();
    expect(kept).toEqual({ key: kept?.key, name: "ports.csv", bytes: CSV.length });
    const opened = ownFile(await after.open(kept?.key ?? ""));
    expect({ ...opened, id: "" }).toEqual({ ...one, id: "", isKept: true });
    expect((await after.search(opened.id)).matches.map(({ title }) => title)).toEqual(["Port", "Rock"]);
    expect(await after.open(kept?.key ?? "")).toBeUndefined();
    expect((await after.kept()).map(({ id }) => id)).toEqual([opened.id]);
  });

  test("is stored once however often it is added, and is not visible to a site in another folder", async () => {
    const own = tab();
    const { id } = await own.add();
    await own.keep(id);
    await own.keep(id);
    expect(nameOf(await own.kept())).toEqual(["ports.csv"]);
    expect(await tab(new URL("https://host.example/other/")).kept()).toEqual([]);
  });

  test("is gone when it is forgotten or removed; a removed file can be restored unchanged", async () => {
    const own = tab();
    const { id } = await own.add();
    await own.keep(id);
    await own.forget(id);
    expect(await own.kept()).toEqual([]);
    await own.keep(id);
    await own.remove(id);
    expect(await own.kept()).toEqual([]);
    await expect(own.search(id)).rejects.toThrow(`no file ${id}`);
    expect(ownFile(await own.restore(id))).toMatchObject({ id, isKept: true });
    expect((await own.search(id)).total).toBe(2);
    expect(nameOf(await tab().kept())).toEqual(["ports.csv"]);
    expect(await own.restore(id)).toBeUndefined();
  });

  test("is two files in two tabs; one tab sees that the other forgets it", async () => {
    const [a, b] = [tab(), tab()];
    const [one, two] = [await a.add(), await b.add()];
    await Promise.all([a.keep(one.id), b.keep(two.id)]);
    const kept = await b.kept();
    expect(nameOf(kept)).toEqual(["ports.csv", "ports.csv"]);
    const ofA = kept.find(({ id }) => id === undefined);
    const again = ownFile(await b.open(ofA?.key ?? ""));
    await a.remove(one.id);
    expect((await b.kept()).map(({ id }) => id)).toEqual([two.id]);
    // it stays open there, and can be stored again
    expect((await b.search(again.id)).total).toBe(2);
    expect(await b.keep(again.id)).toEqual({ kind: "kept" });
    expect(await b.kept()).toHaveLength(2);
  });

  test("that disappears before it is read is no error", async () => {
    const own = tab();
    const { id } = await own.add();
    await own.keep(id);
    const later = tab();
    const [kept] = await later.kept();
    await own.remove(id);
    expect(await later.open(kept?.key ?? "")).toBeUndefined();
  });
});

test.each(["open", "transaction", "put", "commit"] as const)(
  "a store whose %s fails stores nothing, reports it, and works again later",
  async (operation) => {
    const own = tab();
    const { id } = await own.add();
    database.onOperation = (called) => {
      if (called === operation) throw new DOMException(operation, "UnknownError");
    };
    await expect(own.keep(id)).rejects.toThrow();
    database.onOperation = () => {};
    expect(await own.kept()).toEqual([]);
    expect((await own.search(id)).total).toBe(2);
    expect(await own.keep(id)).toEqual({ kind: "kept" });
    expect(nameOf(await tab().kept())).toEqual(["ports.csv"]);
  },
);

test.each(["transaction", "delete", "commit"] as const)(
  "a file that cannot be forgotten because %s fails stays, so that it does not return after a reload",
  async (operation) => {
    const own = tab();
    const { id } = await own.add();
    await own.keep(id);
    database.onOperation = (called) => {
      if (called === operation) throw new DOMException(operation, "UnknownError");
    };
    await expect(own.remove(id)).rejects.toThrow();
    await expect(own.forget(id)).rejects.toThrow();
    database.onOperation = () => {};
    expect((await own.search(id)).total).toBe(2);
    expect((await own.kept()).map((kept) => kept.id)).toEqual([id]);
    await own.remove(id);
    expect(await own.kept()).toEqual([]);
  },
);

test.each(["open", "transaction", "get"] as const)(
  "a failure of %s is not mistaken for an empty store",
  async (operation) => {
    const own = tab();
    await own.keep((await own.add()).id);
    const later = tab();
    database.onOperation = (called) => {
      if (called === operation) throw new DOMException(operation, "UnknownError");
    };
    await expect(later.kept()).rejects.toThrow();
    database.onOperation = () => {};
    expect(nameOf(await later.kept())).toEqual(["ports.csv"]);
  },
);

test("a full disk is reported with the bytes needed and free", async () => {
  const own = tab();
  const { id } = await own.add();
  database.onOperation = (called) => {
    if (called === "commit") throw new DOMException("no room", "QuotaExceededError");
  };
  vi.stubGlobal("navigator", { storage: { estimate: async () => ({ quota: 100, usage: 90 }) } });
  expect(await own.keep(id)).toEqual({ kind: "full", neededBytes: CSV.length, freeBytes: 10 });
  expect((await own.search(id)).total).toBe(2);
});

test.each([
  ["IndexedDB is missing", () => Reflect.deleteProperty(globalThis, "indexedDB")],
  [
    "site data is forbidden",
    () =>
      vi.stubGlobal("indexedDB", {
        open: () => {
          throw new DOMException("storage is forbidden", "SecurityError");
        },
      }),
  ],
])("where %s nothing is stored, and this is reported", async (_, take) => {
  take();
  const own = tab();
  const { id } = await own.add();
  expect(await own.kept()).toEqual([]);
  expect(await own.keep(id)).toEqual({ kind: "forbidden" });
  await own.remove(id);
});

test("a file whose columns are chosen has its places after a reload, too", async () => {
  const table = new File(["what,north,east\nRock,43.73,7.42\nPort,43.735,7.425"], "odd.csv");
  const { handlers: calls } = openOwnFiles({ base: () => FOLDER });
  const refused = await calls.addFile({ file: table }, signal, report);
  expect(refused).toMatchObject({ kind: "refused", fault: { code: "columns", columns: ["what", "north", "east"] } });
  const columns = { lat: "north", lng: "east" };
  const { id, rows } = ownFile(await calls.addFile({ file: table, columns }, signal, report));
  expect(rows).toBe(2);
  await calls.keepFile(id, signal, report);
  const after = tab();
  const [kept] = await after.kept();
  const opened = ownFile(await after.open(kept?.key ?? ""));
  expect([opened.name, opened.rows, opened.bbox]).toEqual(["odd.csv", 2, [7.42, 43.73, 7.425, 43.735]]);
});

test("filters of a table's columns do not apply to a file, which names them", async () => {
  const { handlers: calls } = openOwnFiles({ base: () => FOLDER });
  const { id } = ownFile(await calls.addFile({ file: csv() }, signal, report));
  const parameters = { lat: "43.73", lng: "7.42", radius: "100", Category: "Bakery", Price_min: "3", limit: "25" };
  const answer = await calls.searchFile({ id, search: { path: "/shops", parameters } }, signal, report);
  expect(answer).toMatchObject({ total: 1, matches: [{ title: "Port" }], unasked: ["Category", "Price_min"] });
  const named = { path: "/shops", parameters: { name: "rock", Category: "Bakery" } };
  expect(await calls.joinFiles({ search: named }, signal, report)).toMatchObject({
    total: 1,
    body: [{ title: "Rock" }],
  });
});

test("rows of all files are merged in one order between two distances, each once", async () => {
  const { handlers: calls } = openOwnFiles({ base: () => FOLDER });
  const rows = (from: number, count: number) =>
    `name,lat,lng\n${Array.from({ length: count }, (_, i) => `r${i},0,${(from + 2 * i) / 1000}`).join("\n")}\n`;
  for (const [from, count] of [
    [0, 400],
    [1, 300],
  ] as const)
    await calls.addFile({ file: new File([rows(from, count)], `f${from}.csv`) }, signal, report);
  const search = { path: "/places", parameters: { lat: "0", lng: "0", radius: "20000000" } };
  const all = await calls.joinFiles({ search }, signal, report);
  expect({ ...all, body: all.body.length }).toEqual({ total: 700, before: 0, left: 200, body: 500 });
  const meters = all.body.map(({ distanceMeters = -1 }) => distanceMeters);
  expect(meters).toEqual([...meters].sort((a, b) => a - b));
  const part = await calls.joinFiles({ search, from: meters[10] ?? 0, below: meters[20] ?? 0 }, signal, report);
  expect([part.before, part.left, part.body]).toEqual([10, 0, all.body.slice(10, 20)]);
});
