import { describe, expect, test } from "vitest";
import { chooseConditions } from "./narrow-postings.ts";

const ID_RUN = { rows: 100_000, partitions: 50, bytes: 50 * 150_000 };

describe("so many other conditions are read", () => {
  test.each([
    ["none where the rarest one's rows have their columns", 0, 25, [{ rows: 2000, bytes: 150_000 }], 0],
    ["none where they cost more than the rows", 1, 25, [{ rows: 2000, bytes: 160_000 }], 0],
    ["the one that leaves few rows", 100, 25, [{ rows: 2000, bytes: 150_000 }], 1],
    ["none that nearly all rows have", 100, Number.POSITIVE_INFINITY, [{ rows: 99_000, bytes: 9_000_000 }], 0],
    [
      "the last one too, where the page is then enough",
      10_000,
      5,
      [
        { rows: 50_000, bytes: 10 },
        { rows: 50_000, bytes: 10 },
      ],
      2,
    ],
    [
      "the first alone, where the second costs more than it spares",
      500,
      25,
      [
        { rows: 2000, bytes: 100_000 },
        { rows: 90_000, bytes: 6_000_000 },
      ],
      1,
    ],
    ["none where there are none", 500, 25, [], 0],
  ] as const)("%s", (_, lightRows, wantedRows, others, expected) => {
    expect(chooseConditions(lightRows, wantedRows, others, ID_RUN)).toBe(expected);
  });
});
