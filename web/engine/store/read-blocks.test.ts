import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { BLOCK_BYTES, blocksFor, sealBlock, sealLast } from "../../../data/format/blocks.ts";
import { knownCollection } from "../../../data/format/collections.ts";
import type { ChunkNode } from "../../../data/format/manifest.ts";
import { packPath } from "../../../data/format/paths.ts";
import { openGroup, writeGroup } from "../../../data/format/records.ts";
import { writeWkb } from "../../../data/format/write-wkb.ts";
import { FetchError } from "../contract/errors.ts";
import type { ByteSource, ReadOptions } from "../contract/ports.ts";
import type { FileUse } from "../contract/query.ts";
import type { PartitionRef } from "../index-tree/tree.ts";
import { randomFrom } from "../testing/random.ts";
import { countingSource, memorySource } from "../testing/sources.ts";
import { createCache } from "./cache.ts";
import { type BlockReader, readBlocks } from "./read-blocks.ts";
import { openRecords, type RecordRows } from "./record-rows.ts";

const DICTIONARY = new TextEncoder().encode('{"id":"row","version":1}');
const PATH = packPath("place", "records", "0123456789abcdef");
/** The chunk begins somewhere in its pack. */
const OFFSET = 5000;

/** A chunk of groups of one row each, with the number of blocks of each group. */
async function chunkOf(blocksOfGroups: readonly number[]) {
  const random = randomFrom(blocksOfGroups.length);
  const blocks: number[] = [];
  const groups: Uint8Array[] = [];
  let block = 0;
  for (const [index, count] of blocksOfGroups.entries()) {
    // what is random does not shrink
    const filler = Uint8Array.from({ length: Math.max(0, (count - 1) * BLOCK_BYTES - 500) }, () => random.below(256));
    const text = JSON.stringify({ id: `row${index}`, basic_category: Buffer.from(filler).toString("base64") });
    const record = {
      json: new TextEncoder().encode(text),
      geometry: writeWkb({ type: "Point", coordinates: [index, 0] }),
    };
    const content = writeGroup([record], (bytes) => deflateRawSync(bytes, { dictionary: DICTIONARY }));
    const seal = index === blocksOfGroups.length - 1 ? sealLast : sealBlock;
    blocks.push(block);
    groups.push(await seal(content, block));
    block += blocksFor(content.length);
  }
  const bytes = new Uint8Array(Buffer.concat([new Uint8Array(OFFSET), ...groups, new Uint8Array(100)]));
  const node: ChunkNode = {
    sha256: "a".repeat(64),
    bytes: groups.reduce((sum, { length }) => sum + length, 0),
    pack: "0123456789abcdef",
    offset: OFFSET,
    rows: groups.length,
    bbox: [0, 0, 100, 0],
    country: "AA",
    chunk: 0,
    blocks: block,
  };
  const ref: PartitionRef<"records"> = { collection: "place", run: "records", node };
  return { ref, blocks, bytes, files: new Map([[PATH, bytes]]) };
}

/** Readers of one cache, as searches of one dataset are. */
function readersOf(source: ByteSource, dictionaryOf: () => Promise<Uint8Array> = async () => DICTIONARY, gapBytes = 0) {
  const cache = createCache(1e9);
  const section = cache.section<RecordRows>(({ sizeBytes }) => sizeBytes);
  const uses: FileUse[] = [];
  const reader = (signal = new AbortController().signal): BlockReader<RecordRows, "records"> => ({
    source,
    gapBytes,
    lease: cache.lease(),
    section,
    async openerOf({ collection, node }) {
      const dictionary = await dictionaryOf();
      return async (bytes, block) =>
        openRecords(
          { schema: knownCollection(collection), country: node.country, blocks: bytes.length / BLOCK_BYTES },
          await openGroup(bytes, block, dictionary),
        );
    },
    log: (use) => void uses.push(use),
    signal,
  });
  return { reader, uses };
}

const idsOf = (groups: ReadonlyMap<number, RecordRows>) =>
  Object.fromEntries([...groups].sort(([a], [b]) => a - b).map(([block, rows]) => [block, rows.id(0)]));

/** The first block of every range that was asked for, and its blocks. That of the end of the slice may be shorter. */
const rangesOf = ({ requests }: ReturnType<typeof countingSource>) =>
  requests
    .map(({ offset, bytes }) => [(offset - OFFSET) / BLOCK_BYTES, Math.ceil(bytes / BLOCK_BYTES)])
    .sort(([a = 0], [b = 0]) => a - b);

test("neighbouring blocks are one range, others each their own, all asked for together, nothing in vain", async () => {
  const { ref, files } = await chunkOf(Array(60).fill(1));
  const source = countingSource(memorySource(files));
  const { reader, uses } = readersOf(source);
  const groups = await readBlocks(reader(), ref, [40, 3, 4, 5, 7, 20, 41, 3]);
  expect(idsOf(groups)).toEqual({
    3: "row3",
    4: "row4",
    5: "row5",
    7: "row7",
    20: "row20",
    40: "row40",
    41: "row41",
  });
  expect(rangesOf(source)).toEqual([
    [3, 3],
    [7, 1],
    [20, 1],
    [40, 2],
  ]);
  expect(source.roundTrips).toBe(1);
  expect(uses.map(({ path, offset = 0, bytes, from }) => [path, (offset - OFFSET) / BLOCK_BYTES, bytes, from])).toEqual(
    expect.arrayContaining([
      [PATH, 3, 3 * BLOCK_BYTES, "source"],
      [PATH, 7, BLOCK_BYTES, "source"],
      [PATH, 40, 2 * BLOCK_BYTES, "source"],
    ]),
  );
  expect(uses).toHaveLength(4);
});

test("no byte after the slice is asked for, even where the last group is longer than known", async () => {
  const { ref, blocks, files } = await chunkOf([1, 3]);
  const [, last = 0] = blocks;
  for (const blocksOf of [() => 1, () => ref.node.blocks - last]) {
    const source = countingSource(memorySource(files));
    const { reader } = readersOf(source);
    expect(idsOf(await readBlocks(reader(), ref, [last], blocksOf))).toEqual({ [last]: "row1" });
    const ends = source.requests.map(({ offset, bytes }) => offset + bytes);
    expect(Math.max(...ends)).toBe(OFFSET + ref.node.bytes);
    expect(ref.node.bytes % BLOCK_BYTES).toBeGreaterThan(0);
  }
});

test("a block after the end of the slice is refused", async () => {
  const { ref, files } = await chunkOf([1, 1]);
  const { reader } = readersOf(memorySource(files));
  await expect(readBlocks(reader(), ref, [2])).rejects.toThrow(/ends before byte/);
});

test("groups in memory are not asked for again, and do not join ranges beside them", async () => {
  const { ref, files } = await chunkOf(Array(20).fill(1));
  const source = countingSource(memorySource(files));
  const { reader, uses } = readersOf(source);
  await readBlocks(reader(), ref, [4, 5]);
  source.reset();
  uses.length = 0;
  expect(idsOf(await readBlocks(reader(), ref, [4, 5]))).toEqual({ 4: "row4", 5: "row5" });
  expect(source.requests).toEqual([]);
  expect(uses.map(({ from }) => from)).toEqual(["memory", "memory"]);
  await readBlocks(reader(), ref, [3, 4, 5, 6]);
  expect(rangesOf(source)).toEqual([
    [3, 1],
    [6, 1],
  ]);
});

test("a range is at most 1 MiB", async () => {
  const { ref, files } = await chunkOf(Array(700).fill(1));
  const source = countingSource(memorySource(files));
  const { reader } = readersOf(source);
  const groups = await readBlocks(
    reader(),
    ref,
    Array.from({ length: 700 }, (_, block) => block),
  );
  expect(groups.size).toBe(700);
  expect(rangesOf(source)).toEqual([
    [0, 512],
    [512, 188],
  ]);
});

test("blocks are one range where the gap costs less than a request", async () => {
  const { ref, blocks, files } = await chunkOf([1, 1, 5, 1, 1, 1, 1, 1]);
  const source = countingSource(memorySource(files));
  const { reader, uses } = readersOf(source, undefined, 2 * BLOCK_BYTES);
  const [first = 0, , long = 0, , next = 0, , , last = 0] = blocks;
  // The group of several blocks reaches into the gap: its rest is not read again.
  const groups = await readBlocks(reader(), ref, [last, first, long]);
  expect(Object.values(idsOf(groups))).toEqual(["row0", "row2", "row7"]);
  expect(rangesOf(source)[0]).toEqual([first, 3]);
  expect(uses.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(
    source.requests.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  source.reset();
  const near = await readBlocks(readersOf(source, undefined, 2 * BLOCK_BYTES).reader(), ref, [next, last]);
  expect(Object.values(idsOf(near))).toEqual(["row4", "row7"]);
  expect(rangesOf(source)).toEqual([[next, 4]]);
});

test("a damaged block in a gap does not matter", async () => {
  const { ref, files } = await chunkOf([1, 1, 1]);
  const source = damagedSource(files, 1);
  const groups = await readBlocks(readersOf(source, undefined, BLOCK_BYTES).reader(), ref, [0, 2]);
  expect(Object.values(idsOf(groups))).toEqual(["row0", "row2"]);
});

/** The files with a changed byte in a block of the chunk. */
function damagedSource(files: ReadonlyMap<string, Uint8Array>, block: number): ByteSource {
  const bytes = (files.get(PATH) ?? new Uint8Array()).slice();
  const at = OFFSET + block * BLOCK_BYTES + 100;
  return memorySource(new Map([[PATH, bytes.with(at, (bytes[at] ?? 0) ^ 1)]]));
}

test("a long group is read on from its first block, once; what follows is not", async () => {
  const { ref, blocks, files } = await chunkOf([1, 9, 1, 3, 1]);
  const [first = 0, long = 0, after = 0, other = 0, last = 0] = blocks;
  const size = after - long;
  expect(size).toBeGreaterThan(4);
  const source = countingSource(memorySource(files));
  const { reader, uses } = readersOf(source);
  expect(idsOf(await readBlocks(reader(), ref, [long]))).toEqual({ [long]: "row1" });
  expect(rangesOf(source)).toEqual([
    [long, 1],
    [long + 1, size - 1],
  ]);
  expect(uses.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(size * BLOCK_BYTES);
  // the last of a range of several, too; one that stands apart by a range of its own
  source.reset();
  const fresh = readersOf(source);
  const groups = await readBlocks(fresh.reader(), ref, [first, long, other, last]);
  expect(idsOf(groups)).toEqual({ [first]: "row0", [long]: "row1", [other]: "row3", [last]: "row4" });
  expect(rangesOf(source)).toEqual([
    [first, 2],
    [long + 1, size - 1],
    [other, 1],
    [other + 1, last - other - 1],
    [last, 1],
  ]);
});

test("groups whose length is known are one range, however long", async () => {
  const { ref, blocks, files } = await chunkOf([1, 4, 1, 5, 3, 1]);
  const source = countingSource(memorySource(files));
  const { reader } = readersOf(source);
  const [first = 0, , , , , last = 0] = blocks;
  const blocksOf = (block: number) => (blocks.find((each) => each > block) ?? ref.node.blocks) - block;
  const groups = await readBlocks(reader(), ref, blocks, blocksOf);
  expect(Object.values(idsOf(groups))).toEqual(["row0", "row1", "row2", "row3", "row4", "row5"]);
  expect(rangesOf(source)).toEqual([[first, last + 1]]);
});

test("two who ask for the same at once have it read once", async () => {
  const { ref, files } = await chunkOf(Array(10).fill(1));
  const source = countingSource(memorySource(files));
  const { reader } = readersOf(source);
  const [one, other] = await Promise.all([readBlocks(reader(), ref, [2, 3]), readBlocks(reader(), ref, [2, 3])]);
  expect([idsOf(one), idsOf(other)]).toEqual(Array(2).fill({ 2: "row2", 3: "row3" }));
  expect(rangesOf(source)).toEqual([[2, 2]]);
});

/** A source whose reads are answered when the test says so, or aborted. */
function slowSource(files: ReadonlyMap<string, Uint8Array>) {
  const waiting: (() => void)[] = [];
  const aborted: number[] = [];
  const asked: number[] = [];
  const inner = memorySource(files);
  const source: ByteSource = {
    name: "slow",
    async read(path, options = {}) {
      const block = ((options.range?.start ?? 0) - OFFSET) / BLOCK_BYTES;
      asked.push(block);
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve);
        options.signal?.addEventListener("abort", () => {
          aborted.push(block);
          reject(options.signal?.reason);
        });
      });
      return inner.read(path, options);
    },
  };
  const answer = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { source, asked, aborted, answer };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

test.each([
  ["the same blocks", [2, 3], [2, 3], 1],
  ["one of the blocks", [2, 3], [3], 2],
  ["more blocks", [2], [2, 3], 2],
])("who leaves does not take %s from another", async (_, mine, theirs, most) => {
  const { ref, files } = await chunkOf(Array(10).fill(1));
  const { source, asked, answer } = slowSource(files);
  const { reader } = readersOf(source);
  const leaver = new AbortController();
  const leaving = readBlocks(reader(leaver.signal), ref, mine);
  const staying = readBlocks(reader(), ref, theirs);
  await soon();
  leaver.abort();
  await expect(leaving).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  await soon();
  answer();
  expect(Object.keys(idsOf(await staying)).map(Number)).toEqual(theirs);
  expect(asked.length).toBeLessThanOrEqual(most);
});

test("when the last one leaves, what was asked for is left alone", async () => {
  const { ref, files } = await chunkOf(Array(10).fill(1));
  const { source, aborted } = slowSource(files);
  const { reader } = readersOf(source);
  const leaver = new AbortController();
  const both = [readBlocks(reader(leaver.signal), ref, [2]), readBlocks(reader(leaver.signal), ref, [2])];
  await soon();
  leaver.abort();
  for (const each of both) await expect(each).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  expect(aborted).toEqual([2]);
});

/** The file, changed unless it is asked for past the caches. */
function damaged(files: ReadonlyMap<string, Uint8Array>, change: (bytes: Uint8Array, start: number) => Uint8Array) {
  const asked: boolean[] = [];
  const inner = memorySource(files);
  let isForGood = false;
  const source: ByteSource = {
    name: "test",
    async read(path, options: ReadOptions = {}) {
      asked.push(options.fresh ?? false);
      const bytes = (await inner.read(path, options)).slice();
      return options.fresh && !isForGood ? bytes : change(bytes, ((options.range?.start ?? 0) - OFFSET) / BLOCK_BYTES);
    },
  };
  const forGood = () => {
    isForGood = true;
  };
  return { source, asked, forGood };
}

const flip = (at: number) => (bytes: Uint8Array) => bytes.with(at, (bytes[at] ?? 0) ^ 1);
const FAULTS: readonly (readonly [string, (bytes: Uint8Array, start: number) => Uint8Array, RegExp])[] = [
  ["a changed check", flip(0), /block 1 does not hold its check/],
  ["a changed length", flip(9), /block 1 does not hold its check/],
  ["an enormous length", (bytes) => bytes.fill(0xff, 8, 12), /block 1 does not hold its check/],
  ["a changed byte", flip(50), /block 1 does not hold its check/],
  ["a changed byte behind what is compressed", flip(BLOCK_BYTES - 1), /block 1 does not hold its check/],
  ["too few bytes", (bytes) => bytes.subarray(1), /has 2047 bytes from byte 7048 on, expected 2048/],
  ["a web page", () => new TextEncoder().encode("<html>"), /has 6 bytes from byte 7048 on, expected 2048/],
];

test.each(FAULTS)("%s is asked for once more, past the caches, then named", async (_, change, reason) => {
  const { ref, files } = await chunkOf([1, 1, 1]);
  const { source, asked, forGood } = damaged(files, change);
  const cured = await readBlocks(readersOf(source).reader(), ref, [1]);
  expect([idsOf(cured), asked]).toEqual([{ 1: "row1" }, [false, true]]);
  forGood();
  const { reader } = readersOf(source);
  for (let i = 0; i < 2; i++) {
    const lost = readBlocks(reader(), ref, [1]);
    await expect(lost).rejects.toThrow(reason);
    await expect(lost).rejects.toThrow(
      expect.objectContaining({ name: "FetchError", path: PATH, isUnanswered: false }),
    );
  }
});

test("the bytes of another block are not taken for those of the one asked for", async () => {
  const { ref, files, bytes } = await chunkOf([1, 1, 1]);
  const second = bytes.slice(OFFSET + BLOCK_BYTES, OFFSET + 2 * BLOCK_BYTES);
  const { source, forGood } = damaged(files, (_, start) => (start === 0 ? second : bytes.slice(0, BLOCK_BYTES)));
  forGood();
  await expect(readBlocks(readersOf(source).reader(), ref, [0])).rejects.toThrow(/block 0 does not hold its check/);
});

test.each([
  ["the rest", (start: number) => start > 1],
  ["the prefix", (start: number) => start === 1],
  ["both", () => true],
])("of a long group %s is asked for once more, past the caches, then named", async (_, isDamaged) => {
  const { ref, files } = await chunkOf([1, 6, 1]);
  const change = (bytes: Uint8Array, start: number) => (isDamaged(start) ? flip(100)(bytes) : bytes);
  const { source, asked, forGood } = damaged(files, change);
  expect(idsOf(await readBlocks(readersOf(source).reader(), ref, [1]))).toEqual({ 1: "row1" });
  expect(asked.filter((isFresh) => isFresh).length).toBeGreaterThan(0);
  forGood();
  const lost = readBlocks(readersOf(source).reader(), ref, [1]);
  await expect(lost).rejects.toThrow(/block 1 does not hold its check/);
  await expect(lost).rejects.toThrow(expect.objectContaining({ name: "FetchError", isUnanswered: false }));
});

test.each([
  ["is cut short", (bytes: Uint8Array) => bytes.subarray(0, -1)],
  ["goes on too far", (bytes: Uint8Array) => new Uint8Array([...bytes, 0])],
])("the rest of a long group that %s is damage", async (_, change) => {
  const { ref, files } = await chunkOf([1, 6, 1]);
  const { source, forGood } = damaged(files, (bytes, start) => (start > 1 ? change(bytes) : bytes));
  expect(idsOf(await readBlocks(readersOf(source).reader(), ref, [1]))).toEqual({ 1: "row1" });
  forGood();
  await expect(readBlocks(readersOf(source).reader(), ref, [1])).rejects.toThrow(FetchError);
});

test("a cache is informed of each range, sound or damaged", async () => {
  const { ref, files } = await chunkOf([1, 6, 1]);
  const inner = memorySource(files);
  const judged: unknown[] = [];
  const source: ByteSource = {
    name: "cache",
    async read(path, options = {}) {
      const bytes = await inner.read(path, options);
      const damaged = flip(60)(bytes);
      judged.push([await options.isSound?.(bytes), await options.isSound?.(damaged)]);
      return bytes;
    },
  };
  await readBlocks(readersOf(source).reader(), ref, [1]);
  expect(judged).toContainEqual([true, false]);
  expect(judged.length).toBeGreaterThanOrEqual(2);
  expect(judged.flat().every((each) => typeof each === "boolean")).toBe(true);
});

test("without the dictionary no group is read, and the next one who asks may have better luck", async () => {
  const { ref, files } = await chunkOf([1, 1]);
  let isLost = true;
  const { reader } = readersOf(memorySource(files), async () => {
    if (isLost) throw new FetchError("the dictionary is lost", { path: "d", status: 404 });
    return DICTIONARY;
  });
  await expect(readBlocks(reader(), ref, [0])).rejects.toMatchObject({ path: "d", status: 404 });
  isLost = false;
  expect(idsOf(await readBlocks(reader(), ref, [0]))).toEqual({ 0: "row0" });
});

test("with another dictionary than that of the collection groups are damaged", async () => {
  const { ref, files } = await chunkOf([1, 1]);
  const { reader } = readersOf(memorySource(files), async () => new Uint8Array());
  await expect(readBlocks(reader(), ref, [0])).rejects.toThrow(FetchError);
});

test("a network that is gone while the rest of a long group is read is no damage", async () => {
  const { ref, files } = await chunkOf([1, 6, 1]);
  const inner = memorySource(files);
  let reads = 0;
  const source: ByteSource = {
    name: "test",
    async read(path, options) {
      if (++reads > 1) throw new FetchError("offline", { path, cause: new TypeError("no network") });
      return inner.read(path, options);
    },
  };
  await expect(readBlocks(readersOf(source).reader(), ref, [1])).rejects.toMatchObject({ isUnanswered: true });
  expect(reads).toBe(2);
});
