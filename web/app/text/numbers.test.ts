import { expect, test } from "vitest";
import { formatBytes, formatReleaseDate } from "./numbers.ts";

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

test.each([
  ["2026-09-16.0", "September 16, 2026"],
  ["2026-09-16", "September 16, 2026"],
  ["2026-13-01.0", undefined],
  ["09c4879812f5", undefined],
  ["2026-09-165", undefined],
])("release %j is of %j", (release, date) => {
  expect(formatReleaseDate(release)).toBe(date);
});
