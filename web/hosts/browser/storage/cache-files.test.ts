import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KEEP_AFTER_MS } from "../cache/index.ts";
import { type FaultyCaches, faultyCaches } from "../testing/faulty-caches.ts";
import { cacheFiles } from "./cache-files.ts";

const FOLDER = new URL("https://host.example/dataset/");
const BYTES = Uint8Array.of(1, 2, 3);
let caches: FaultyCaches;
let operations: string[];
let isThere: boolean;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  caches = faultyCaches();
  operations = [];
  isThere = false;
  caches.onOperation = (operation) => operations.push(operation);
  const has = async () => operations.push("has") > 0 && isThere;
  vi.stubGlobal("caches", { ...caches.storage, has });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("without a cache no file is looked up and no cache is made", async () => {
  const files = cacheFiles(FOLDER);
  for (const name of ["a", "b"]) expect(await files.read(name)).toBeUndefined();
  expect(operations).toEqual(["has"]);
});

test("a file that this page stored is found", async () => {
  const files = cacheFiles(FOLDER);
  expect(await files.read("a")).toBeUndefined();
  await files.write("a", BYTES);
  expect((await files.read("a"))?.bytes).toEqual(BYTES);
});

test("a cache that another page made is found after a while", async () => {
  const [files, other] = [cacheFiles(FOLDER), cacheFiles(FOLDER)];
  await other.write("a", BYTES);
  isThere = true;
  expect(await files.read("a")).toBeUndefined();
  vi.advanceTimersByTime(KEEP_AFTER_MS);
  expect((await files.read("a"))?.bytes).toEqual(BYTES);
});

test("a cache that was there is read at once", async () => {
  isThere = true;
  await cacheFiles(FOLDER).write("a", BYTES);
  expect((await cacheFiles(FOLDER).read("a"))?.bytes).toEqual(BYTES);
});
