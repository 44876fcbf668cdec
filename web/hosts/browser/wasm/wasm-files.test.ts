import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type FaultyCaches, faultyCaches } from "../testing/faulty-caches.ts";
import { withWasm } from "./wasm-files.ts";

const BASE = new URL("https://host.example/");
const FILE = { path: "assets/reader.wasm", bytes: 5 };
const URL_OF_FILE = "https://host.example/assets/reader.wasm";
const GOOD = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 1);
const BAD = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 9);

let caches: FaultyCaches;
let host: () => Response;
const fetched = vi.fn(async () => host());

beforeEach(() => {
  caches = faultyCaches();
  host = () => new Response(GOOD);
  fetched.mockClear();
  vi.stubGlobal("caches", caches.storage);
  vi.stubGlobal("fetch", fetched);
});
afterEach(() => vi.unstubAllGlobals());

const start = async (module: Response) => {
  const bytes = new Uint8Array(await module.arrayBuffer());
  if (bytes[4] === 9) throw new WebAssembly.CompileError("not a module");
  return bytes;
};
const load = () => withWasm(FILE, { base: BASE, keepPlain: true }, start);

test("a cached module that starts is not fetched", async () => {
  caches.kept.set(URL_OF_FILE, GOOD);
  expect(await load()).toEqual(GOOD);
  expect(fetched).not.toHaveBeenCalled();
});

test("a cached module that does not start is removed and fetched again, once", async () => {
  caches.kept.set(URL_OF_FILE, BAD);
  expect(await load()).toEqual(GOOD);
  expect(caches.kept.get(URL_OF_FILE)).not.toEqual(BAD);
  expect(fetched).toHaveBeenCalledTimes(1);
  host = () => new Response(BAD);
  caches.kept.set(URL_OF_FILE, BAD);
  await expect(load()).rejects.toThrow("not a module");
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("without a network the error is that of the cached module", async () => {
  caches.kept.set(URL_OF_FILE, BAD);
  host = () => {
    throw new TypeError("Failed to fetch");
  };
  await expect(load()).rejects.toThrow("not a module");
});

test("a page that the host sends instead of the module is neither started nor cached", async () => {
  vi.useFakeTimers();
  try {
    for (const keepPlain of [true, false]) {
      host = () => new Response("<!doctype html><title>Not here</title>");
      await expect(withWasm(FILE, { base: BASE, keepPlain }, start)).rejects.toThrow(
        `${URL_OF_FILE} is not WebAssembly, its content begins with "<!doctype html>`,
      );
      await vi.runAllTimersAsync();
      expect(caches.kept.size).toBe(0);
    }
    host = () => new Response(GOOD);
    expect(await load()).toEqual(GOOD);
    await vi.runAllTimersAsync();
    expect(caches.kept.get(URL_OF_FILE)).toEqual(GOOD);
  } finally {
    vi.useRealTimers();
  }
});
