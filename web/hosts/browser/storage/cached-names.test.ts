import { describe, expect, test } from "vitest";
import { cacheNameOf, createCachedNames, parseCacheName } from "./cached-names.ts";

const PACK = "place/_records/0123456789abcdef.pack";
const OTHER = "place/_records/fedcba9876543210.pack";
const [A, B] = ["a".repeat(64), "b".repeat(64)];

describe("a name", () => {
  test.each([
    { path: PACK, start: 0, end: 9, sha256: A },
    { path: PACK, start: 2048, end: 4096, sha256: undefined },
    { path: "place/country=MC/geohash=-/0123456789abcdef.parquet", start: 0, end: 5, sha256: B },
  ])("describes the cached range: %j", (part) => {
    expect(parseCacheName(cacheNameOf(part))).toEqual(part);
  });

  test("of just a pack is the whole pack; other names are invalid", () => {
    expect(parseCacheName(PACK)).toEqual({ path: PACK, start: 0, end: Number.POSITIVE_INFINITY });
    for (const name of ["manifest.json", `${PACK}?`, `${PACK}?0-9-abc`, "place/_id/x.parquet", `${PACK}?x-y`]) {
      expect(parseCacheName(name), name).toBeUndefined();
    }
  });
});

describe("cached files that contain bytes", () => {
  const kept = () => createCachedNames([`${PACK}?100-900-${A}`, `${PACK}?2048-4096`, OTHER, "manifest.json"]);
  const found = (wanted: Parameters<ReturnType<typeof kept>["holdersOf"]>[0]) =>
    kept()
      .holdersOf(wanted)
      .map(({ name, part }) => [name, part.start, part.end]);

  test("are files of the range, and larger ones", () => {
    const name = `${PACK}?100-900-${A}`;
    expect(found({ path: PACK, start: 100, end: 900, sha256: A })).toEqual([[name, 0, 800]]);
    expect(found({ path: PACK, start: 200, end: 300 })).toEqual([[name, 100, 200]]);
    for (const [start, end] of [
      [99, 200],
      [800, 901],
      [900, 1000],
      [0, 5000],
    ] as const) {
      expect(found({ path: PACK, start, end }), `${start}`).toEqual([]);
    }
    expect(found({ path: OTHER, start: 7, end: 9 })).toEqual([[OTHER, 7, 9]]);
  });

  test("are files with the same SHA-256 under any path, and of the slice that contains the range", () => {
    const name = `${PACK}?100-900-${A}`;
    expect(found({ path: OTHER, start: 0, end: 800, sha256: A })).toEqual([
      [name, 0, 800],
      [OTHER, 0, 800],
    ]);
    const within = { offset: 5000, bytes: 800, sha256: A };
    expect(found({ path: "place/_records/aaaaaaaaaaaaaaaa.pack", start: 5010, end: 5020, within })).toEqual([
      [name, 10, 20],
    ]);
  });

  test("are added and removed", () => {
    const names = createCachedNames();
    names.add(`${PACK}?0-9-${B}`);
    names.delete("nothing");
    names.delete(OTHER);
    expect(names.holdersOf({ path: PACK, start: 1, end: 2 })).toHaveLength(1);
    names.delete(`${PACK}?0-9-${B}`);
    expect(names.holdersOf({ path: PACK, start: 0, end: 9, sha256: B })).toEqual([]);
  });
});
