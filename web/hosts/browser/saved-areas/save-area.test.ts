import { beforeEach, describe, expect, test } from "vitest";
import type { Area } from "../protocol/area-calls.ts";
import { type AreaFiles, missingOf, pinnedNames, savedManifests } from "../storage/area-store.ts";
import { parseCacheName } from "../storage/cached-names.ts";
import { ask, expectAnswer, makeRelease } from "../testing/made-up-release.ts";
import { removeArea } from "./area-changes.ts";
import { sweep } from "./release-keeper.ts";
import { saveArea } from "./save-area.ts";
import { type MemoryDevice, memoryDevice } from "./testing/memory.ts";

/** Twelve cells along the equator, the first three changed with the second release. */
const releaseOf = (release: string, changed: number) =>
  makeRelease({ release, cells: 12, versionOf: (cell) => (cell < 3 ? changed : 1) });
const first = await releaseOf("first", 1);
const second = await releaseOf("second", 2);

const circle = (lon: number, radiusMeters: number): Area["selection"] => ({
  shape: { kind: "circle", lon, lat: 0, radiusMeters },
  collections: ["place"],
  hasNames: false,
});
const areaOf = (id: string, selection = circle(0.25, 30_000)): Area => ({
  id,
  name: id,
  selection,
  createdAtMs: 0,
  isUnfinished: true,
});

let device: MemoryDevice;
beforeEach(() => {
  device = memoryDevice(first.files);
});

async function save(id: string, signal?: AbortSignal) {
  return saveArea(id, device.context, signal ? { signal } : {});
}
async function add(id: string, selection?: Area["selection"]) {
  await device.context.store.write(areaOf(id, selection));
  return save(id);
}
const IS_PARTITION = /country=/;
const partitions = () => [...device.kept.keys()].filter((name) => IS_PARTITION.test(name)).sort();
const isHere = (part: AreaFiles | undefined) => missingOf(part?.files ?? [], [...device.kept.keys()]).length === 0;
const search = (west = 0.1, east = 0.4) => ask(device.context.source, { west, east });

describe("saving", () => {
  test("fetches each slice once and stores the list", async () => {
    expect(await add("a")).toEqual({ kind: "saved" });
    const area = await device.context.store.area("a");
    const files = await device.context.store.files("a", "saved");
    const { sha256 } = first.manifest;
    expect(area).toMatchObject({
      isUnfinished: false,
      saved: { release: "first", sha256, files: files?.files.length },
    });
    expect(isHere(files)).toBe(true);
    expect(files?.files.length).toBeGreaterThan(8);
    expect(new Set(device.asked).size).toBe(device.asked.length);
    expect((await savedManifests(device.context.store)).map(({ release }) => release)).toEqual(["first"]);
    device.isOnline = false;
    await expect(search()).rejects.toThrow("no network");
  });

  test("stores the manifest at once, because the tab may be closed before the slices are written", async () => {
    device = memoryDevice(second.files);
    device.kept.set("manifest.json", first.files.get("manifest.json") ?? new Uint8Array());
    await device.context.store.write(areaOf("a"));
    // a source that stores nothing
    expect(await saveArea("a", { ...device.context, source: device.context.network })).toEqual({ kind: "saved" });
    const kept = new TextDecoder().decode(device.kept.get("manifest.json"));
    expect(JSON.parse(kept)).toEqual(JSON.parse(new TextDecoder().decode(second.files.get("manifest.json"))));
  });

  test("with names answers searches without a network", async () => {
    await add("a", { ...circle(0.25, 30_000), hasNames: true });
    device.isOnline = false;
    expectAnswer(await search(), [first]);
  });

  test("continues after an interruption at any request", async () => {
    for (let stop = 1; stop < 12; stop++) {
      device = memoryDevice(first.files);
      let reads = 0;
      device.onRead = () => {
        reads++;
        if (reads === stop) device.isOnline = false;
      };
      expect(await add("a"), `stopped at ${stop}`).toEqual({ kind: "offline" });
      const had = [...device.kept.keys()].map((name) => name.replace(/-[0-9a-f]{64}$/, ""));
      expect((await device.context.store.area("a"))?.saved).toBeUndefined();
      device.isOnline = true;
      device.onRead = () => {};
      device.asked.length = 0;
      expect(await save("a")).toEqual({ kind: "saved" });
      expect(device.asked.filter((asked) => had.includes(asked) && asked !== "manifest.json")).toEqual([]);
    }
  });

  test("can be aborted and continued", async () => {
    const controller = new AbortController();
    device.onRead = (path) => {
      if (IS_PARTITION.test(path)) controller.abort();
    };
    await device.context.store.write(areaOf("a"));
    await expect(save("a", controller.signal)).rejects.toMatchObject({ name: "AbortError" });
    device.onRead = () => {};
    expect(await save("a")).toEqual({ kind: "saved" });
  });

  test("reports missing space in bytes, and continues when there is enough", async () => {
    device.quotaBytes = 3000;
    const result = await add("a");
    expect(result).toMatchObject({ kind: "full", neededBytes: expect.any(Number), freeBytes: expect.any(Number) });
    if (result.kind === "full") expect(result.neededBytes).toBeGreaterThan(result.freeBytes);
    device.quotaBytes = 1e9;
    expect(await save("a")).toEqual({ kind: "saved" });
  });

  test("reports a full disk although the browser promised space", async () => {
    device = memoryDevice(first.files);
    device.quotaBytes = 3000;
    Object.assign(device.context, { freeBytes: async () => 1e9 });
    expect(await add("a")).toMatchObject({ kind: "full" });
    device.quotaBytes = 1e9;
    expect(await save("a")).toEqual({ kind: "saved" });
  });

  test("fetches a damaged stored slice again", async () => {
    await add("a");
    const [damaged = ""] = partitions();
    const right = device.kept.get(damaged);
    for (const bytes of [new Uint8Array(3), right?.map((byte) => byte ^ 1) ?? new Uint8Array()]) {
      device.kept.set(damaged, bytes);
      await add(`b${bytes.length}`);
      expect(device.kept.get(damaged)).toEqual(right);
    }
  });

  test("saves the current release when the host no longer has the started one", async () => {
    device.onRead = (path) => {
      if (IS_PARTITION.test(path)) device.host = second.files;
    };
    expect(await add("a", circle(0.05, 3000))).toEqual({ kind: "gone" });
    expect(await save("a")).toEqual({ kind: "saved" });
    expect((await device.context.store.area("a"))?.saved?.release).toBe("second");
  });
});

describe("a new release", () => {
  test("is fetched where it changed; the old one answers until all is stored", async () => {
    await add("a");
    device.host = second.files;
    device.asked.length = 0;
    let hasFailed = false;
    device.onRead = (path) => {
      if (IS_PARTITION.test(path) && !hasFailed) {
        hasFailed = true;
        device.isOnline = false;
      }
    };
    expect(await save("a")).toEqual({ kind: "offline" });
    expect((await savedManifests(device.context.store)).map(({ release }) => release)).toEqual(["first"]);
    const old = await device.context.store.files("a", "saved");
    expect(isHere(old)).toBe(true);

    device.isOnline = true;
    expect(await save("a")).toEqual({ kind: "saved" });
    const now = await device.context.store.files("a", "saved");
    expect(isHere(now)).toBe(true);
    expect(isHere(old)).toBe(false);
    expect(partitions()).toHaveLength(now?.files.filter(({ path }) => IS_PARTITION.test(path)).length ?? 0);
  });

  test("fetches no slice that did not change, although each of their packs did", async () => {
    const selection = { ...circle(0.35, 40_000), hasNames: true };
    await add("a", selection);
    const old = await device.context.store.files("a", "saved");
    // one of three in each pack
    const later = await makeRelease({ release: "later", cells: 12, versionOf: (cell) => (cell % 3 === 0 ? 2 : 1) });
    device.host = later.files;
    device.asked.length = 0;
    expect(await save("a")).toEqual({ kind: "saved" });
    const now = await device.context.store.files("a", "saved");
    const hashes = new Set(old?.files.map(({ sha256 }) => sha256));
    const isData = (path: string) => !/_pages|manifest|_dictionary/.test(path);
    const changed = now?.files.filter(({ path, sha256 }) => isData(path) && !hashes.has(sha256)) ?? [];
    const asked = device.asked.filter(isData);
    expect(asked.sort()).toEqual(
      changed.map(({ path, offset, bytes }) => `${path}?${offset}-${offset + bytes}`).sort(),
    );
    expect(changed.length).toBeLessThan((now?.files.filter(({ path }) => isData(path)).length ?? 0) / 2);
    expect(now?.files.filter(({ path }) => isData(path)).some(({ path }) => first.files.has(path))).toBe(false);

    device.isOnline = false;
    device.kept.set("manifest.json", later.files.get("manifest.json") ?? new Uint8Array());
    expectAnswer(await search(), [later]);
    await removeArea("a", device.context);
    expect([...device.kept.keys()].filter((name) => name !== "manifest.json")).toEqual([]);
  });

  test("leaves other areas their own release and its slices", async () => {
    await add("a");
    await add("b", circle(0.05, 4000));
    device.host = second.files;
    await save("a");
    expect(isHere(await device.context.store.files("b", "saved"))).toBe(true);
    expect((await savedManifests(device.context.store)).map(({ release }) => release).sort()).toEqual([
      "first",
      "second",
    ]);
  });

  async function seeAll(): Promise<void> {
    await ask(device.context.source, { west: -1, east: 2 });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }

  test("removes files it does not have, except those that an area needs or that it has in another pack", async () => {
    await add("a", circle(0.05, 3000));
    await seeAll();
    device.host = second.files;
    await ask(device.context.source, { west: -1, east: 2 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = [...device.kept.keys()];
    const { files, store: areas, locks } = device.context;
    const pinned = await pinnedNames(areas, files.names);
    const gone = await sweep(second.manifest, { files, areas, locks });
    expect(gone.length).toBeGreaterThan(0);
    expect(gone.every((name) => !pinned.has(name) && !second.files.has(parseCacheName(name)?.path ?? ""))).toBe(true);
    expect(new Set(before.filter((name) => !gone.includes(name)))).toEqual(new Set(device.kept.keys()));
    device.isOnline = false;
    expectAnswer(await ask(device.context.source, { west: -1, east: 2 }), [second]);
    expect(isHere(await areas.files("a", "saved"))).toBe(true);
  });

  test("with an index that is not stored completely removes nothing that it may have", async () => {
    await seeAll();
    const { files, store: areas, locks } = device.context;
    for (const name of device.kept.keys()) if (/_pages/.test(name)) device.kept.delete(name);
    const kept = [...device.kept.keys()];
    const gone = await sweep(second.manifest, { files, areas, locks });
    expect(gone.filter((name) => !/_term|_dictionary/.test(name))).toEqual([]);
    expect(kept.length).toBeGreaterThan(20);
  });
});

test("removing an area leaves the slices of another one", async () => {
  await add("a");
  await add("b", circle(0.05, 4000));
  await removeArea("a", device.context);
  const b = await device.context.store.files("b", "saved");
  expect(isHere(b)).toBe(true);
  expect(partitions()).toHaveLength(b?.files.filter(({ path }) => IS_PARTITION.test(path)).length ?? 0);
  await removeArea("b", device.context);
  expect(partitions()).toEqual([]);
});

test("a whole pack contains the slices of an area, and is removed with it", async () => {
  for (const [path, bytes] of first.files) if (path !== "manifest.json") device.kept.set(path, bytes);
  expect(await add("a")).toEqual({ kind: "saved" });
  expect(device.asked).toEqual(["manifest.json"]);
  const { files, store } = device.context;
  const pinned = await pinnedNames(store, files.names);
  expect(pinned.size).toBeGreaterThan(3);
  expect([...pinned].every((name) => first.files.has(name))).toBe(true);
  await removeArea("a", device.context);
  expect([...pinned].some((name) => device.kept.has(name))).toBe(false);
});

test("neighbours in a pack are requested together and become one request", async () => {
  const asked = new Map<string, number>();
  let turn = 0;
  const turns: (readonly [path: string, turn: number])[] = [];
  setImmediate(function next() {
    turn++;
    if (turn < 500) setImmediate(next);
  });
  device.onRead = (path) => {
    turns.push([path, turn]);
    asked.set(path, (asked.get(path) ?? 0) + 1);
  };
  await add("a");
  const several = [...asked].filter(([path, count]) => count > 1 && IS_PARTITION.test(path));
  expect(several.length).toBeGreaterThan(0);
  for (const [path] of several) expect(new Set(turns.filter(([of]) => of === path).map(([, at]) => at)).size).toBe(1);
});
