import { expect, test } from "vitest";
import type { PartitionRef } from "../index-tree/tree.ts";
import type { Partition } from "./partition.ts";
import { createPartitionCache, type Lease } from "./partition-cache.ts";

function ref(sha256: string): PartitionRef {
  const node = { sha256, bytes: 1, rows: 1, bbox: [0, 0, 0, 0], country: "AA" } as const;
  return { collection: "place", run: "location", node };
}

/** A cache of partitions of 10 bytes that only have a node and a size. */
function cacheOf(maxBytes: number) {
  const loaded: string[] = [];
  const evicted: string[] = [];
  const cache = createPartitionCache({
    maxBytes,
    async load({ node }) {
      loaded.push(node.sha256);
      return { node, sizeBytes: 10 } as unknown as Partition;
    },
    loadShape: () => Promise.reject(new Error("no partition has shapes")),
    onEvict: ({ node }) => evicted.push(node.sha256),
  });
  const page = (lease: Lease, name: string) =>
    lease.pages.get(name, async () => {
      loaded.push(name);
      return { nodes: [], sizeBytes: 10 };
    });
  async function search(...names: string[]): Promise<void> {
    const lease = cache.lease();
    for (const name of names) await lease.read(ref(name));
    lease.end();
  }
  return { cache, loaded, evicted, search, page };
}

test("the least recently used partition leaves first", async () => {
  const { cache, loaded, evicted, search } = cacheOf(30);
  await search("a", "b", "c");
  await search("a");
  await search("d");
  expect(evicted).toEqual(["b"]);
  expect(cache.heldBytes()).toBe(30);
  await search("a", "b");
  expect(loaded).toEqual(["a", "b", "c", "d", "b"]);
});

test("what a search holds stays until it ends, however much it is", async () => {
  const { cache, evicted, search } = cacheOf(15);
  const lease = cache.lease();
  for (const name of ["a", "b", "c"]) await lease.read(ref(name));
  await search("d");
  expect(evicted).toEqual(["d"]);
  lease.end();
  expect(evicted).toEqual(["d", "a", "b"]);
});

test("a partition in memory is told from one that was read", async () => {
  const { cache } = cacheOf(100);
  const lease = cache.lease();
  expect((await lease.read(ref("a"))).from).toBe("source");
  expect((await lease.read(ref("a"))).from).toBe("memory");
  lease.end();
});

test("index pages leave as partitions do, within one budget", async () => {
  const { cache, loaded, evicted, search, page } = cacheOf(20);
  const lease = cache.lease();
  await page(lease, "root");
  await page(lease, "leaf");
  expect(cache.heldBytes()).toBe(20);
  lease.end();
  await search("a");
  expect(cache.heldBytes()).toBe(20);
  const again = cache.lease();
  await page(again, "leaf");
  await page(again, "root");
  again.end();
  expect(loaded).toEqual(["root", "leaf", "a", "root"]);
  expect(evicted).toEqual(["a"]);
});

test("a page that a search only looked at stays until it ends", async () => {
  const { cache, search, page } = cacheOf(10);
  const first = cache.lease();
  await page(first, "root");
  first.end();
  const second = cache.lease();
  expect(second.pages.peek("root")).toBeDefined();
  await search("a", "b");
  expect(second.pages.peek("root")).toBeDefined();
  expect(cache.heldBytes()).toBe(10);
  second.end();
});
