import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FORMAT_VERSION } from "../../../../data/format/manifest.ts";
import { writeManifestFile } from "../../../../data/format/manifest-file.ts";
import { FetchError } from "../../../engine/contract/errors.ts";
import type { ByteSource, ReadOptions } from "../../../engine/contract/ports.ts";
import { type FaultyCaches, faultyCaches } from "../testing/faulty-caches.ts";
import { cacheFiles } from "./cache-files.ts";
import { type CacheSource, type CacheSourceOptions, cacheSource, type FileRead } from "./cache-source.ts";
import { cachedSlices } from "./cached-slices.ts";

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const PACK = Uint8Array.from({ length: 20_000 }, (_, index) => (index * 31 + (index >> 8)) % 256);
const pathOf = (pack: Uint8Array, kind = "records") => `place/_${kind}/${hashOf(pack).slice(0, 16)}.pack`;
const PATH = pathOf(PACK);
/** A segment of five blocks and a directory, from byte 100. */
const SLICE = { offset: 100, bytes: 12_000 };
const sliceOf = (pack: Uint8Array, { offset, bytes } = SLICE) => pack.slice(offset, offset + bytes);
const optionsOf = (pack: Uint8Array = PACK, { offset, bytes } = SLICE): ReadOptions => ({
  range: { start: offset, end: offset + bytes },
  sha256: hashOf(sliceOf(pack, { offset, bytes })),
});
const BLOCK = { start: 100 + 2048, end: 100 + 4096 };
const blockOf = (pack: Uint8Array, range = BLOCK): ReadOptions => {
  const right = hashOf(pack.subarray(range.start, range.end));
  return { range, isSound: async (bytes) => hashOf(bytes) === right };
};

const NO_FILE = { rows: 0, bytes: 0, sha256: "0".repeat(64), reasons: {} };
const MANIFEST = await writeManifestFile({
  format: "cairn",
  format_version: FORMAT_VERSION,
  release: "one",
  attribution: [],
  rejects: NO_FILE,
  collections: {},
});

/** Answers of a host, one per read: a file, from which it cuts the range, or a status; 0 is no network. */
function scripted(...answers: (Uint8Array | number)[]): ByteSource & { reads: ReadOptions[] } {
  const reads: ReadOptions[] = [];
  return {
    name: "scripted",
    reads,
    async read(path, options = {}) {
      reads.push(options);
      const answer = answers.shift() ?? 0;
      if (answer instanceof Uint8Array) return answer.slice(options.range?.start, options.range?.end);
      throw new FetchError(`status ${answer}`, answer ? { path, status: answer } : { path, cause: new TypeError() });
    },
  };
}

const FOLDER = new URL("https://host.example/maps/dataset/");
let caches: FaultyCaches;
let nowMs = 0;
const over = (inner: ByteSource, options: Partial<CacheSourceOptions> = {}): CacheSource => {
  const files = cacheFiles(FOLDER);
  return cacheSource({ inner, files, slices: cachedSlices(files, { nowMs: () => nowMs }), ...options });
};
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const names = () => [...caches.kept.keys()].map((url) => url.slice(FOLDER.href.length));
const NAME = `${PATH}?100-12100-${hashOf(sliceOf(PACK))}`;

beforeEach(() => {
  nowMs = 0;
  caches = faultyCaches();
  vi.stubGlobal("caches", caches.storage);
});
afterEach(() => vi.unstubAllGlobals());

function full(times: number): void {
  let left = times;
  caches.onOperation = (operation) => {
    if (operation === "put" && left-- > 0) throw new DOMException("full", "QuotaExceededError");
  };
}

describe("slices", () => {
  test("are requested once, and stored as responses under path, range and SHA-256", async () => {
    const inner = scripted(PACK);
    expect(await over(inner).read(PATH, optionsOf())).toEqual(sliceOf(PACK));
    await settled();
    expect(names()).toEqual([NAME]);
    expect(await over(inner).read(PATH, optionsOf())).toEqual(sliceOf(PACK));
    expect(inner.reads).toHaveLength(1);
  });

  test("are not stored when damaged, and are requested again", async () => {
    const inner = scripted(PACK.slice(1), PACK);
    await over(inner).read(PATH, optionsOf());
    await settled();
    expect(names()).toEqual([]);
    expect(await over(inner).read(PATH, optionsOf())).toEqual(sliceOf(PACK));
  });

  test("are not stored when they cannot be validated", async () => {
    const inner = scripted(PACK, PACK);
    const { range } = optionsOf();
    await over(inner).read(PATH, { range });
    await settled();
    expect(names()).toEqual([]);
    await over(inner).read(PATH, { range });
    expect(inner.reads).toHaveLength(2);
  });

  test("are fetched past every cache when the engine finds them damaged", async () => {
    const inner = scripted(PACK, PACK);
    await over(inner).read(PATH, optionsOf());
    await settled();
    await over(inner).read(PATH, { ...optionsOf(), fresh: true });
    expect(inner.reads[1]).toMatchObject({ fresh: true });
  });

  test("are removed from the cache when found damaged there", async () => {
    await cacheFiles(FOLDER).write(NAME, sliceOf(PACK).reverse());
    await expect(over(scripted(0)).read(PATH, optionsOf())).rejects.toThrow(FetchError);
    expect(names()).toEqual([]);
    expect(await over(scripted(PACK)).read(PATH, optionsOf())).toEqual(sliceOf(PACK));
  });

  test("are read although the cache was deleted during the search", async () => {
    await cacheFiles(FOLDER).write(NAME, sliceOf(PACK));
    vi.stubGlobal("caches", { open: async () => Promise.reject(new DOMException("gone", "InvalidStateError")) });
    expect(await over(scripted(PACK)).read(PATH, optionsOf())).toEqual(sliceOf(PACK));
  });

  test("evict others when the cache is full", async () => {
    full(1);
    const makeRoom = vi.fn(async () => {});
    expect(await over(scripted(PACK), { makeRoom }).read(PATH, optionsOf())).toEqual(sliceOf(PACK));
    await settled();
    expect(makeRoom).toHaveBeenCalledTimes(1);
    expect(names()).toEqual([NAME]);
  });

  test("are stored unchanged, although the engine reuses its buffer before there is space", async () => {
    full(1);
    const bytes = await over(scripted(PACK)).read(PATH, optionsOf());
    structuredClone(bytes.buffer, { transfer: [bytes.buffer as ArrayBuffer] });
    await settled();
    expect((await cacheFiles(FOLDER).read(NAME))?.bytes).toEqual(sliceOf(PACK));
  });

  test("are returned when there is no space at all", async () => {
    full(9);
    expect(await over(scripted(PACK)).read(PATH, optionsOf())).toEqual(sliceOf(PACK));
  });

  test("are requested past the browser's cache when that contains a 404", async () => {
    const inner = scripted(404, PACK);
    expect(await over(inner).read(PATH, optionsOf())).toEqual(sliceOf(PACK));
    expect(inner.reads[1]).toMatchObject({ fresh: true });
  });

  test("fail once and succeed the next time", async () => {
    const inner = scripted(0, PACK);
    await expect(over(inner).read(PATH, optionsOf())).rejects.toThrow(FetchError);
    expect(await over(inner).read(PATH, optionsOf())).toEqual(sliceOf(PACK));
  });
});

describe("of a new release", () => {
  /** The same slice in a pack with other content, at another offset. */
  const LATER = Uint8Array.from([...PACK.slice(5000, 5300), ...sliceOf(PACK), 1, 2, 3]);
  const AT = { offset: 300, bytes: 12_000 };

  test("an unchanged slice is not requested again, once the list of the cache was read", async () => {
    const files = cacheFiles(FOLDER);
    await files.write(NAME, sliceOf(PACK));
    const slices = cachedSlices(files);
    await slices.list();
    const inner = scripted();
    const source = over(inner, { slices });
    expect(await source.read(pathOf(LATER), optionsOf(LATER, AT))).toEqual(sliceOf(PACK));
    const range = { start: 300 + 2048, end: 300 + 4096 };
    const within = { ...AT, sha256: hashOf(sliceOf(LATER, AT)) };
    expect(await source.read(pathOf(LATER), { ...blockOf(LATER, range), within })).toEqual(
      LATER.slice(range.start, range.end),
    );
    expect([inner.reads, names()]).toEqual([[], [NAME]]);
  });

  test("it answers without a network, with or without a list", async () => {
    await cacheFiles(FOLDER).write(NAME, sliceOf(PACK));
    expect(await over(scripted(0)).read(pathOf(LATER), optionsOf(LATER, AT))).toEqual(sliceOf(PACK));
  });
});

describe("blocks of records", () => {
  test("are stored singly, and not when their checksum is wrong", async () => {
    const inner = scripted(PACK, PACK.slice(1));
    await over(inner).read(PATH, blockOf(PACK));
    await over(inner).read(PATH, blockOf(PACK, { start: 8000, end: 9000 }));
    await settled();
    expect(names()).toEqual([`${PATH}?2148-4196`]);
    expect(await over(scripted()).read(PATH, blockOf(PACK))).toEqual(PACK.slice(2148, 4196));
  });

  test("are read from a cached slice that contains them, named by the caller or the list; no more is read of it", async () => {
    const files = cacheFiles(FOLDER);
    await files.write(NAME, sliceOf(PACK));
    const parts: unknown[] = [];
    const watched = {
      ...files,
      read: (name: string, part?: { start: number; end: number }) => {
        if (name === NAME) parts.push(part);
        return files.read(name, part);
      },
    };
    const within = { ...SLICE, sha256: hashOf(sliceOf(PACK)) };
    const watching = over(scripted(), { files: watched, slices: cachedSlices(watched) });
    expect(await watching.read(PATH, { ...blockOf(PACK), within })).toEqual(PACK.slice(2148, 4196));
    const slices = cachedSlices(watched);
    await slices.list();
    expect(await over(scripted(), { files: watched, slices }).read(PATH, blockOf(PACK))).toEqual(
      PACK.slice(2148, 4196),
    );
    expect(parts).toEqual([BLOCK, BLOCK].map(({ start, end }) => ({ start: start - 100, end: end - 100 })));
  });

  test("are fetched when the cached slice is damaged, which is then removed", async () => {
    await cacheFiles(FOLDER).write(NAME, sliceOf(PACK).fill(0, 2000, 5000));
    const within = { ...SLICE, sha256: hashOf(sliceOf(PACK)) };
    expect(await over(scripted(PACK)).read(PATH, { ...blockOf(PACK), within })).toEqual(PACK.slice(2148, 4196));
    await settled();
    expect(names()).toEqual([`${PATH}?2148-4196`]);
  });
});

describe("a pack fetched whole", () => {
  test("answers all its ranges in this tab and the next, and its slices are not stored again", async () => {
    const inner: ByteSource = {
      name: "a host without ranges",
      async read(path, { range } = {}) {
        source.keepWhole(path, PACK);
        return PACK.slice(range?.start, range?.end);
      },
    };
    const source = over(inner);
    await source.read(PATH, optionsOf());
    await settled();
    expect(names()).toEqual([PATH]);
    for (const next of [source, over(scripted())]) {
      expect(await next.read(PATH, optionsOf())).toEqual(sliceOf(PACK));
      expect(await next.read(PATH, blockOf(PACK))).toEqual(PACK.slice(2148, 4196));
    }
  });

  test("is looked up once for each pack that is not stored", async () => {
    const matched: string[] = [];
    const files = cacheFiles(FOLDER);
    const watched = { ...files, read: async (name: string) => void matched.push(name) };
    const source = over(scripted(PACK, PACK, PACK), { files: watched, slices: cachedSlices(watched) });
    for (const start of [0, 3000, 6000]) await source.read(PATH, blockOf(PACK, { start, end: start + 2048 }));
    expect(matched.filter((name) => name === PATH)).toHaveLength(1);
  });
});

describe("several tabs", () => {
  test("find what another stores: at once under the same name, and by the list without a network", async () => {
    const [one, other] = [over(scripted(PACK)), over(scripted(0, 0, 0))];
    await one.read(PATH, optionsOf());
    await settled();
    expect(await other.read(PATH, optionsOf())).toEqual(sliceOf(PACK));
    nowMs += 5000;
    expect(await other.read(PATH, blockOf(PACK))).toEqual(PACK.slice(2148, 4196));
  });

  test("miss what another removed, and fetch it", async () => {
    const files = cacheFiles(FOLDER);
    await files.write(NAME, sliceOf(PACK));
    const slices = cachedSlices(files);
    await slices.list();
    caches.kept.clear();
    const inner = scripted(PACK);
    expect(await over(inner, { slices }).read(PATH, optionsOf())).toEqual(sliceOf(PACK));
    expect(inner.reads).toHaveLength(1);
  });

  test("list the cache once for many misses, and again when listing failed", async () => {
    let lists = 0;
    caches.onOperation = (operation) => {
      if (operation === "keys" && ++lists === 1) throw new DOMException("busy", "UnknownError");
    };
    const source = over({ name: "nobody", read: scripted().read });
    const many = () =>
      Promise.allSettled(
        [0, 2048, 4096, 6144].map((start) => source.read(PATH, blockOf(PACK, { start, end: start + 2048 }))),
      );
    nowMs = 5000;
    await many();
    expect(lists).toBe(1);
    await cacheFiles(FOLDER).write(NAME, sliceOf(PACK));
    expect((await many()).map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
    expect(lists).toBe(2);
  });
});

test("each range read is reported with its origin and the file that stores it", async () => {
  const reads: FileRead[] = [];
  const source = over(scripted(PACK), { onUse: (read) => reads.push(read) });
  await source.read(PATH, optionsOf());
  await settled();
  await source.read(PATH, blockOf(PACK));
  expect(reads).toEqual([
    { path: PATH, range: optionsOf().range, from: "network", kept: { name: NAME, bytes: 12_000 } },
    { path: PATH, range: BLOCK, from: "cache", kept: { name: NAME, bytes: 12_000 } },
  ]);
});

describe("the manifest", () => {
  test("is always requested, and the last one seen is used when offline", async () => {
    const inner = scripted(MANIFEST, 0);
    await over(inner).read("manifest.json", { fresh: true });
    await settled();
    expect(await over(inner).read("manifest.json", { fresh: true })).toEqual(MANIFEST);
    expect(inner.reads).toHaveLength(2);
  });

  test("is not replaced by the login page of a network", async () => {
    const inner = scripted(MANIFEST, new TextEncoder().encode("<!doctype html>"), 0);
    for (let i = 0; i < 2; i++) {
      await over(inner).read("manifest.json", { fresh: true });
      await settled();
    }
    expect(await over(inner).read("manifest.json", { fresh: true })).toEqual(MANIFEST);
  });

  test("is validated by its reader where that can do it, and an invalid one is not stored", async () => {
    const read: Uint8Array[] = [];
    const isSound = async (bytes: Uint8Array) => read.push(bytes) > 1;
    const inner = scripted(MANIFEST, MANIFEST);
    for (const stored of [[], ["manifest.json"]]) {
      await over(inner).read("manifest.json", { fresh: true, isSound });
      await settled();
      expect(names()).toEqual(stored);
    }
    expect(read).toHaveLength(2);
  });

  test("comes from a saved area when none was seen and the host does not answer", async () => {
    const savedManifest = async () => PACK;
    expect(await over(scripted(0), { savedManifest }).read("manifest.json")).toEqual(PACK);
    await expect(over(scripted(404), { savedManifest }).read("manifest.json")).rejects.toMatchObject({ status: 404 });
  });

  test("is not replaced by an old one when the host answers with an error", async () => {
    const inner = scripted(MANIFEST, 404);
    await over(inner).read("manifest.json");
    await settled();
    await expect(over(inner).read("manifest.json")).rejects.toMatchObject({ status: 404 });
  });
});
