import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FORMAT_VERSION } from "../../../../data/format/manifest.ts";
import { FetchError } from "../../../engine/contract/errors.ts";
import type { ByteSource, ReadOptions } from "../../../engine/contract/ports.ts";
import { cacheFiles } from "./cache-files.ts";
import { type CacheSourceOptions, cacheSource } from "./cache-source.ts";

const BODY = new TextEncoder().encode("rows");
const NAME = `place/country=MC/geohash=spv/${createHash("sha256").update(BODY).digest("hex").slice(0, 16)}.parquet`;

const NO_FILE = { rows: 0, bytes: 0, sha256: "0".repeat(64), reasons: {} };
const MANIFEST = new TextEncoder().encode(
  JSON.stringify({
    format: "cairn",
    format_version: FORMAT_VERSION,
    release: "one",
    attribution: [],
    rejects: NO_FILE,
    collections: {},
  }),
);

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
      throw new FetchError(`status ${answer}`, answer ? { path, status: answer } : { path, cause: new TypeError() });
    },
  };
}

const FOLDER = new URL("https://host.example/maps/dataset/");
const over = (inner: ByteSource, options: Partial<CacheSourceOptions> = {}) =>
  cacheSource({ inner, files: cacheFiles(FOLDER), ...options });
const settled = () => new Promise((resolve) => setTimeout(resolve));

let kept: Map<string, Response>;
/** Writes that fail before one succeeds. */
let fullWrites = 0;

beforeEach(() => {
  kept = new Map();
  fullWrites = 0;
  const cache = {
    match: async (key: string) => kept.get(key)?.clone(),
    async put(key: string, response: Response) {
      if (fullWrites-- > 0) throw new DOMException("full", "QuotaExceededError");
      kept.set(key, response);
    },
    delete: async (key: string) => kept.delete(key),
    keys: async () => [...kept.keys()].map((url) => ({ url })),
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

  test("leave the cache when they are found damaged there", async () => {
    await cacheFiles(FOLDER).write(NAME, BODY.slice(1));
    await expect(over(scripted(0)).read(NAME)).rejects.toThrow(FetchError);
    expect(await cacheFiles(FOLDER).paths()).toEqual([]);
    expect(await over(scripted(BODY)).read(NAME)).toEqual(BODY);
  });

  test("are read with the cache deleted under the search", async () => {
    await cacheFiles(FOLDER).write(NAME, BODY);
    vi.stubGlobal("caches", { open: async () => Promise.reject(new DOMException("gone", "InvalidStateError")) });
    expect(await over(scripted(BODY)).read(NAME)).toEqual(BODY);
  });

  test("make room for themselves when the cache is full", async () => {
    fullWrites = 1;
    let hasMadeRoom = false;
    const makeRoom = async () => {
      hasMadeRoom = true;
    };
    expect(await over(scripted(BODY), { makeRoom }).read(NAME)).toEqual(BODY);
    await settled();
    expect(hasMadeRoom).toBe(true);
    expect(await cacheFiles(FOLDER).paths()).toEqual([NAME]);
  });

  test("are kept as they came, though the engine hands its buffer on before there is room", async () => {
    fullWrites = 1;
    const bytes = await over(scripted(BODY.slice())).read(NAME);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer as ArrayBuffer] });
    await settled();
    expect(await cacheFiles(FOLDER).read(NAME)).toEqual(BODY);
  });

  test("are given when there is no room at all", async () => {
    fullWrites = 9;
    expect(await over(scripted(BODY)).read(NAME)).toEqual(BODY);
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
    const inner = scripted(MANIFEST, 0);
    await over(inner).read("manifest.json", { fresh: true });
    await settled();
    expect(await over(inner).read("manifest.json", { fresh: true })).toEqual(MANIFEST);
    expect(inner.reads).toHaveLength(2);
  });

  test("is not replaced by the page of a network that wants a log-in", async () => {
    const inner = scripted(MANIFEST, new TextEncoder().encode("<!doctype html>"), 0);
    for (let i = 0; i < 2; i++) {
      await over(inner).read("manifest.json", { fresh: true });
      await settled();
    }
    expect(await over(inner).read("manifest.json", { fresh: true })).toEqual(MANIFEST);
  });

  test("is that of a saved area when none was seen and nobody answers", async () => {
    const savedManifest = async () => BODY;
    expect(await over(scripted(0), { savedManifest }).read("manifest.json")).toEqual(BODY);
    await expect(over(scripted(404), { savedManifest }).read("manifest.json")).rejects.toMatchObject({ status: 404 });
  });

  test("is not replaced by an old one when the host answers with an error", async () => {
    const inner = scripted(MANIFEST, 404);
    await over(inner).read("manifest.json");
    await settled();
    await expect(over(inner).read("manifest.json")).rejects.toMatchObject({ status: 404 });
  });
});
