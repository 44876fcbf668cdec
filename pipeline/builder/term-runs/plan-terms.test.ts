import { expect, test } from "vitest";
import { cutNumbers, planTerms } from "./plan-terms.ts";

/** Terms with weights from one to nine. */
const terms = Array.from({ length: 5000 }, (_, i) => `name:${String(i).padStart(4, "0")}`);
const weights = terms.map((_, i) => 1 + ((i * 7919) % 9));

const weightOf = (start: number, end: number, of: readonly number[] = weights): number =>
  of.slice(start, end).reduce((sum, weight) => sum + weight, 0);

test("ranges contain all terms in order, within the limit", () => {
  const planned = planTerms({ terms, weights }, 100);
  let at = 0;
  for (const { start, end } of planned) {
    expect(start).toBe(at);
    expect(weightOf(start, end)).toBeLessThanOrEqual(100);
    at = end;
  }
  expect(at).toBe(terms.length);
  expect(planned.length).toBeLessThan(weightOf(0, at) / 50);
});

test("a term that fits no slice is a range of its own", () => {
  const counted = { terms: ["a", "b", "c", "d"], weights: [5, 25, 3, 4] };
  expect(planTerms(counted, 10)).toEqual([
    { start: 0, end: 1 },
    { start: 1, end: 2 },
    { start: 2, end: 4 },
  ]);
});

test("one more row leaves nearly all cuts unchanged", () => {
  const cutsOf = (of: readonly number[]) =>
    planTerms({ terms, weights: of }, 100).map(({ start, end }) => `${start} ${end}`);
  const before = new Set(cutsOf(weights));
  let changed = 0;
  for (let i = 0; i < 200; i++) {
    const more = weights.with((i * 24) % weights.length, 10);
    changed += cutsOf(more).filter((cut) => !before.has(cut)).length;
  }
  expect(changed / 200).toBeLessThan(1);
});

test("numbers are cut at fixed numbers, so that one more row changes one part", () => {
  const numbers = Float64Array.from({ length: 3000 }, (_, i) => i * 1000 + ((i * 7919) % 997));
  const partsOf = (all: Float64Array): string[] => {
    let start = 0;
    return cutNumbers(all, 100).map((end) => {
      const part = all.subarray(start, end);
      start = end;
      return String(part);
    });
  };
  const before = partsOf(numbers);
  expect(before.join()).toBe(String(numbers));
  expect(Math.max(...before.map((part) => part.split(",").length))).toBeLessThanOrEqual(100);
  const more = numbers.slice().fill(1_500_001, 1500, 1501);
  expect(partsOf(more).filter((part) => !before.includes(part)).length).toBe(1);
});
