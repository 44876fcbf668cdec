import { expect, test } from "vitest";
import type { Manifest } from "../../../data/format/manifest.ts";
import { countingSource, memorySource } from "../testing/sources.ts";
import { isInline, withInlineSlices } from "./inline-slices.ts";

const KEY = "a".repeat(64);
const PATH = "shops/_points/0123456789abcdef.pack";
const SLICE = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
const manifest = {
  collections: { place: {}, shops: { inline: { [KEY]: Buffer.from(SLICE).toString("base64") } } },
} as unknown as Manifest;
const files = new Map([[PATH, new Uint8Array([9, 9, ...SLICE])]]);

test("a slice of the manifest, and a part of it, are read without a request", async () => {
  const counting = countingSource(memorySource(files));
  const source = withInlineSlices(counting, manifest);
  expect(isInline(manifest, { sha256: KEY })).toBe(true);
  expect(isInline(manifest, { sha256: "constructor" })).toBe(false);
  const whole = await source.read(PATH, { range: { start: 2, end: 302 }, sha256: KEY });
  expect(whole).toEqual(SLICE);
  // A caller may transfer the bytes.
  whole.fill(0);
  const within = { offset: 2, bytes: 300, sha256: KEY };
  expect(await source.read(PATH, { range: { start: 12, end: 20 }, within })).toEqual(SLICE.subarray(10, 18));
  expect(counting.requests).toEqual([]);
});

test("other slices, whole files, and a slice that was wrong are read from the source", async () => {
  const counting = countingSource(memorySource(files));
  const source = withInlineSlices(counting, manifest);
  const range = { start: 2, end: 302 };
  await source.read(PATH, { range, sha256: "b".repeat(64) });
  await source.read(PATH, { range });
  await source.read(PATH);
  expect(await source.read(PATH, { range, sha256: KEY, fresh: true })).toEqual(SLICE);
  expect(counting.requests.length).toBe(4);
});

test("a slice whose text is not in base64 is read from its pack", async () => {
  const counting = countingSource(memorySource(files));
  const wrong = { collections: { shops: { inline: { [KEY]: "not base64!" } } } } as unknown as Manifest;
  const read = await withInlineSlices(counting, wrong).read(PATH, { range: { start: 2, end: 302 }, sha256: KEY });
  expect(read).toEqual(SLICE);
  expect(counting.requests.length).toBe(1);
});
