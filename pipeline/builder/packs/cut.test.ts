import fc from "fast-check";
import { expect, test } from "vitest";
import { cutByHash, type Weighed } from "./cut.ts";

const MOST = 100;

const items = fc
  .array(fc.integer({ min: 1, max: 130 }), { minLength: 1, maxLength: 200 })
  .map((weights) => weights.map((weight, index): Weighed => ({ weight, key: `slice ${index}` })));

const weightOf = (part: readonly Weighed[]): number => part.reduce((sum, { weight }) => sum + weight, 0);

test("parts are consecutive, complete, and within the limit unless they have one item", () => {
  fc.assert(
    fc.property(items, (all) => {
      const parts = cutByHash(all, MOST).map(({ start, end }) => all.slice(start, end));
      expect(parts.flat()).toEqual(all);
      for (const part of parts) expect(part.length === 1 || weightOf(part) <= MOST).toBe(true);
    }),
  );
});

test("with a limit of 0 every part has one item", () => {
  const all = Array.from({ length: 5 }, (_, index) => ({ weight: 3, key: String(index) }));
  expect(cutByHash(all, 0).length).toBe(5);
});

test("parts are well filled, and one more item changes few of them", () => {
  const all = Array.from({ length: 2000 }, (_, index) => ({ weight: 5 + ((index * 7919) % 9), key: `slice ${index}` }));
  const textsOf = (list: readonly Weighed[]) =>
    cutByHash(list, MOST).map(({ start, end }) => JSON.stringify(list.slice(start, end)));
  const before = new Set(textsOf(all));
  expect(weightOf(all) / before.size).toBeGreaterThan(0.75 * MOST);
  let changed = 0;
  for (let place = 10; place < 2000; place += 20) {
    const more = all.toSpliced(place, 0, { weight: 6, key: `another ${place}` });
    changed += textsOf(more).filter((text) => !before.has(text)).length;
  }
  expect(changed / 100).toBeLessThan(6);
});
