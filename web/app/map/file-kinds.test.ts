import { expect, test } from "vitest";
import { byOrigin, kindOf } from "./file-kinds.ts";

test.each([
  ["manifest.json", "manifest"],
  ["place/_pages/0123456789abcdef.json", "page"],
  ["place/country=US/geohash=9xj/0123456789abcdef.parquet", "location"],
  ["place/_shape/country=US/0123456789abcdef.parquet", "shape"],
  ["place/_id/country=US/0123456789abcdef.parquet", "id"],
  ["place/_term/country=US/0123456789abcdef.parquet", "term"],
  ["division/_suggest/country=XX/0123456789abcdef.parquet", "term"],
])("%s is %s", (path, kind) => {
  expect(kindOf(path)).toBe(kind);
});

test("bytes are summed by where they came from", () => {
  const files = [
    { path: "a", bytes: 10, from: "memory" },
    { path: "b", bytes: 20, from: "network" },
    { path: "c", bytes: 30, from: "network" },
  ] as const;
  expect(byOrigin(files)).toEqual([
    { from: "network", files: 2, bytes: 50 },
    { from: "memory", files: 1, bytes: 10 },
  ]);
});
