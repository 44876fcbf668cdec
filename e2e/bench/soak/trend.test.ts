import { expect, test, vi } from "vitest";
import { judge, type Sample, trendOf } from "./trend.ts";

function samplesOf(levelAt: (minute: number) => number): Sample[] {
  return Array.from({ length: 20 }, (_, minute) => ({
    minute,
    searches: minute,
    memory: { heapMiB: levelAt(minute) },
  }));
}

test("only the second half counts: filling caches at the start is not growth", () => {
  expect(
    trendOf(
      samplesOf((minute) => 100 + Math.min(minute, 9) * 20),
      "heapMiB",
    ),
  ).toEqual({ slope: 0, growth: 0 });
});

test("slope and growth of a straight line are exact", () => {
  const { slope, growth } = trendOf(
    samplesOf((minute) => 10 + minute),
    "heapMiB",
  );
  expect(slope).toBeCloseTo(1);
  expect(growth).toBeCloseTo(9 / (10 + 14.5));
});

test("growth of more than 5 % is found, also next to constant measures", () => {
  const logged = vi.spyOn(console, "log").mockImplementation(() => {});
  expect(
    judge(
      samplesOf((minute) => 100 + minute / 2),
      ["heapMiB"],
    ),
  ).toBe(true);
  expect(
    judge(
      samplesOf((minute) => 100 + minute),
      ["heapMiB"],
    ),
  ).toBe(false);
  expect(logged.mock.calls.flat().join("\n")).toContain("heapMiB: 1.000 MiB a minute");
  logged.mockRestore();
});

test("a missing measure, or a run too short for a trend, is an error", () => {
  expect(() =>
    trendOf(
      samplesOf(() => 1),
      "wasmMiB",
    ),
  ).toThrow("no wasmMiB at minute 10");
  expect(() => trendOf(samplesOf(() => 1).slice(0, 2), "heapMiB")).toThrow("needs four samples, got 2");
});
