import { expect, test } from "vitest";
import { text } from "./text.ts";

test("counts in words and writes numbers in the reader's way", () => {
  expect(text("results.count", { count: 1 })).toBe("1 result");
  expect(text("results.count", { count: 12345 })).toBe("12,345 results");
});
