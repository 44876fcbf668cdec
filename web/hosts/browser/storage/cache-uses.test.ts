import { describe, expect, test } from "vitest";
import { createUseKeeper, leastRecent, type Use } from "./cache-uses.ts";

const KIB = 1024;
const use = (path: string, usedAtMs: number, bytes = 40 * KIB): Use => ({ path, bytes, usedAtMs });

describe("the least recently used", () => {
  test("are removed until the others fit", () => {
    const uses = [use("b", 2), use("a", 1), use("c", 3)];
    expect(leastRecent(uses, 120 * KIB)).toEqual([]);
    expect(leastRecent(uses, 119 * KIB).map(({ path }) => path)).toEqual(["a"]);
    expect(leastRecent(uses, 40 * KIB).map(({ path }) => path)).toEqual(["a", "b"]);
    expect(leastRecent(uses, 0).map(({ path }) => path)).toEqual(["a", "b", "c"]);
  });

  test("cost at least 32 KiB, so that there are thousands of blocks, not a hundred thousand", () => {
    const blocks = Array.from({ length: 9000 }, (_, at) => use(`${at}`, at, 2 * KIB));
    expect(leastRecent(blocks, 256 * KIB * KIB)).toHaveLength(9000 - 8192);
    expect(leastRecent([use("block", 0, 2 * KIB)], 32 * KIB)).toEqual([]);
  });
});

describe("a use keeper", () => {
  function keeperOf(pinned: readonly string[], capBytes: number, unknown: readonly string[] = []) {
    const written = new Map<string, Use>();
    const removed: string[] = [];
    let nowMs = 0;
    let looks = 0;
    const keeper = createUseKeeper({
      log: {
        uses: async () => [...written.values()],
        write: async (uses) => uses.forEach((each) => void written.set(each.path, each)),
        forget: async (paths) => paths.forEach((path) => void written.delete(path)),
      },
      remove: async (path) => void removed.push(path),
      list: async () => {
        looks++;
        return { all: [...unknown, ...written.keys()], pinned: new Set(pinned) };
      },
      alone: (work) => work(),
      capBytes: async () => capBytes,
      nowMs: () => nowMs++,
    });
    return { keeper, removed, written, looks: () => looks };
  }

  test("removes the least used, never files of an area", async () => {
    const { keeper, removed, written } = keeperOf(["a"], 2 * 40 * KIB);
    for (const path of ["a", "b", "c", "b", "d"]) keeper.note(path, 40 * KIB);
    await keeper.evict();
    expect(removed).toEqual(["c"]);
    expect([...written.keys()].sort()).toEqual(["a", "b", "d"]);
    expect(await keeper.seenBytes()).toBe(2 * 40 * KIB);
  });

  test("does not read the areas while everything fits", async () => {
    const { keeper, removed, looks } = keeperOf(["a"], 3 * 40 * KIB);
    for (const path of ["a", "b", "c"]) keeper.note(path, 40 * KIB);
    await keeper.evict();
    expect([removed, looks()]).toEqual([[], 0]);
  });

  test("removes all files outside areas when space is needed", async () => {
    const { keeper, removed } = keeperOf(["a"], 1000 * KIB);
    for (const path of ["a", "b", "c"]) keeper.note(path, 40 * KIB);
    await keeper.evict(0);
    expect(removed).toEqual(["b", "c"]);
  });

  test("removes files without a known use first", async () => {
    const { keeper, removed } = keeperOf(["a", "x"], 40 * KIB, ["x", "y"]);
    for (const path of ["a", "b", "c"]) keeper.note(path, 40 * KIB);
    await keeper.evict();
    expect(removed).toEqual(["y", "b"]);
  });

  test("removes files without a known use when space is needed, although no other is cached", async () => {
    const { keeper, removed } = keeperOf(["x"], 1000 * KIB, ["x", "y"]);
    await keeper.evict(0);
    expect(removed).toEqual(["y"]);
  });
});
