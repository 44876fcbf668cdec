import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SignatureError } from "../../../../data/format/signature.ts";
import type { SliceEntry } from "../../../engine/index-tree/files.ts";
import type { Area } from "../protocol/area-calls.ts";
import { wantedOf } from "../storage/area-store.ts";
import { cacheNameOf } from "../storage/cached-names.ts";
import { blobSink } from "../storage/sinks.ts";
import { makeRelease, planMadeUp } from "../testing/made-up-release.ts";
import { writeAreaFile } from "./area-file.ts";
import { areaHandlers } from "./area-handlers.ts";
import { saveArea } from "./save-area.ts";
import { memoryDevice, storageOn } from "./testing/memory.ts";

const { files: dataset } = await makeRelease({ release: "one" });

/** An area saved elsewhere, as a file. */
async function areaFile(): Promise<{ readonly file: Blob; readonly names: readonly string[] }> {
  const shape = { kind: "circle", lon: 0.05, lat: 0, radiusMeters: 20_000 } as const;
  const selection = { shape, collections: ["place"], hasNames: false, around: [] } as const;
  const area: Area = { id: "a", name: "Équateur", selection, createdAtMs: 0, isUnfinished: true };
  const { context, kept } = memoryDevice(dataset);
  await context.store.write(area);
  await saveArea(area.id, context);
  const held = await context.store.files(area.id, "saved");
  if (!held) throw new Error("nothing was saved");
  const read = async (entry: SliceEntry) => kept.get(cacheNameOf(wantedOf(entry))) ?? new Uint8Array();
  const file = await writeAreaFile(area, held, { read, sink: blobSink(""), onProgress: () => {} });
  if (!file) throw new Error("nothing was written");
  return { file, names: held.files.map((entry) => cacheNameOf(wantedOf(entry))) };
}

beforeEach(() => vi.stubGlobal("navigator", {}));
afterEach(() => vi.unstubAllGlobals());

test("an imported area is reported as saved only when it is on the disk", async () => {
  const device = memoryDevice(new Map());
  const { files: stored } = device.context;
  const kept = storageOn(device);
  const { file, names } = await areaFile();
  const handlers = areaHandlers(async () => kept, planMadeUp);
  const result = await handlers.importArea(file, new AbortController().signal, () => {});
  expect(result).toEqual({ kind: "saved" });
  expect(names.length).toBeGreaterThan(3);
  expect(new Set(await stored.names())).toEqual(new Set(names));
});

test("an area of a release that the pinned key did not sign is refused, and nothing of it is stored", async () => {
  const device = memoryDevice(new Map());
  const refused: string[] = [];
  const kept = storageOn(device, async ({ release }) => {
    refused.push(release);
    throw new SignatureError("manifest.json is not signed");
  });
  const { file } = await areaFile();
  const handlers = areaHandlers(async () => kept, planMadeUp);
  const result = await handlers.importArea(file, new AbortController().signal, () => {});
  expect(result).toEqual({ kind: "damaged", reason: "manifest.json is not signed" });
  expect([refused.length, await device.context.files.names(), await device.context.store.areas()]).toEqual([1, [], []]);
});
