import { expect, test } from "vitest";
import { compareIds } from "./ids.ts";

test("ids are ordered by their UTF-8 bytes", () => {
  const ids = [
    "",
    "a",
    "ab",
    "b",
    "B",
    "é",
    "z",
    "\u{e000}",
    "\u{ffff}",
    "\u{10000}",
    "\u{1f600}",
    "a\u{1f600}",
    "a\u{ffff}",
    "東京",
  ];
  for (const a of ids) {
    for (const b of ids) {
      expect(Math.sign(compareIds(a, b)), `${a} ${b}`).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }
  }
});
