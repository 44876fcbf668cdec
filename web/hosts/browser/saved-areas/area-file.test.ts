import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { MAX_MANIFEST_BYTES } from "../../../../data/format/manifest.ts";
import type { SliceEntry } from "../../../engine/index-tree/files.ts";
import { cyclicIndex } from "../../../engine/testing/cyclic-index.ts";
import type { Area } from "../protocol/area-calls.ts";
import { wantedOf } from "../storage/area-store.ts";
import { cacheNameOf, parseCacheName } from "../storage/cached-names.ts";
import { blobSink } from "../storage/sinks.ts";
import { makeRelease, planMadeUp } from "../testing/made-up-release.ts";
import { AreaFileError, keepAreaFile, readAreaFile, writeAreaFile } from "./area-file.ts";
import { saveArea } from "./save-area.ts";
import { tarEnd, tarHeader, tarPadding } from "./tar.ts";
import { memoryDevice } from "./testing/memory.ts";

const { files: dataset } = await makeRelease({ release: "one", cells: 6 });
const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const area: Area = {
  id: "a",
  name: "Équateur <b>",
  selection: {
    shape: { kind: "circle", lon: 0.05, lat: 0, radiusMeters: 20_000 },
    collections: ["place"],
    hasNames: false,
    around: [{ collection: "place", bbox: [0, -1, 0.1, 1] }],
  },
  createdAtMs: 0,
  isUnfinished: true,
};

describe("a saved area as a file", () => {
  let file: Blob;
  let bytes: Uint8Array<ArrayBuffer>;

  beforeAll(async () => {
    const device = memoryDevice(dataset);
    await device.context.store.write(area);
    await saveArea("a", device.context);
    const held = await device.context.store.files("a", "saved");
    if (!held) throw new Error("nothing was saved");
    const read = async (entry: SliceEntry) => device.kept.get(cacheNameOf(wantedOf(entry))) ?? new Uint8Array();
    file = (await writeAreaFile(area, held, { read, sink: blobSink(""), onProgress: () => {} })) ?? new Blob();
    bytes = new Uint8Array(await file.arrayBuffer());
  });

  const accept = async (changed: BlobPart) => {
    const device = memoryDevice(new Map());
    await keepAreaFile(await readAreaFile(new Blob([changed]), planMadeUp), device.context.files);
    return device.kept;
  };
  const changed = (change: (copy: Uint8Array<ArrayBuffer>) => void) => {
    const copy = bytes.slice();
    change(copy);
    return copy;
  };
  const textAt = (text: string) => Buffer.from(bytes).indexOf(text);

  test("can be imported completely on a device without a network", async () => {
    const read = await readAreaFile(file, planMadeUp);
    expect([read.name, read.selection]).toEqual([area.name, area.selection]);
    const kept = await accept(file);
    expect(read.next.files.map(({ sha256 }) => sha256)).toEqual([...kept.values()].map((bytes) => sha256Of(bytes)));
    expect(kept.size).toBe(read.next.files.length);
  });

  test("is a tar that other programs can list", async () => {
    const { mkdtemp, rm, writeFile } = await import("node:fs/promises");
    const { execFileSync } = await import("node:child_process");
    const folder = await mkdtemp("/tmp/cairn-area-");
    await writeFile(`${folder}/a.tar`, bytes);
    const names = execFileSync("tar", ["-tf", `${folder}/a.tar`], { encoding: "utf8" })
      .trim()
      .split("\n");
    await rm(folder, { recursive: true });
    expect(names.slice(0, 2)).toEqual(["area.json", "manifest.json"]);
    expect(names.length).toBeGreaterThan(4);
  });

  test.each<[string, () => BlobPart, RegExp]>([
    ["an empty file", () => "", /ends early, at byte 0/],
    ["some other file", () => "x".repeat(5000), /not a file of a saved area/],
    ["a file cut in a header", () => bytes.slice(0, bytes.length - 1100), /ends early/],
    ["a file cut in a content", () => bytes.slice(0, 900), /ends early|lacks/],
    ["a changed header", () => changed((copy) => copy.set([65], textAt("manifest.json") + 1)), /damaged at byte/],
    [
      "a changed partition",
      () => changed((copy) => copy.fill(7, bytes.length - 1700, bytes.length - 1600)),
      /SHA-256|damaged/,
    ],
    ["a changed manifest", () => changed((copy) => copy.set([88], textAt('"format_version"') + 1)), /manifest/],
    [
      "another version",
      () => changed((copy) => copy.set([57], textAt('"version":2') + 10)),
      /version 9, this program reads 2/,
    ],
    [
      "an area that needs more than is there",
      () => changed((copy) => copy.set([50], textAt("0.05") + 2)),
      /lacks place/,
    ],
    ["a changed licence", () => changed((copy) => copy.set([90], textAt('"attribution"') + 1)), /manifest/],
  ])("%s is refused, and the error names the fault", async (_, content, reason) => {
    await expect(accept(content())).rejects.toThrow(AreaFileError);
    await expect(accept(content())).rejects.toThrow(reason);
  });

  const areaOf = (
    files: ReadonlyMap<string, Uint8Array>,
    description: object = {},
    others: readonly BlobPart[] = [],
  ) => {
    const manifest = files.get("manifest.json") ?? new Uint8Array();
    const manifest_sha256 = createHash("sha256").update(manifest).digest("hex");
    const about = {
      format: "cairn-area",
      version: 2,
      name: "a",
      manifest_sha256,
      selection: area.selection,
      ...description,
    };
    const contents = new Map([["area.json", new TextEncoder().encode(JSON.stringify(about))], ...files]);
    const parts = Array.from(contents, ([name, content]): BlobPart[] => [
      tarHeader(name, content.length),
      Uint8Array.from(content),
      tarPadding(content.length),
    ]);
    return new Blob([...parts.flat(), ...others, tarEnd()]);
  };

  test.each<[string, () => Blob, RegExp]>([
    [
      "a manifest that is too large",
      () => areaOf(new Map([["manifest.json", new Uint8Array(MAX_MANIFEST_BYTES + 1)]])),
      /manifest.json has 1048577 bytes, expected at most 1048576/,
    ],
    [
      "a description that is too large",
      () => areaOf(dataset, { name: "a".repeat(MAX_MANIFEST_BYTES) }),
      /area.json has \d+ bytes, expected at most 1048576/,
    ],
    [
      "the same type many times",
      () => areaOf(dataset, { selection: { ...area.selection, collections: Array(1000).fill("place") } }),
      /area.json is not valid: .*collections/,
    ],
    [
      "the same box many times",
      () => {
        const [box] = area.selection.around ?? [];
        return areaOf(dataset, { selection: { ...area.selection, around: Array(1000).fill(box) } });
      },
      /area.json is not valid: .*around/,
    ],
    ["a file twice", () => areaOf(dataset, {}, [tarHeader("area.json", 0)]), /contains area.json twice/],
  ])("a file with %s is refused", async (_, file, reason) => {
    await expect(readAreaFile(file(), planMadeUp)).rejects.toThrow(AreaFileError);
    await expect(readAreaFile(file(), planMadeUp)).rejects.toThrow(reason);
  });

  test.each<[string, Parameters<typeof cyclicIndex>[0], RegExp]>([
    ["name each other's children", { width: 3, depth: 8 }, /names page [0-9a-f]{16} twice, expected once/],
    ["are nested without an end", { width: 1, depth: 9 }, /9 pages deep, expected at most 8/],
  ])("a file with pages that %s is refused, as such pages are from a host", async (_, shape, reason) => {
    const slices = Array.from(await cyclicIndex(shape), ([path, content]): [string, Uint8Array] => [
      path === "manifest.json" ? path : `${path}/0`,
      content,
    ]);
    const file = areaOf(new Map(slices));
    await expect(readAreaFile(file)).rejects.toThrow(AreaFileError);
    await expect(readAreaFile(file)).rejects.toThrow(reason);
  });

  test("no changed byte is imported unnoticed", async () => {
    const good = await accept(file);
    for (let at = 0; at < bytes.length; at += 97) {
      const kept = await accept(changed((copy) => copy.set([(copy[at] ?? 0) ^ 0x10], at))).catch((error: unknown) => {
        expect(error, `byte ${at}`).toBeInstanceOf(AreaFileError);
      });
      for (const [name, content] of kept ?? []) {
        expect(sha256Of(content), `byte ${at}`).toBe(parseCacheName(name)?.sha256);
        expect(good.has(name), `byte ${at}`).toBe(true);
      }
    }
  });
});
