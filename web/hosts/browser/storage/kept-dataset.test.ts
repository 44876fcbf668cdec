import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KEEP_AFTER_MS } from "../cache/cache-storage.ts";
import { keepDataset } from "./kept-dataset.ts";

const BODY = new TextEncoder().encode("rows");
const NAME = `place/country=MC/geohash=spv/${createHash("sha256").update(BODY).digest("hex").slice(0, 16)}.parquet`;

beforeEach(() => {
  const kept = new Map<string, Response>();
  const cache = {
    match: async (key: string) => kept.get(key)?.clone(),
    put: async (key: string, response: Response) => void kept.set(key, response),
    keys: async () => [...kept.keys()].map((url) => ({ url })),
  };
  vi.stubGlobal("caches", { open: async () => cache });
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a file that was read is on the disk, for a saved area to rely on, only when it is written", async () => {
  const network = { name: "network", read: async () => BODY.slice() };
  const { source, files, stored } = keepDataset(new URL("https://host.example/dataset/"), network);
  await source.read(NAME);
  expect([await files.has(NAME), await stored.has(NAME), await stored.paths()]).toEqual([true, false, []]);
  await vi.advanceTimersByTimeAsync(KEEP_AFTER_MS);
  await vi.waitFor(async () => expect(await stored.read(NAME)).toEqual(BODY));
});
