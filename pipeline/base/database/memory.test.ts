import { expect, test } from "vitest";
import { duckdbBytes, parseMemory, parsePackSize } from "./memory.ts";

const GIBIBYTE = 2 ** 30;

test.each([
  ["4GB", 4 * GIBIBYTE],
  ["512MiB", GIBIBYTE / 2],
  ["1.5g", 1.5 * GIBIBYTE],
  ["2 T", 2048 * GIBIBYTE],
  ["1073741824", GIBIBYTE],
])("--memory %s is %d bytes", (text, bytes) => {
  expect(parseMemory(text)).toBe(bytes);
});

test.each(["", "much", "-4GB", "4PB", "511MB"])(
  "--memory %s is refused and the error lists what is allowed",
  (text) => {
    expect(() => parseMemory(text)).toThrow(`--memory ${text}: expected a size such as 4GB, of 512MB at least`);
  },
);

test.each([
  [0.5, 0.25],
  [2, 1],
  [4, 2.25],
  [16, 12],
  [64, 48],
])("of %d GiB, DuckDB gets %d; the program and DuckDB's own overhead use the rest", (all, mine) => {
  expect(duckdbBytes(all * GIBIBYTE)).toBe(mine * GIBIBYTE);
});

test.each([
  ["0", 0],
  ["4MB", 4 * 2 ** 20],
  ["512MiB", 512 * 2 ** 20],
])("--pack-size %s is %d bytes", (text, bytes) => {
  expect(parsePackSize(text)).toBe(bytes);
});

test.each(["", "large", "-1", "513MB"])("--pack-size %s is refused and the error lists what is allowed", (text) => {
  expect(() => parsePackSize(text)).toThrow(`--pack-size ${text}: expected a size such as 4MB, of 512MB at most, or 0`);
});
