import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { HostAnswer } from "../../hosts/browser/protocol/protocol.ts";
import { createNetwork, FIRST_MS, MOST_MS, STEADY_MS } from "./network.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function makeUp(first: { readonly isOff?: boolean; readonly savesData?: boolean } = {}) {
  const world = { isOff: first.isOff ?? false, isHidden: false, answer: "silent" as HostAnswer, asked: 0 };
  const network = createNetwork({
    ask: async () => {
      world.asked += 1;
      await new Promise((resolve) => setTimeout(resolve, 10));
      network.note(world.answer);
      if (world.answer !== "answered") throw new Error("no manifest");
    },
    isOff: () => world.isOff,
    isHidden: () => world.isHidden,
    savesData: () => first.savesData ?? false,
    nowMs: () => Date.now(),
  });
  return { world, network };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("the state is unknown before the first request, unless the browser is offline", () => {
  expect(makeUp().network.state.value).toBe("unknown");
  expect(makeUp({ isOff: true }).network.state.value).toBe("off");
});

test("failing requests override a browser that reports a network", () => {
  const { network } = makeUp();
  network.note("answered");
  expect(network.state.value).toBe("online");
  network.note("silent");
  expect(network.state.value).toBe("silent");
});

test("an answered request overrides a browser that reports no network", () => {
  const { network } = makeUp({ isOff: true });
  network.note("answered");
  expect(network.state.value).toBe("online");
});

test("a failure is described as no network, no answer, or another answer", () => {
  const { network, world } = makeUp();
  world.isOff = true;
  network.note("silent");
  expect(network.state.value).toBe("off");
  world.isOff = false;
  network.note("silent");
  expect(network.state.value).toBe("silent");
  network.note("faulty");
  expect(network.state.value).toBe("faulty");
});

test("an answer that may come from a cache proves nothing, so the host is asked", async () => {
  const { network, world } = makeUp({ savesData: true });
  network.note("perhaps");
  await pass(MOST_MS);
  expect([network.state.value, world.asked]).toEqual(["unknown", 0]);
  network.note("silent");
  network.note("perhaps");
  expect(network.state.value).toBe("silent");
  world.answer = "answered";
  await pass(10);
  expect([network.state.value, world.asked]).toEqual(["online", 1]);
});

test("answers of caches do not cause requests without a pause, nor two at a time", async () => {
  const { network, world } = makeUp({ savesData: true });
  network.note("silent");
  for (let ms = 0; ms < 9.5 * FIRST_MS; ms += 5) {
    network.note("perhaps");
    await pass(5);
  }
  expect(world.asked).toBe(10);
});

test("a silent host is asked at growing intervals until it answers", async () => {
  const { network, world } = makeUp();
  network.note("silent");
  const askedAtMs: number[] = [];
  for (let ms = 0; ms < 10 * MOST_MS; ms += 1000) {
    await pass(1000);
    if (world.asked > askedAtMs.length) askedAtMs.push(ms);
  }
  const waits = askedAtMs.map((ms, i) => ms - (askedAtMs[i - 1] ?? 0));
  expect(waits.toSorted((a, b) => a - b)).toEqual(waits);
  expect(waits.at(-1)).toBeGreaterThanOrEqual(MOST_MS);
  expect(waits.at(-1)).toBeLessThan(MOST_MS + 2000);
  world.answer = "answered";
  await pass(MOST_MS + 10);
  const { asked } = world;
  expect(network.state.value).toBe("online");
  await pass(10 * MOST_MS);
  expect(world.asked).toBe(asked);
});

test("an unstable network is asked less and less, one that was stable soon", async () => {
  const { network, world } = makeUp();
  world.answer = "answered";
  network.note("silent");
  await pass(FIRST_MS + 10);
  expect([network.state.value, world.asked]).toEqual(["online", 1]);
  network.note("silent");
  await pass(FIRST_MS + 10);
  expect([network.state.value, world.asked]).toEqual(["silent", 1]);
  await pass(FIRST_MS);
  expect([network.state.value, world.asked]).toEqual(["online", 2]);
  await pass(STEADY_MS);
  network.note("silent");
  await pass(FIRST_MS + 10);
  expect([network.state.value, world.asked]).toEqual(["online", 3]);
});

test("with data saving on, there are no timed requests", async () => {
  const { network, world } = makeUp({ savesData: true });
  network.note("silent");
  await pass(10 * MOST_MS);
  expect(world.asked).toBe(0);
});

test("while the browser is offline there are no timed requests; when it is online the host is asked", async () => {
  const { network, world } = makeUp();
  world.isOff = true;
  network.noteBrowser();
  expect(network.state.value).toBe("off");
  await pass(10 * MOST_MS);
  expect(world.asked).toBe(0);
  world.isOff = false;
  network.noteBrowser();
  expect(network.state.value).toBe("off");
  await pass(10);
  expect([network.state.value, world.asked]).toEqual(["silent", 1]);
});

test("a hidden page sends no timed requests; when visible again it asks at once", async () => {
  const { network, world } = makeUp();
  network.note("silent");
  world.isHidden = true;
  await pass(10 * MOST_MS);
  expect(world.asked).toBe(0);
  world.isHidden = false;
  world.answer = "answered";
  network.askIfUnclear();
  await pass(10);
  expect([network.state.value, world.asked]).toEqual(["online", 1]);
  network.askIfUnclear();
  await pass(MOST_MS);
  expect(world.asked).toBe(1);
});
