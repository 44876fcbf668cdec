import { expect, test } from "vitest";
import { formatBytes, formatDay, formatDecimal, formatRelease, formatSeconds, releaseText } from "./numbers.ts";

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
  ["2026-13-01.0", "2026-13-01.0"],
  ["09c4879812f5", undefined],
  ["2026-09-165", "2026-09-165"],
  ["", undefined],
])("release %j is shown as %j", (release, shown) => {
  expect(formatRelease(release)).toBe(shown);
});

test("a line for a release has its date or its name, and no hash", () => {
  expect(releaseText("2026-09-16.0")).toBe("Data of September 16, 2026");
  expect(releaseText("spring")).toBe("Release spring");
  expect(releaseText("09c4879812f5")).toBeUndefined();
});

test.each([
  [0, "0.01 sec"],
  [120, "0.12 sec"],
  [2345.6, "2.35 sec"],
])("%d milliseconds are %j", (milliseconds, written) => {
  expect(formatSeconds(milliseconds)).toBe(written);
});

test.each([
  ["2011-05-02", "May 2, 2011"],
  ["2011-13-02", "2011-13-02"],
  ["2011-05-02T10:00:00Z", "2011-05-02T10:00:00Z"],
  ["in May", "in May"],
])("the day %j is shown as %j", (day, shown) => {
  expect(formatDay(day)).toBe(shown);
});

test.each([
  [456_789.1, "456,789.1"],
  [-0.5, "-0.5"],
  [1 / 3, "0.333333"],
])("the amount %d is %j", (value, shown) => {
  expect(formatDecimal(value)).toBe(shown);
});
