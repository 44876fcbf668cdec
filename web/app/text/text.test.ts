import { expect, test } from "vitest";
import { text } from "./text.ts";

test("counts in words and writes numbers in the reader's way", () => {
  expect(text("files.found", { count: 1 })).toBe("1 match");
  expect(text("files.found", { count: 12345 })).toBe("12,345 matches");
});
