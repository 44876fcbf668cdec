import { expect, test } from "vitest";
import { text } from "./text.ts";

test("uses plural forms and number formats of the user's language", () => {
  expect(text("files.found", { count: 1 })).toBe("1 match");
  expect(text("files.found", { count: 12345 })).toBe("12,345 matches");
});
