import { expect, test } from "vitest";
import { inTurn, nextTask, stepsInTurn } from "./in-turn.ts";

function workFor(milliseconds: number): void {
  const start = performance.now();
  while (performance.now() - start < milliseconds);
}

test("other tasks run between long pieces, whichever caller started them", async () => {
  let pieces = 0;
  const seen: number[] = [];
  const timer = setInterval(() => seen.push(pieces), 1);
  const search = () =>
    Promise.all(
      Array.from({ length: 5 }, () =>
        inTurn(() => {
          workFor(20);
          pieces++;
        }),
      ),
    );
  await Promise.all([search(), search()]);
  clearInterval(timer);
  expect(pieces).toBe(10);
  // each number of finished pieces was observed, except the first and the last
  expect(new Set(seen).size).toBeGreaterThanOrEqual(9);
});

test("short pieces do not each wait for a new task", async () => {
  await nextTask();
  let tasks = 0;
  let isDone = false;
  const count = (async () => {
    while (!isDone) {
      await nextTask();
      tasks++;
    }
  })();
  for (let i = 0; i < 200; i++) await inTurn(() => i);
  isDone = true;
  await count;
  expect(tasks).toBeLessThan(20);
});

test("a failing piece rejects only its caller, and pieces stay in order", async () => {
  const order: number[] = [];
  const failing = inTurn(() => {
    throw new Error("damaged");
  });
  const rest = [1, 2, 3].map((n) => inTurn(() => order.push(n)));
  await expect(failing).rejects.toThrow("damaged");
  await Promise.all(rest);
  expect(order).toEqual([1, 2, 3]);
});

test("steps end between two of them once their signal is aborted", async () => {
  const controller = new AbortController();
  const left = new Error("the caller left");
  let steps = 0;
  function* work() {
    for (; steps < 10; steps++) {
      if (steps === 3) controller.abort(left);
      yield;
    }
  }
  await expect(stepsInTurn(work(), controller.signal)).rejects.toBe(left);
  expect(steps).toBe(3);
  await stepsInTurn(work());
  expect(steps).toBe(10);
});
