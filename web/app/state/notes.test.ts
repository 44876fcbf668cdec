import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Note } from "./notes.ts";

const KEY = "cairn-notes";
const note = (id: string, name = id): Note => ({ type: "place", id, name, text: "", lon: 1, lat: 2 });

let stored: Map<string, string>;
let fault: "read" | "write" | undefined;
let tell: (event: { readonly key: string | null }) => void;

beforeEach(() => {
  vi.resetModules();
  stored = new Map();
  fault = undefined;
  vi.stubGlobal("localStorage", {
    getItem(key: string) {
      if (fault === "read") throw new DOMException("no", "SecurityError");
      return stored.get(key) ?? null;
    },
    setItem(key: string, value: string) {
      if (fault) throw new DOMException("full", "QuotaExceededError");
      stored.set(key, value);
    },
  });
  vi.stubGlobal("addEventListener", (_: string, listener: typeof tell) => {
    tell = listener;
  });
});

afterEach(() => vi.unstubAllGlobals());

const open = () => import("./notes.ts");
const idsOf = (notes: readonly Note[]) => notes.map(({ id }) => id);

test("notes are stored, latest first, changed in place and restored to their position", async () => {
  const first = await open();
  for (const id of ["a", "b", "c"]) first.keepNote(note(id));
  first.keepNote(note("b", "mine"));
  expect(idsOf(first.notes.value)).toEqual(["c", "b", "a"]);
  const index = first.removeNote(note("b"));
  expect([index, first.noteOf(note("b"))]).toEqual([1, undefined]);
  first.keepNote(note("b", "mine"), index);
  vi.resetModules();
  const second = await open();
  expect(second.notes.value).toEqual([note("c"), note("b", "mine"), note("a")]);
  expect(second.areNotesLost.value).toBe(false);
});

test("changes by another tab are not overwritten, and are shown", async () => {
  const here = await open();
  here.keepNote(note("a"));
  stored.set(KEY, JSON.stringify([note("elsewhere"), note("a")]));
  here.keepNote(note("b"));
  expect(idsOf(here.notes.value)).toEqual(["b", "elsewhere", "a"]);
  stored.set(KEY, JSON.stringify([note("z")]));
  tell({ key: "another" });
  expect(idsOf(here.notes.value)).toEqual(["b", "elsewhere", "a"]);
  tell({ key: KEY });
  expect(idsOf(here.notes.value)).toEqual(["z"]);
  stored.clear();
  tell({ key: null });
  expect(here.notes.value).toEqual([]);
});

test.each(["read", "write"] as const)(
  "where storage refuses to %s, notes last until the page is closed, and this is shown",
  async (refusal) => {
    fault = refusal;
    const here = await open();
    here.keepNote(note("a"));
    here.keepNote(note("b"));
    here.removeNote(note("a"));
    expect([idsOf(here.notes.value), here.areNotesLost.value]).toEqual([["b"], true]);
    fault = undefined;
    here.keepNote(note("c"));
    expect([idsOf(here.notes.value), here.areNotesLost.value]).toEqual([["c", "b"], false]);
    expect(JSON.parse(stored.get(KEY) ?? "")).toHaveLength(2);
  },
);

test("invalid notes are ignored", async () => {
  stored.set(KEY, JSON.stringify([note("a"), { ...note("b"), type: "Dragon" }, { ...note("c"), lat: "2" }, null, 7]));
  expect(idsOf((await open()).notes.value)).toEqual(["a"]);
  for (const text of ["{", '{"a":1}', "7"]) {
    stored.set(KEY, text);
    vi.resetModules();
    expect((await open()).notes.value).toEqual([]);
  }
});
