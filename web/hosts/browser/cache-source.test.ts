import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FetchError } from "../../engine/errors.ts";
import type { ByteSource, ReadOptions } from "../../engine/ports.ts";
import { cacheSource } from "./cache-source.ts";

const BODY = new TextEncoder().encode("rows");
const NAME = `place/country=MC/geohash=spv/${createHash("sha256").update(BODY).digest("hex").slice(0, 16)}.parquet`;

/** What a host gives, one entry for each read: bytes, or a status; 0 for no network. */
function scripted(...answers: (Uint8Array | number)[]): ByteSource & { reads: ReadOptions[] } {
  const reads: ReadOptions[] = [];
  return {
    name: "scripted",
    reads,
    async read(path, options = {}) {
      reads.push(options);
      const answer = answers.shift();
      if (answer instanceof Uint8Array) return answer;
      throw new FetchError(`status ${answer}`, { path, ...(answer ? { status: answer } : {}) });
    },
  };
}

const over = (inner: ByteSource) => cacheSource({ inner, base: new URL("https://host.example/maps/dataset/") });
const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  const kept = new Map<string, Response>();
  const cache = {
    match: async (key: string) => kept.get(key)?.clone(),
    put: async (key: string, response: Response) => void kept.set(key, response),
  };
  vi.stubGlobal("caches", { open: async () => cache });
});
afterEach(() => vi.unstubAllGlobals());

describe("hashed files", () => {
  test("are asked for once", async () => {
    const inner = scripted(BODY);
    await over(inner).read(NAME);
    await settled();
    expect(await over(inner).read(NAME)).toEqual(BODY);
    expect(inner.reads).toHaveLength(1);
  });

  test("are not kept when they came damaged", async () => {
    const inner = scripted(BODY.slice(1), BODY);
    await over(inner).read(NAME);
    await settled();
    expect(await over(inner).read(NAME)).toEqual(BODY);
  });

  test("are fetched past every cache when the engine finds them damaged", async () => {
    const inner = scripted(BODY, BODY);
    await over(inner).read(NAME);
    await settled();
    await over(inner).read(NAME, { fresh: true });
    expect(inner.reads[1]).toMatchObject({ fresh: true });
  });

  test("are asked for past the browser's cache when that remembers a 404", async () => {
    const inner = scripted(404, BODY);
    expect(await over(inner).read(NAME)).toEqual(BODY);
    expect(inner.reads[1]).toMatchObject({ fresh: true });
  });

  test("fail once and come the next time", async () => {
    const inner = scripted(0, BODY);
    await expect(over(inner).read(NAME)).rejects.toThrow(FetchError);
    expect(await over(inner).read(NAME)).toEqual(BODY);
  });
});

describe("the manifest", () => {
  test("is always asked for, and the last one seen serves when nobody answers", async () => {
    const inner = scripted(BODY, 0);
    await over(inner).read("manifest.json", { fresh: true });
    await settled();
    expect(await over(inner).read("manifest.json", { fresh: true })).toEqual(BODY);
    expect(inner.reads).toHaveLength(2);
  });

  test("is not replaced by an old one when the host answers with an error", async () => {
    const inner = scripted(BODY, 404);
    await over(inner).read("manifest.json");
    await settled();
    await expect(over(inner).read("manifest.json")).rejects.toMatchObject({ status: 404 });
  });
});
