import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { inflateLarge } from "./inflate-large.ts";

// each part has bytes that cannot be compressed
const noise = createHash("shake256", { outputLength: 15_000 }).update("seed").digest();
const BYTES = Uint8Array.from({ length: 300_000 }, (_, index) =>
  index % 20 === 0 ? (noise[index / 20] ?? 0) : index % 251,
);
const packed = new Uint8Array(deflateRawSync(BYTES));
const ANY = { maxBytes: Number.POSITIVE_INFINITY };

class NoRawDeflate {
  constructor() {
    throw new TypeError("deflate-raw");
  }
}

beforeEach(() => {
  vi.stubGlobal("WorkerGlobalScope", class {});
});
afterEach(() => vi.unstubAllGlobals());

test("only a browser's program is used, and only where it saves time", async () => {
  expect(packed.length).toBeGreaterThan(4096);
  expect(packed.length).toBeLessThan(128 * 1024);
  const made = vi.fn();
  class Counted extends DecompressionStream {
    constructor(format: "deflate-raw") {
      super(format);
      made();
    }
  }
  vi.stubGlobal("DecompressionStream", Counted);
  await inflateLarge(packed, ANY);
  expect(made).toHaveBeenCalledTimes(1);
  await inflateLarge(new Uint8Array(deflateRawSync(BYTES.subarray(0, 100))), ANY);
  vi.unstubAllGlobals();
  vi.stubGlobal("DecompressionStream", Counted);
  await inflateLarge(packed, ANY);
  expect(made).toHaveBeenCalledTimes(1);
});

describe.each([
  ["the platform's program", () => {}],
  ["no such program", () => vi.stubGlobal("DecompressionStream", undefined)],
  ["no raw deflate", () => vi.stubGlobal("DecompressionStream", NoRawDeflate)],
])("with %s", (_, prepare) => {
  test("data of any size is inflated", async () => {
    prepare();
    expect(await inflateLarge(packed, ANY)).toEqual(BYTES);
    expect(await inflateLarge(new Uint8Array(deflateRawSync(Uint8Array.of(1, 2))), ANY)).toEqual(Uint8Array.of(1, 2));
    expect(await inflateLarge(new Uint8Array(deflateRawSync(new Uint8Array())), ANY)).toEqual(new Uint8Array());
  });

  test("damaged data and too much of it are refused", async () => {
    prepare();
    await expect(inflateLarge(packed.slice(0, -100), ANY)).rejects.toThrow();
    await expect(inflateLarge(packed.slice().fill(255, 0, 99), ANY)).rejects.toThrow();
    await expect(inflateLarge(packed, { maxBytes: 299_999 })).rejects.toThrow("expected at most 299999");
  });
});
