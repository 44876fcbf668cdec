import { expect, test } from "vitest";
import { BusyError } from "../../api/index.ts";
import { createSlots } from "./slots.ts";

const { signal } = new AbortController();
const PATIENT = { waitMs: 60_000 };

/** Requests slots; returns the peers that have one, in order. */
function asking(limits: Parameters<typeof createSlots>[0]) {
  const slots = createSlots(limits);
  const got: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const ask = async (name: string) => {
    try {
      ends.push(await slots.take(name.replace(/\d+$/, ""), signal));
      got.push(name);
    } catch (error) {
      expect(error).toBeInstanceOf(BusyError);
      refused.push(name);
    }
  };
  return { slots, got, refused, ends, ask };
}

test("some run, some wait, the others are refused; then all proceed", async () => {
  const { slots, got, refused, ends, ask } = asking({ ...PATIENT, running: 2, waiting: 1 });
  const all = [ask("a1"), ask("b1"), ask("a2"), ask("a3")];
  await all[3];
  expect([slots.running(), slots.waiting(), refused]).toEqual([2, 1, ["a3"]]);
  ends.shift()?.();
  await Promise.all(all);
  expect(got).toEqual(["a1", "b1", "a2"]);
  for (const end of [...ends, ...ends]) end();
  expect([slots.running(), slots.waiting()]).toEqual([0, 0]);
});

test("one address has at most three quarters of the slots, and the next slot goes to the address with the fewest", async () => {
  const { slots, got, ends, ask } = asking({ ...PATIENT, running: 4, waiting: 20 });
  const many = Array.from({ length: 6 }, (_, i) => ask(`a${i}`));
  await many[2];
  expect([slots.running(), slots.waiting()]).toEqual([3, 3]);
  await ask("b0");
  const later = [ask("b1"), ask("c0")];
  expect(slots.waiting()).toBe(5);
  ends[0]?.();
  await later[1];
  // two of a are running, one of b
  ends[4]?.();
  await later[0];
  expect(got).toEqual(["a0", "a1", "a2", "b0", "c0", "b1"]);
});

test("in a full queue a new caller replaces one of the address that waits most often", async () => {
  const { refused, ask } = asking({ ...PATIENT, running: 1, waiting: 4 });
  await ask("a0");
  for (const name of ["a1", "a2", "a3", "b0", "c0", "a4", "b1"]) {
    void ask(name);
    await Promise.resolve();
  }
  await expect.poll(() => refused).toEqual(["a3", "a4", "b1"]);
});

test("a caller that waits too long is refused, and an aborted one leaves the queue", async () => {
  const { slots, refused, ask } = asking({ running: 1, waiting: 4, waitMs: 20 });
  await ask("a0");
  await ask("a1");
  expect(refused).toEqual(["a1"]);
  const controller = new AbortController();
  const left = slots.take("b", controller.signal);
  controller.abort();
  await expect(left).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  expect([slots.running(), slots.waiting()]).toEqual([1, 0]);
});
