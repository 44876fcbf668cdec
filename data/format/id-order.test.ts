import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { BLOCK_BYTES, sealBlock, sealTail } from "./blocks.ts";
import {
  firstNumberOf,
  ID_BLOCK_ROWS,
  type IdEntry,
  MAX_SEGMENT_ROWS,
  numberInSegment,
  openIdBlock,
  readSegmentDirectory,
  rowNumberOf,
  rowPositionOf,
  SEGMENT_BLOCKS,
  writeSegment,
} from "./id-order.ts";

const deflate = (bytes: Uint8Array): Uint8Array => new Uint8Array(deflateRawSync(bytes));

/** Entries with ids in order. Addresses are not in order. */
function entriesOf(rows: number, prefix = ""): IdEntry[] {
  return Array.from({ length: rows }, (_, row) => ({
    id: `${prefix}${String(row).padStart(6, "0")}-é`,
    address: ((row * 7919) % rows) * 1_000_003,
  }));
}

test("numbers are in the order of segments, blocks and rows", () => {
  const positions = [
    { segment: 0, block: 0, row: 0 },
    { segment: 0, block: 0, row: ID_BLOCK_ROWS - 1 },
    { segment: 0, block: 1, row: 0 },
    { segment: 0, block: SEGMENT_BLOCKS - 1, row: 5 },
    { segment: 1, block: 0, row: 0 },
    { segment: 3_000_000, block: 255, row: 249 },
  ];
  const numbers = positions.map(rowNumberOf);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(numbers.map(rowPositionOf)).toEqual(positions);
  expect(firstNumberOf(1)).toBe(numbers[4]);
});

test("the rows of a segment have ascending numbers, the last one below the next segment", () => {
  for (const index of [0, 1, 249, 250, 251, MAX_SEGMENT_ROWS - 1]) {
    const { segment, block, row } = rowPositionOf(numberInSegment(3, index));
    expect([segment, block * ID_BLOCK_ROWS + row]).toEqual([3, index]);
    expect(numberInSegment(3, index)).toBeLessThan(firstNumberOf(4));
  }
});

test.each([1, 249, 250, 251, 1000, 1001])("a segment of %i rows returns its entries", async (rows) => {
  const entries = entriesOf(rows);
  const { bytes, blocks } = await writeSegment(entries, deflate);
  expect(blocks).toBe(Math.ceil(rows / ID_BLOCK_ROWS));
  if (blocks === 1) expect(bytes.length).toBeLessThanOrEqual(20 + rows * 8 + 32);
  else {
    const directory = await readSegmentDirectory(bytes.subarray(blocks * BLOCK_BYTES));
    expect(directory.rows).toBe(rows);
    expect(directory.ids).toEqual(entries.filter((_, row) => row % ID_BLOCK_ROWS === 0).map(({ id }) => id));
  }
  let read = 0;
  for (let block = 0; block < blocks; block++) {
    const own = await openIdBlock(bytes.subarray(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES), block);
    for (let row = 0; row < own.rows; row++) {
      const { id, address } = entries[read++] as IdEntry;
      expect(own.address(row)).toBe(address);
      const key = Buffer.from(own.key(row));
      const padded = Buffer.concat([Buffer.from(id), Buffer.alloc(3)]);
      expect(padded.subarray(0, key.length).equals(key)).toBe(true);
    }
  }
  expect(read).toBe(rows);
});

test("a full block of any ids fits, and keys are at most 35 bytes", async () => {
  for (const prefix of ["", "x".repeat(31), "é".repeat(200)]) {
    const { bytes, blocks } = await writeSegment(entriesOf(ID_BLOCK_ROWS, prefix), deflate);
    expect(blocks).toBe(1);
    const own = await openIdBlock(bytes.subarray(0, BLOCK_BYTES), 0);
    expect(own.rows).toBe(ID_BLOCK_ROWS);
    expect(own.key(0).length).toBeLessThanOrEqual(35);
  }
});

test("keys of short ids end with zeros, and are in the order of ids", async () => {
  const ids = ["a", "a0", "a00", "a0000", "a00000", "ab", "zürich"];
  const { bytes } = await writeSegment(
    ids.map((id, address) => ({ id, address })),
    deflate,
  );
  const own = await openIdBlock(bytes.subarray(0, BLOCK_BYTES), 0);
  const keys = ids.map((_, row) => Buffer.from(own.key(row)).toString("latin1"));
  expect(keys).toEqual(["a\0\0", "a0\0", "a00", "a00", "a00", "ab\0", "z\xc3\xbc"]);
  const alone = await writeSegment([{ id: "abc", address: 5 }], deflate);
  expect(Buffer.from((await openIdBlock(alone.bytes.subarray(0, BLOCK_BYTES), 0)).key(0)).toString()).toBe("abc\0\0\0");
});

test("too many rows, no rows, and an address of more than five bytes are errors", async () => {
  await expect(writeSegment([], deflate)).rejects.toThrow("a segment has 0 rows");
  await expect(writeSegment(entriesOf(MAX_SEGMENT_ROWS + 1), deflate)).rejects.toThrow("a segment has 64001 rows");
  for (const address of [256 ** 5, -1, 0.5])
    await expect(writeSegment([{ id: "a", address }], deflate)).rejects.toThrow(`address ${address}`);
  await expect(writeSegment([{ id: "a", address: 256 ** 5 - 1 }], deflate)).resolves.toBeDefined();
});

test("a damaged block or directory, or that of another segment, is refused", async () => {
  const { bytes, blocks } = await writeSegment(entriesOf(300), deflate);
  const first = bytes.subarray(0, BLOCK_BYTES);
  await expect(openIdBlock(first, 1)).rejects.toThrow("block 1 does not hold its check");
  for (const at of [0, 8, 12, BLOCK_BYTES - 1]) {
    const damaged = first.slice();
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    await expect(openIdBlock(damaged, 0)).rejects.toThrow("check");
  }
  const tail = bytes.subarray(blocks * BLOCK_BYTES);
  await expect(readSegmentDirectory(tail.subarray(0, tail.length - 1))).rejects.toThrow("check");
  await expect(readSegmentDirectory(first)).rejects.toThrow("check");
});

test("blocks and directories with a valid check but wrong content are errors", async () => {
  for (const content of [[], [0, 0], [251, 0], [1, 0], [1, 0, ...new Array(9).fill(1)], [1, 200, 1, 2, 3]]) {
    const block = await sealBlock(Uint8Array.from(content), 0);
    await expect(openIdBlock(block, 0)).rejects.toThrow(/block 0 has \d+ bytes for \d+ rows/);
  }
  const directory = await sealTail(deflate(Uint8Array.from([2, 0xfa, 1])));
  await expect(readSegmentDirectory(directory)).rejects.toThrow("a directory has 250 rows in 2 blocks");
  const huge = await sealTail(deflate(new Uint8Array(64 * 1024 * 1024)));
  await expect(readSegmentDirectory(huge)).rejects.toThrow("expected at most");
});
