import { expect, test } from "vitest";
import { formatBytes } from "./numbers.ts";

test.each([
  [0, "0 kB"],
  [1, "1 kB"],
  [26_000, "26 kB"],
  [99_400, "100 kB"],
  [99_500, "0.1 MB"],
  [47_800_000, "47.8 MB"],
  [999_940_000, "999.9 MB"],
  [5_368_700_000, "5.4 GB"],
])("%d bytes are %j", (bytes, written) => {
  expect(formatBytes(bytes)).toBe(written);
});
