import { beforeEach, describe, expect, test } from "vitest";
import { parseManifest } from "../../../../data/format/manifest.ts";
import { makeDataset } from "../../../engine/testing/made-up-dataset.ts";
import type { Area } from "../protocol/area-calls.ts";
import { pinnedPaths, savedManifests } from "../storage/area-store.ts";
import { removeArea } from "./area-changes.ts";
import { saveArea } from "./save-area.ts";
import { sweep } from "./sweep.ts";
import { type MemoryDevice, memoryDevice } from "./testing/memory.ts";

/** 40 places along the equator, ten in the west of them changed with the second release. */
const releaseOf = (release: string, moved: number) =>
  makeDataset(
    {
      place: Array.from({ length: 40 }, (_, i) => ({
        id: `row${String(i).padStart(2, "0")}`,
        country: "AA",
        geometry: { type: "Point", coordinates: [i / 100, i < 10 ? moved : 0] } as const,
      })),
    },
    { release, rowsPerPartition: 5, nodesPerPage: 3, keepOrder: true },
  );
const first = await releaseOf("first", 0);
const second = await releaseOf("second", 0.001);

const circle = (lon: number, radiusMeters: number): Area["selection"] => ({
  shape: { kind: "circle", lon, lat: 0, radiusMeters },
  collections: ["place"],
  hasNames: false,
});
const areaOf = (id: string, selection = circle(0.05, 12_000)): Area => ({
  id,
  name: id,
  selection,
  createdAtMs: 0,
  isUnfinished: true,
});

let device: MemoryDevice;
beforeEach(() => {
  device = memoryDevice(first);
});

async function save(id: string, signal?: AbortSignal) {
  return saveArea(id, device.context, signal ? { signal } : {});
}
async function add(id: string, selection?: Area["selection"]) {
  await device.context.store.write(areaOf(id, selection));
  return save(id);
}
const partitions = () => [...device.kept.keys()].filter((path) => path.endsWith(".parquet")).sort();

describe("saving", () => {
  test("fetches each file once and writes down what it has", async () => {
    expect(await add("a")).toEqual({ kind: "saved" });
    const area = await device.context.store.area("a");
    const files = await device.context.store.files("a", "saved");
    expect(area).toMatchObject({ isUnfinished: false, saved: { release: "first", files: files?.files.length } });
    expect(files?.files.every(({ path }) => device.kept.has(path))).toBe(true);
    expect(new Set(device.asked).size).toBe(device.asked.length);
    expect((await savedManifests(device.context.store)).map(({ release }) => release)).toEqual(["first"]);
  });

  test("goes on where it was interrupted, at every single file", async () => {
    for (let stop = 1; stop < 8; stop++) {
      device = memoryDevice(first);
      let reads = 0;
      device.onRead = () => {
        reads++;
        if (reads === stop) device.isOnline = false;
      };
      expect(await add("a"), `stopped at ${stop}`).toEqual({ kind: "offline" });
      const had = partitions();
      expect((await device.context.store.area("a"))?.saved).toBeUndefined();
      device.isOnline = true;
      device.onRead = () => {};
      device.asked.length = 0;
      expect(await save("a")).toEqual({ kind: "saved" });
      expect(device.asked.filter((path) => had.includes(path))).toEqual([]);
    }
  });

  test("can be aborted, and gone on with", async () => {
    const controller = new AbortController();
    device.onRead = (path) => {
      if (path.endsWith(".parquet")) controller.abort();
    };
    await device.context.store.write(areaOf("a"));
    await expect(save("a", controller.signal)).rejects.toMatchObject({ name: "AbortError" });
    device.onRead = () => {};
    expect(await save("a")).toEqual({ kind: "saved" });
  });

  test("says with numbers that there is no room, and goes on when there is", async () => {
    device.roomBytes = 9000;
    const result = await add("a");
    expect(result).toMatchObject({ kind: "full", neededBytes: expect.any(Number), freeBytes: expect.any(Number) });
    if (result.kind === "full") expect(result.neededBytes).toBeGreaterThan(result.freeBytes);
    device.roomBytes = 1e9;
    expect(await save("a")).toEqual({ kind: "saved" });
  });

  test("is told of a full disk though the browser promised room", async () => {
    device = memoryDevice(first);
    device.roomBytes = 9000;
    Object.assign(device.context, { freeBytes: async () => 1e9 });
    expect(await add("a")).toMatchObject({ kind: "full" });
    device.roomBytes = 1e9;
    expect(await save("a")).toEqual({ kind: "saved" });
  });

  test("fetches a kept file anew that was damaged", async () => {
    await add("a");
    const [damaged = ""] = partitions();
    device.kept.set(damaged, new Uint8Array(3));
    await add("b");
    expect(device.kept.get(damaged)).toEqual(first.get(damaged));
  });

  test("takes the present release when the host no longer has the one begun", async () => {
    device.onRead = (path) => {
      if (path.endsWith(".parquet")) device.host = second;
    };
    expect(await add("a", circle(0.02, 3000))).toEqual({ kind: "gone" });
    expect(await save("a")).toEqual({ kind: "saved" });
    expect((await device.context.store.area("a"))?.saved?.release).toBe("second");
  });
});

describe("a new release", () => {
  test("is fetched where it changed; the old one serves until all is there", async () => {
    await add("a");
    device.host = second;
    device.asked.length = 0;
    let hasFailed = false;
    device.onRead = (path) => {
      if (path.endsWith(".parquet") && !hasFailed) {
        hasFailed = true;
        device.isOnline = false;
      }
    };
    expect(await save("a")).toEqual({ kind: "offline" });
    expect((await savedManifests(device.context.store)).map(({ release }) => release)).toEqual(["first"]);
    const old = (await device.context.store.files("a", "saved"))?.files ?? [];
    expect(old.every(({ path }) => device.kept.has(path))).toBe(true);

    device.isOnline = true;
    expect(await save("a")).toEqual({ kind: "saved" });
    const now = (await device.context.store.files("a", "saved"))?.files ?? [];
    expect(now.every(({ path }) => device.kept.has(path))).toBe(true);
    const fetched = device.asked.filter((path) => path.endsWith(".parquet"));
    expect(fetched.length).toBeGreaterThan(0);
    expect(fetched.every((path) => !first.has(path))).toBe(true);
    const dropped = old.filter(({ path }) => !now.some((entry) => entry.path === path));
    expect(dropped.length).toBeGreaterThan(0);
    expect(dropped.some(({ path }) => device.kept.has(path))).toBe(false);
  });

  test("leaves other areas their own release and its files", async () => {
    await add("a");
    await add("b", circle(0.02, 4000));
    device.host = second;
    await save("a");
    const b = (await device.context.store.files("b", "saved"))?.files ?? [];
    expect(b.every(({ path }) => device.kept.has(path))).toBe(true);
    expect((await savedManifests(device.context.store)).map(({ release }) => release).sort()).toEqual([
      "first",
      "second",
    ]);
  });

  test("sweeps away what it does not have, and nothing that an area holds", async () => {
    await add("a", circle(0.3, 3000));
    for (const [path, bytes] of first) device.kept.set(path, bytes);
    for (const [path, bytes] of second) if (path.endsWith(".json")) device.kept.set(path, bytes);
    const manifest = parseManifest(JSON.parse(new TextDecoder().decode(second.get("manifest.json"))));
    const pinned = await pinnedPaths(device.context.store);
    const { files, store: areas, locks } = device.context;
    const gone = await sweep(manifest, { files, areas, locks });
    expect(gone.length).toBeGreaterThan(0);
    expect(gone.every((path) => !second.has(path) && !pinned.has(path))).toBe(true);
    expect([...device.kept.keys()].every((path) => second.has(path) || pinned.has(path))).toBe(true);
  });

  test("of which the index is not all here sweeps nothing that it may have", async () => {
    for (const [path, bytes] of second) if (path.endsWith(".parquet")) device.kept.set(path, bytes);
    const manifest = parseManifest(JSON.parse(new TextDecoder().decode(second.get("manifest.json"))));
    const { files, store: areas, locks } = device.context;
    expect(await sweep(manifest, { files, areas, locks })).toEqual([]);
  });
});

test("removing an area leaves what another one holds", async () => {
  await add("a");
  await add("b", circle(0.02, 4000));
  await removeArea("a", device.context);
  const b = (await device.context.store.files("b", "saved"))?.files ?? [];
  expect(b.every(({ path }) => device.kept.has(path))).toBe(true);
  expect(partitions()).toEqual(
    b
      .map(({ path }) => path)
      .filter((path) => path.endsWith(".parquet"))
      .sort(),
  );
  await removeArea("b", device.context);
  expect(partitions()).toEqual([]);
});
