import { deflateRawSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { inflateLarge } from "./inflate-large.ts";

const BYTES = Uint8Array.from({ length: 300_000 }, (_, index) => (index * index * 31) % 251);
const packed = new Uint8Array(deflateRawSync(BYTES));
const ANY = { maxBytes: Number.POSITIVE_INFINITY };

class NoRawDeflate {
  constructor() {
    throw new TypeError("deflate-raw");
  }
}

afterEach(() => vi.unstubAllGlobals());

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
