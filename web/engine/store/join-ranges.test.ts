import { describe, expect, test } from "vitest";
import { joinNeighbours } from "./join-ranges.ts";

const KIB = 1024;
const range = (start: number, end: number) => ({ start, end });
const spans = (ranges: Parameters<typeof joinNeighbours>[0], gapBytes?: number) =>
  joinNeighbours(ranges, gapBytes).map(({ start, end, parts }) => [start, end, parts.length]);

describe("ranges are joined", () => {
  test.each<[string, ReturnType<typeof range>[], number[][]]>([
    ["when there are none", [], []],
    ["when they touch", [range(0, 10), range(10, 20)], [[0, 20, 2]]],
    ["when they overlap, or one contains the other", [range(5, 50), range(0, 10), range(6, 7)], [[0, 50, 3]]],
    ["when they are the same", [range(3, 9), range(3, 9)], [[3, 9, 2]]],
    ["within 20 KiB of each other", [range(0, 10), range(10 + 20 * KIB, 30_000)], [[0, 30_000, 2]]],
    [
      "not a byte farther",
      [range(0, 10), range(11 + 20 * KIB, 30_000)],
      [
        [0, 10, 1],
        [11 + 20 * KIB, 30_000, 1],
      ],
    ],
    ["in a chain", [range(40_000, 41_000), range(0, 10_000), range(30_000, 30_000)], [[0, 41_000, 3]]],
    [
      "up to 1 MiB",
      [range(0, 600 * KIB), range(600 * KIB, 1024 * KIB), range(1024 * KIB, 1025 * KIB)],
      [
        [0, 1024 * KIB, 2],
        [1024 * KIB, 1025 * KIB, 1],
      ],
    ],
    [
      "unless one of them is longer",
      [range(0, 2048 * KIB), range(2048 * KIB, 2050 * KIB)],
      [
        [0, 2048 * KIB, 1],
        [2048 * KIB, 2050 * KIB, 1],
      ],
    ],
  ])("%s", (_, ranges, joined) => {
    expect(spans(ranges)).toEqual(joined);
  });

  test("across gaps of the size that a host's requests cost", () => {
    const ranges = [range(0, 10), range(10 + KIB, 3000)];
    expect(spans(ranges, KIB)).toEqual([[0, 3000, 2]]);
    expect(spans(ranges, KIB - 1)).toHaveLength(2);
  });

  test("each into exactly one range", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 200; round++) {
      const ranges = Array.from({ length: random(30) }, () => {
        const start = random(300_000);
        return range(start, start + 1 + random(round % 2 ? 3000 : 400_000));
      });
      const joined = joinNeighbours(ranges);
      expect(joined.flatMap(({ parts }) => parts)).toHaveLength(ranges.length);
      for (const { start, end, parts } of joined) {
        expect(parts.length === 1 || end - start <= 1024 * KIB).toBe(true);
        for (const part of parts) expect(part.start >= start && part.end <= end).toBe(true);
        expect([Math.min(...parts.map((part) => part.start)), Math.max(...parts.map((part) => part.end))]).toEqual([
          start,
          end,
        ]);
      }
    }
  });
});
