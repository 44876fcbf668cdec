import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FileCache } from "./cache-files.ts";
import { writeLater } from "./write-later.ts";

const BYTES = Uint8Array.of(1, 2, 3);
const OTHER = Uint8Array.of(4);
const AFTER_MS = 500;

let written: Map<string, Uint8Array>;
let isFull = false;
const files: FileCache = {
  async read(name, part) {
    const bytes = written.get(name);
    return bytes && { bytes: bytes.slice(part?.start, part?.end), sizeBytes: bytes.byteLength };
  },
  async write(path, bytes) {
    if (isFull) throw new DOMException("full", "QuotaExceededError");
    written.set(path, bytes);
  },
  async remove(path) {
    written.delete(path);
  },
  names: async () => [...written.keys()],
};

beforeEach(() => {
  written = new Map();
  isFull = false;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

test("a file can be read at once, and is written after the delay", async () => {
  const later = writeLater(files, AFTER_MS);
  const work = later.write("a", BYTES);
  expect([await later.read("a"), await later.names()]).toEqual([{ bytes: BYTES, sizeBytes: 3 }, ["a"]]);
  expect(await later.read("a", { start: 1, end: 2 })).toEqual({ bytes: Uint8Array.of(2), sizeBytes: 3 });
  await vi.advanceTimersByTimeAsync(AFTER_MS - 1);
  expect(written.size).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  await work;
  expect([...written]).toEqual([["a", BYTES]]);
  expect(await later.names()).toEqual(["a"]);
});

test("transferring a file that was read does not affect the waiting write", async () => {
  const later = writeLater(files, AFTER_MS);
  const work = later.write("a", BYTES);
  const read = (await later.read("a"))?.bytes;
  if (read) structuredClone(read.buffer, { transfer: [read.buffer as ArrayBuffer] });
  await vi.advanceTimersByTimeAsync(AFTER_MS);
  await work;
  expect(written.get("a")).toEqual(BYTES);
});

test("a file removed before the delay is not written", async () => {
  const later = writeLater(files, AFTER_MS);
  const work = later.write("a", BYTES);
  await later.remove("a");
  await vi.advanceTimersByTimeAsync(AFTER_MS);
  await work;
  expect([written.size, await later.read("a")]).toEqual([0, undefined]);
});

test("of two writes to a file the later one is stored", async () => {
  const later = writeLater(files, AFTER_MS);
  const works = [later.write("a", BYTES), later.write("a", OTHER)];
  await vi.advanceTimersByTimeAsync(AFTER_MS);
  await Promise.all(works);
  expect(written.get("a")).toEqual(OTHER);
});

test("a full disk is reported, and the file no longer waits", async () => {
  isFull = true;
  const later = writeLater(files, AFTER_MS);
  const refused = expect(later.write("a", BYTES)).rejects.toThrow("full");
  await vi.advanceTimersByTimeAsync(AFTER_MS);
  await refused;
  expect(await later.read("a")).toBeUndefined();
});
