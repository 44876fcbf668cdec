import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { bboxUnion } from "../../../data/format/bbox.ts";
import { BLOCK_BYTES, blockBytesOf } from "../../../data/format/blocks.ts";
import {
  addressGroups,
  CHUNK_BLOCKS,
  MAX_GROUP_ROWS,
  openGroup,
  recordAddressOf,
} from "../../../data/format/records.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { createChunks, type MadeChunk, type RowRecord, type SliceRecords } from "./chunks.ts";
import { fitGroups, makeDictionary } from "./fit-groups.ts";

const newFolder = temporaryFolders();

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Reproducible pseudo-random hexadecimal digits. */
function digits(seed: number, length: number): string {
  const outputLength = Math.ceil(length / 2);
  return createHash("shake256", { outputLength }).update(String(seed)).digest("hex").slice(0, length);
}

function row(place: number, more = ""): RowRecord {
  const id = String(place).padStart(8, "0");
  const name = `${["Blue", "Old", "Grand"][place % 3]} ${digits(place, 8)}`;
  const json = utf8(JSON.stringify({ id, names: { primary: name }, note: digits(place, 150), more }));
  return { json, geometry: utf8(digits(place, 12)), bbox: [place % 90, 1, (place % 90) + 1, 2] };
}

function idOf({ json }: Pick<RowRecord, "json">): string {
  return (JSON.parse(new TextDecoder().decode(json)) as { id: string }).id;
}

const dictionaryOf = (rows: readonly RowRecord[]) => makeDictionary(rows.slice(0, 20).map(({ json }) => json));

interface Made {
  readonly chunks: readonly MadeChunk[];
  readonly slices: readonly SliceRecords[];
  readonly files: readonly Uint8Array[];
}

/** Cuts the rows into slices of this many rows. */
async function chunksOf(rows: readonly RowRecord[], sliceRows: number): Promise<Made> {
  const writer = createChunks(await newFolder(), dictionaryOf(rows));
  const slices: SliceRecords[] = [];
  for (let start = 0; start < rows.length; start += sliceRows)
    slices.push(await writer.add(rows.slice(start, start + sliceRows)));
  const chunks = await writer.close();
  return { chunks, slices, files: await Promise.all(chunks.map(({ file }) => readFile(file))) };
}

/** Ids by address, as a reader finds them. */
async function readChunks({ files }: Made, dictionary: Uint8Array): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const [chunk, bytes] of files.entries()) {
    for (let block = 0; block * BLOCK_BYTES < bytes.length; ) {
      const start = block * BLOCK_BYTES;
      const size = blockBytesOf(bytes.subarray(start, start + BLOCK_BYTES));
      const group = await openGroup(bytes.subarray(start, start + size), block, dictionary);
      for (const [row, record] of group.entries()) found.set(recordAddressOf({ chunk, block, row }), idOf(record));
      block += size / BLOCK_BYTES;
    }
  }
  return found;
}

test("every row is found at its address, in chunks that are as long as allowed", async () => {
  const rows = Array.from({ length: 9000 }, (_, place) => row(place, digits(place, 1400)));
  const made = await chunksOf(rows, 700);
  const { chunks, slices } = made;
  expect(chunks.length).toBe(2);
  const found = await readChunks(made, dictionaryOf(rows));
  expect([...found.keys()]).toEqual(slices.flatMap(({ addresses }) => addresses));
  expect([...found.values()]).toEqual(rows.map(idOf));
  expect(chunks[0]?.blocks).toBe(CHUNK_BLOCKS);
  let row_ = 0;
  for (const [chunk, { rows: count, blocks, bbox }] of chunks.entries()) {
    const bytes = made.files[chunk]?.length ?? 0;
    expect(Math.ceil(bytes / BLOCK_BYTES)).toBe(blocks);
    expect(bytes % BLOCK_BYTES).toBeGreaterThan(0);
    expect(bbox).toEqual(bboxUnion(rows.slice(row_, row_ + count).map((one) => one.bbox)));
    row_ += count;
  }
  expect(row_).toBe(rows.length);
});

test("groups have rows of one slice, and their sizes give the addresses", async () => {
  const rows = Array.from({ length: 1000 }, (_, place) => row(place, place % 100 === 7 ? digits(place, 9000) : ""));
  const { slices } = await chunksOf(rows, 130);
  for (const [index, { groups, addresses }] of slices.entries()) {
    expect(groups.reduce((sum, group) => sum + group.rows, 0)).toBe(Math.min(130, rows.length - index * 130));
    const starts = [...addressGroups(addresses[0] ?? -1, groups)];
    const expected = groups.flatMap((group, place) =>
      Array.from({ length: group.rows }, (_, i) => (starts[place] ?? 0) + i),
    );
    expect(addresses).toEqual(expected);
  }
});

test("blocks are 90 % full, and rows are compressed few times", () => {
  const rows = Array.from({ length: 3000 }, (_, place) => row(place));
  const groups = [...fitGroups(rows, dictionaryOf(rows))];
  const used = groups.reduce((sum, { content }) => sum + content.length, 0);
  expect(groups.reduce((sum, group) => sum + group.rows, 0)).toBe(rows.length);
  expect(groups.every(({ blocks }) => blocks === 1)).toBe(true);
  expect(used / (groups.length * BLOCK_BYTES)).toBeGreaterThan(0.9);
});

test("a chunk does not depend on the rows after it", async () => {
  const rows = Array.from({ length: 9000 }, (_, place) => row(place, digits(place, 1400)));
  const { chunks, files } = await chunksOf(rows, 700);
  const alone = await chunksOf(rows.slice(0, chunks[0]?.rows), 700);
  expect(Buffer.compare(alone.files[0] ?? new Uint8Array(), files[0] ?? new Uint8Array())).toBe(0);
});

test("a row that needs several blocks has a group of its own, and a chunk if it needs too many", async () => {
  const large = digits(3, 18_000_000);
  const rows = [row(0), row(1, digits(1, 9000)), row(2), row(3, large), row(4), row(5)];
  for (const sliceRows of [6, 1]) {
    const made = await chunksOf(rows, sliceRows);
    expect(made.chunks.map((chunk) => chunk.rows)).toEqual([3, 1, 2]);
    expect(made.chunks[1]?.blocks).toBeGreaterThan(CHUNK_BLOCKS);
    const found = await readChunks(made, dictionaryOf(rows));
    expect([...found.values()]).toEqual(rows.map(idOf));
    const addresses = made.slices.flatMap((slice) => slice.addresses);
    expect([...found.keys()]).toEqual(addresses);
    expect(addresses.slice(0, 3)).toEqual([0, MAX_GROUP_ROWS, expect.any(Number)]);
    expect(addresses.slice(3, 5)).toEqual([1, 2].map((chunk) => recordAddressOf({ chunk, block: 0, row: 0 })));
  }
});

test("a writer of no rows makes no chunk", async () => {
  expect((await chunksOf([], 1)).chunks).toEqual([]);
});
