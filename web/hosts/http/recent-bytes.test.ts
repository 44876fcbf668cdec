import { expect, test } from "vitest";
import { createRecentBytes } from "./recent-bytes.ts";

test("the most recently used files stay, up to the size; a larger file is not stored", () => {
  const recent = createRecentBytes(30);
  for (const path of ["a", "b", "c"]) recent.set(path, new Uint8Array(10));
  expect(recent.get("a")).toHaveLength(10);
  recent.set("d", new Uint8Array(10));
  expect(["a", "b", "c", "d"].filter((path) => recent.get(path))).toEqual(["a", "c", "d"]);
  recent.set("e", new Uint8Array(31));
  expect([recent.get("e"), recent.sizeBytes]).toEqual([undefined, 30]);
  recent.set("a", new Uint8Array(1));
  expect(recent.sizeBytes).toBe(21);
  recent.delete("a");
  recent.delete("nothing");
  expect(recent.sizeBytes).toBe(20);
});
