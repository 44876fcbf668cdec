import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { changed, EMPTY_SEARCH, type Search } from "../address/search.ts";
import { remote, savesData } from "../worker/index.ts";
import { createPrefetch, lookAt, REST_MS } from "./prefetch.ts";
import { LOOK_ROUND_MS, searchesAhead } from "./steps-ahead.ts";

vi.mock("../worker/index.ts", () => ({ remote: vi.fn(async () => undefined), savesData: vi.fn(() => false) }));
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.clearAllMocks();
});

const monaco = changed(EMPTY_SEARCH, { centre: { lat: 43.7384, lon: 7.4246 } });
const atPage = (page: number) => changed(monaco, { page });

test("a resting pointer prepares its search once", () => {
  const prepare = vi.fn(async () => {});
  createPrefetch(prepare).prefetch(atPage(1));
  vi.advanceTimersByTime(REST_MS - 1);
  expect(prepare).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10 * REST_MS);
  expect(prepare.mock.calls).toEqual([[atPage(1), expect.any(AbortSignal)]]);
});

test("a passing pointer prepares nothing", () => {
  const prepare = vi.fn(async () => {});
  const { prefetch } = createPrefetch(prepare);
  prefetch(atPage(1));
  vi.advanceTimersByTime(REST_MS - 1);
  prefetch(undefined);
  vi.advanceTimersByTime(10 * REST_MS);
  expect(prepare).not.toHaveBeenCalled();
});

test("the next target cancels the previous one", () => {
  const signals: AbortSignal[] = [];
  const asked: Search[] = [];
  const { prefetch } = createPrefetch(async (search, signal) => {
    asked.push(search);
    if (signal) signals.push(signal);
  });
  prefetch(atPage(1));
  vi.advanceTimersByTime(REST_MS);
  prefetch(atPage(2));
  vi.advanceTimersByTime(REST_MS);
  expect(asked).toEqual([atPage(1), atPage(2)]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});

test("a search that runs before the pointer rested is not also prepared, and a running preparation continues", () => {
  const signals: AbortSignal[] = [];
  const { prefetch, forget } = createPrefetch(async (_search, signal) => void (signal && signals.push(signal)));
  prefetch(atPage(1));
  vi.advanceTimersByTime(REST_MS - 1);
  forget();
  vi.advanceTimersByTime(10 * REST_MS);
  expect(signals).toEqual([]);
  prefetch(atPage(2));
  vi.advanceTimersByTime(REST_MS);
  forget();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});

test("a failure is ignored, and the next search is prepared normally", async () => {
  const prepare = vi.fn(async () => {
    throw new Error("no network");
  });
  const { prefetch } = createPrefetch(prepare);
  prefetch(atPage(1));
  await vi.advanceTimersByTimeAsync(REST_MS);
  prefetch(atPage(2));
  await vi.advanceTimersByTimeAsync(REST_MS);
  expect(prepare).toHaveBeenCalledTimes(2);
});

test("a page of 25,000 records and a search without a location are not prepared", () => {
  const prepare = vi.fn(async () => {});
  const { prefetch } = createPrefetch(prepare);
  const long = changed(monaco, { limit: 25_000 });
  for (const search of [long, EMPTY_SEARCH]) {
    prefetch(search);
    vi.advanceTimersByTime(10 * REST_MS);
  }
  expect(prepare).not.toHaveBeenCalled();
});

const beside = { ...monaco, centre: { lat: 43.7411, lon: 7.4246 } };
const stepsOn = searchesAhead(monaco, beside);

test("a move prepares the next steps one after the other, independent of the pointer", async () => {
  const finish: (() => void)[] = [];
  const prepare = vi.fn(() => new Promise<void>((resolve) => finish.push(resolve)));
  const { prefetch, prefetchSteps } = createPrefetch(prepare);
  prefetchSteps(monaco, beside);
  prefetch(undefined);
  await vi.advanceTimersByTimeAsync(LOOK_ROUND_MS - 1);
  expect(prepare).not.toHaveBeenCalled();
  for (const [begun] of stepsOn.entries()) {
    await vi.advanceTimersByTimeAsync(1);
    expect(prepare.mock.calls).toEqual(stepsOn.slice(0, begun + 1).map((step) => [step, undefined]));
    finish[begun]?.();
  }
  await vi.advanceTimersByTimeAsync(10 * LOOK_ROUND_MS);
  expect(stepsOn).toHaveLength(3);
  expect(prepare).toHaveBeenCalledTimes(3);
});

test("a search lets a running step finish, and starts no other", async () => {
  let finish = () => {};
  const prepare = vi.fn((_search: Search, _signal?: AbortSignal) => new Promise<void>((resolve) => (finish = resolve)));
  const { prefetchSteps, forget } = createPrefetch(prepare);
  prefetchSteps(monaco, beside);
  forget();
  await vi.advanceTimersByTimeAsync(10 * LOOK_ROUND_MS);
  expect(prepare).not.toHaveBeenCalled();
  prefetchSteps(monaco, beside);
  await vi.advanceTimersByTimeAsync(LOOK_ROUND_MS);
  forget();
  finish();
  await vi.advanceTimersByTimeAsync(10 * LOOK_ROUND_MS);
  expect(prepare.mock.calls).toEqual([[stepsOn[0], undefined]]);
});

test("a failing step does not stop the others", async () => {
  const prepare = vi.fn(async () => {
    throw new Error("no network");
  });
  createPrefetch(prepare).prefetchSteps(monaco, beside);
  await vi.advanceTimersByTimeAsync(LOOK_ROUND_MS);
  expect(prepare).toHaveBeenCalledTimes(stepsOn.length);
});

test("a resting map prefetches the index near it, for the current kind of search", () => {
  const [lat, lon] = [43.7384, 7.4246];
  const roads = changed(monaco, { path: "transportation", filters: { types: "connector" } });
  lookAt({ lat, lon, zoom: 8.9 }, monaco);
  expect(remote).not.toHaveBeenCalled();
  lookAt({ lat, lon, zoom: 9 }, monaco);
  lookAt({ lat, lon, zoom: 17 }, roads);
  expect(vi.mocked(remote).mock.calls).toEqual([
    ["look", { lat, lon, collections: ["place"] }],
    ["look", { lat, lon, collections: ["connector"] }],
  ]);
});

test("with data saving on, a resting map fetches nothing", () => {
  vi.mocked(savesData).mockReturnValueOnce(true);
  lookAt({ lat: 43.7384, lon: 7.4246, zoom: 17 }, monaco);
  expect(remote).not.toHaveBeenCalled();
});
