import { expect, test } from "vitest";
import { type HostSample, judgeQuarters, tableOf } from "./serve-report.ts";

function samplesOf(levels: readonly number[]): HostSample[] {
  return levels.map((residentMiB, index) => ({
    host: "cairn serve",
    minute: index + 1,
    seconds: 10,
    asked: [],
    cpuSeconds: 4,
    residentMiB,
    parts: {},
  }));
}

test("the last quarter is compared with the second, in both directions", () => {
  const judged = (levels: readonly number[]) => judgeQuarters(samplesOf(levels));
  expect(judged([100, 200, 150, 205]).isFlat).toBe(true);
  expect(judged([100, 200, 150, 207]).isFlat).toBe(false);
  expect(judged([100, 200, 150, 190]).isFlat).toBe(false);
  expect(judged([0, 0, 100, 300, 9, 9, 150, 250]).text).toBe(
    "Resident memory: 200 MiB in the second quarter, 200 MiB in the last, +0.0 %: flat.",
  );
  expect(() => judged([1, 2, 3])).toThrow("quarters need four samples, got 3");
});

test("the table has answers, refusals and times of clients that read at once", () => {
  const [sample] = samplesOf([432.1]);
  if (!sample) throw new Error("no sample");
  const read = { manner: "reads", status: 200, bytes: 5e6, isCutOff: false, milliseconds: 12 } as const;
  const asked = [
    read,
    { ...read, milliseconds: 30 },
    { ...read, manner: "sips", milliseconds: 9000 } as const,
    { ...read, manner: "never reads", bytes: 0, isCutOff: true } as const,
    { ...read, status: 503, bytes: 100 },
  ];
  expect(
    tableOf([{ ...sample, asked }])
      .split("\n")
      .at(-1),
  ).toBe("| cairn serve | 1.0 | 0.4 | 1 | 1 | 1.5 | 30 | 30 | 40 % | 432 | - | - |");
});
