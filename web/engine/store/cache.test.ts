import { expect, test } from "vitest";
import { createCache, type Lease } from "./cache.ts";

/** A cache with two sections of things that have a name and 10 bytes. */
function cacheOf(maxBytes: number) {
  const loaded: string[] = [];
  const cache = createCache(maxBytes);
  const [rows, pages] = [cache.section<{ name: string }>(() => 10), cache.section<{ name: string }>(() => 10)];
  const take = (lease: Lease, section: typeof rows, name: string) =>
    section.read(lease, name, async () => {
      loaded.push(name);
      return { name };
    });
  async function search(...names: string[]): Promise<void> {
    const lease = cache.lease();
    for (const name of names) await take(lease, rows, name);
    lease.end();
  }
  const held = (section: typeof rows) => ["a", "b", "c", "d", "late"].filter((name) => section.has(name));
  return { cache, rows, pages, loaded, take, search, held };
}

test("the least recently used leaves first", async () => {
  const { cache, rows, loaded, search, held } = cacheOf(30);
  await search("a", "b", "c");
  await search("a");
  await search("d");
  expect(held(rows)).toEqual(["a", "c", "d"]);
  expect([rows.has("b"), rows.has("a")]).toEqual([false, true]);
  expect(cache.heldBytes()).toBe(30);
  await search("a", "b");
  expect(loaded).toEqual(["a", "b", "c", "d", "b"]);
});

test("what a search holds stays until it ends, however much it is", async () => {
  const { cache, rows, take, search, held } = cacheOf(15);
  const lease = cache.lease();
  for (const name of ["a", "b", "c"]) await take(lease, rows, name);
  await search("d");
  expect(held(rows)).toEqual(["a", "b", "c"]);
  expect(cache.heldBytes()).toBe(30);
  lease.end();
  expect(held(rows)).toEqual(["c"]);
});

test("of two searches with one thing the last to end lets it go", async () => {
  const { cache, rows, take, held } = cacheOf(5);
  const [first, second] = [cache.lease(), cache.lease()];
  await take(first, rows, "a");
  await take(second, rows, "a");
  first.end();
  expect(held(rows)).toEqual(["a"]);
  second.end();
  expect([held(rows), cache.heldBytes()]).toEqual([[], 0]);
});

test("a value says whether it was in memory or read", async () => {
  const { cache, rows, take } = cacheOf(100);
  const lease = cache.lease();
  expect((await take(lease, rows, "a")).from).toBe("source");
  expect((await take(lease, rows, "a")).from).toBe("memory");
  lease.end();
});

test("sections have one budget and names of their own", async () => {
  const { cache, rows, pages, loaded, take, held } = cacheOf(20);
  const first = cache.lease();
  await take(first, pages, "a");
  await take(first, rows, "a");
  first.end();
  expect([held(pages), held(rows), cache.heldBytes()]).toEqual([["a"], ["a"], 20]);
  const second = cache.lease();
  await take(second, pages, "b");
  second.end();
  expect([held(pages), held(rows)]).toEqual([["b"], ["a"]]);
  expect(loaded).toEqual(["a", "a", "b"]);
});

test("what a search only looked at stays until it ends", async () => {
  const { cache, rows, pages, take, search } = cacheOf(10);
  const first = cache.lease();
  await take(first, pages, "root");
  first.end();
  const second = cache.lease();
  expect(pages.peek(second, "root")).toEqual({ name: "root" });
  expect(pages.peek(second, "leaf")).toBeUndefined();
  await search("a", "b");
  expect(pages.peek(second, "root")).toEqual({ name: "root" });
  expect([rows.has("a"), rows.has("b"), cache.heldBytes()]).toEqual([false, false, 10]);
  second.end();
});

test("what grew while it was searched is weighed anew when the search ends", async () => {
  const cache = createCache(100);
  const section = cache.section<{ bytes: number }>(({ bytes }) => bytes);
  const [first, second] = [cache.lease(), cache.lease()];
  const thing = { bytes: 10 };
  await section.read(first, "a", async () => thing);
  await section.read(second, "a", async () => thing);
  thing.bytes = 90;
  expect(cache.heldBytes()).toBe(10);
  first.end();
  expect(cache.heldBytes()).toBe(90);
  thing.bytes = 101;
  second.end();
  expect([cache.heldBytes(), section.has("a")]).toEqual([0, false]);
});

test("what comes after its search has ended is kept within the budget", async () => {
  const { cache, rows, take, search, held } = cacheOf(10);
  const ended = cache.lease();
  await search("a");
  ended.end();
  await take(ended, rows, "late");
  expect([held(rows), cache.heldBytes()]).toEqual([["late"], 10]);
});

test("what cannot be had takes no room, and is asked for again", async () => {
  const { cache, rows, take } = cacheOf(10);
  const lease = cache.lease();
  const broken = rows.read(lease, "a", () => Promise.reject(new Error("lost")));
  await expect(broken).rejects.toThrow("lost");
  expect([cache.heldBytes(), rows.has("a")]).toEqual([0, false]);
  expect((await take(lease, rows, "a")).value).toEqual({ name: "a" });
  lease.end();
});
