import { describe, expect, test } from "vitest";
import { createUseKeeper, leastRecent, type Use } from "./cache-uses.ts";

const use = (path: string, usedAtMs: number, bytes = 10): Use => ({ path, bytes, usedAtMs });

describe("the least recently used", () => {
  test("leave until the others fit", () => {
    const uses = [use("b", 2), use("a", 1), use("c", 3)];
    expect(leastRecent(uses, 30)).toEqual([]);
    expect(leastRecent(uses, 29).map(({ path }) => path)).toEqual(["a"]);
    expect(leastRecent(uses, 10).map(({ path }) => path)).toEqual(["a", "b"]);
    expect(leastRecent(uses, 0).map(({ path }) => path)).toEqual(["a", "b", "c"]);
  });
});

describe("a use keeper", () => {
  function keeperOf(pinned: readonly string[], capBytes: number) {
    const written = new Map<string, Use>();
    const removed: string[] = [];
    let nowMs = 0;
    const keeper = createUseKeeper({
      log: {
        uses: async () => [...written.values()],
        write: async (uses) => uses.forEach((each) => void written.set(each.path, each)),
        forget: async (paths) => paths.forEach((path) => void written.delete(path)),
      },
      remove: async (path) => void removed.push(path),
      pinned: async () => new Set(pinned),
      alone: (work) => work(),
      capBytes: async () => capBytes,
      nowMs: () => nowMs++,
    });
    return { keeper, removed, written };
  }

  test("removes what was used the least, never what an area holds", async () => {
    const { keeper, removed, written } = keeperOf(["a"], 20);
    for (const path of ["a", "b", "c", "b", "d"]) keeper.note(path, 10);
    await keeper.evict();
    expect(removed).toEqual(["c"]);
    expect([...written.keys()].sort()).toEqual(["a", "b", "d"]);
    expect(await keeper.seenBytes()).toBe(20);
  });

  test("removes all that was seen when room is needed", async () => {
    const { keeper, removed } = keeperOf(["a"], 1000);
    for (const path of ["a", "b", "c"]) keeper.note(path, 10);
    await keeper.evict(0);
    expect(removed).toEqual(["b", "c"]);
  });
});
