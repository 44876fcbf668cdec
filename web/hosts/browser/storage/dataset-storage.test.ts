import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { httpSource } from "../../http/http-source.ts";
import { KEEP_AFTER_MS } from "../cache/index.ts";
import { openDatasetStorage } from "./dataset-storage.ts";

const BODY = new TextEncoder().encode("rows of a slice");
const HASH = createHash("sha256").update(BODY).digest("hex");
const PATH = `place/_term/${HASH.slice(0, 16)}.pack`;
const OPTIONS = { range: { start: 0, end: BODY.length }, sha256: HASH };
const NAME = `${PATH}?0-${BODY.length}-${HASH}`;
const FOLDER = new URL("https://host.example/dataset/");

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

test("a saved area relies on a slice only after it was written to disk", async () => {
  const network = { name: "network", read: async () => BODY.slice() };
  const { source, files, stored, origins } = openDatasetStorage(FOLDER, () => network);
  await source.read(PATH, OPTIONS);
  expect([(await files.read(NAME))?.bytes, await stored.read(NAME), await stored.names()]).toEqual([
    BODY,
    undefined,
    [],
  ]);
  await vi.advanceTimersByTimeAsync(KEEP_AFTER_MS);
  await vi.waitFor(async () => expect((await stored.read(NAME))?.bytes).toEqual(BODY));
  expect([origins.get(PATH), origins.get(`${PATH}@0`)]).toEqual(["network", "network"]);
  await source.read(PATH, OPTIONS);
  expect(origins.get(`${PATH}@0`)).toBe("cache");
});

test("packs of a host without ranges are stored whole, and the browser cache is not used for ranges", async () => {
  const modes: (RequestCache | undefined)[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    modes.push(init?.cache);
    return new Response(BODY.slice());
  };
  const { source, stored } = openDatasetStorage(FOLDER, (options) => httpSource(FOLDER.href, { ...options, fetch }), {
    keepAfterMs: 0,
  });
  vi.useRealTimers();
  expect(await source.read(PATH, { range: { start: 5, end: 7 }, isSound: async () => true })).toEqual(BODY.slice(5, 7));
  await vi.waitFor(async () => expect(await stored.names()).toEqual([PATH]));
  expect(modes).toEqual(["no-store"]);
});
