import { expect, test } from "vitest";
import { createMemo } from "./memo.ts";

/** Work that the test completes. */
function controllable() {
  const calls: { resolve(value: string): void; reject(error: Error): void; signal: AbortSignal }[] = [];
  const load = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      calls.push({ resolve, reject, signal });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  return { calls, load };
}

test("callers share one load, and its result is cached", async () => {
  const memo = createMemo<string>();
  const { calls, load } = controllable();
  const both = [memo.get("a", load), memo.get("a", load)];
  expect(memo.peek("a")).toBeUndefined();
  calls[0]?.resolve("done");
  expect(await Promise.all(both)).toEqual(["done", "done"]);
  expect(await memo.get("a", load)).toBe("done");
  expect(memo.peek("a")).toBe("done");
  expect(calls).toHaveLength(1);
});

test("a failure rejects the caller that started the load, and is not cached", async () => {
  const memo = createMemo<string>();
  const { calls, load } = controllable();
  const failing = memo.get("a", load);
  calls[0]?.reject(new Error("offline"));
  await expect(failing).rejects.toThrow("offline");
  const again = memo.get("a", load);
  calls[1]?.resolve("back");
  expect(await again).toBe("back");
});

test("callers that joined a failed load share one more, and are rejected if that fails", async () => {
  for (const isOver of [true, false]) {
    const memo = createMemo<string>();
    const { calls, load } = controllable();
    const first = memo.get("a", load);
    const joined = [memo.get("a", load), memo.get("a", load, new AbortController().signal)];
    calls[0]?.reject(new Error("offline"));
    await expect(first).rejects.toThrow("offline");
    await expect.poll(() => calls.length).toBe(2);
    if (isOver) calls[1]?.resolve("back");
    else calls[1]?.reject(new Error("still offline"));
    const ends = await Promise.allSettled(joined);
    expect(ends.map((end) => (end.status === "fulfilled" ? end.value : end.reason.message))).toEqual(
      Array(2).fill(isOver ? "back" : "still offline"),
    );
    expect(calls).toHaveLength(2);
  }
});

test("an abort by one caller does not cancel the load of the others", async () => {
  const memo = createMemo<string>();
  const { calls, load } = controllable();
  const controller = new AbortController();
  const leaving = memo.get("a", load, controller.signal);
  const staying = memo.get("a", load, new AbortController().signal);
  controller.abort();
  await expect(leaving).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  expect(calls[0]?.signal.aborted).toBe(false);
  calls[0]?.resolve("done");
  expect(await staying).toBe("done");
});

test("the load is aborted after its last caller, and started again for the next", async () => {
  const memo = createMemo<string>();
  const { calls, load } = controllable();
  const first = new AbortController();
  const second = new AbortController();
  const both = [memo.get("a", load, first.signal), memo.get("a", load, second.signal)];
  first.abort();
  second.abort();
  expect(calls[0]?.signal.aborted).toBe(true);
  const next = memo.get("a", load);
  calls[1]?.resolve("anew");
  expect(await next).toBe("anew");
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("a caller that is already aborted starts nothing", async () => {
  const memo = createMemo<string>();
  const { calls, load } = controllable();
  await expect(memo.get("a", load, AbortSignal.abort())).rejects.toThrow();
  expect(calls).toHaveLength(0);
});

test("a deleted load may finish, but is not cached", async () => {
  const memo = createMemo<string>();
  const { calls, load } = controllable();
  const early = memo.get("a", load);
  memo.delete("a");
  calls[0]?.resolve("old");
  expect(await early).toBe("old");
  expect(memo.peek("a")).toBeUndefined();
});
