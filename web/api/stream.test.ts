import { expect, test } from "vitest";
import { streamText } from "./stream.ts";

const RECORD = `${"x".repeat(1023)}\n`;

test("the first bytes are sent before the last record is made", async () => {
  let made = 0;
  function* records(): Generator<string> {
    for (; made < 1000; made++) yield RECORD;
  }
  const reader = streamText(records()).getReader();
  const { value } = await reader.read();
  expect(value?.byteLength).toBeGreaterThanOrEqual(RECORD.length);
  expect(made).toBeLessThan(200);
  await reader.cancel();
  const before = made;
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(made).toBe(before);
});

test("other work runs while a long body is made", async () => {
  function* records(): Generator<string> {
    for (let i = 0; i < 60; i++) {
      const end = performance.now() + 5;
      while (performance.now() < end);
      yield RECORD.repeat(64);
    }
  }
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const text = await new Response(streamText(records())).text();
  clearInterval(timer);
  expect(text.length).toBe(60 * 64 * RECORD.length);
  // a body made in one go would leave no turn
  expect(turns).toBeGreaterThan(3);
});

test("text outside ASCII survives the split into chunks", async () => {
  const pieces = Array.from({ length: 5000 }, (_, i) => `東京 ${i} 🗺️\n`);
  expect(await new Response(streamText(pieces)).text()).toBe(pieces.join(""));
});
