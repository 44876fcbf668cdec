import { batch, signal } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { effectAfterPaint } from "./after-paint.ts";

let frames: (() => void)[] = [];
beforeEach(() => {
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (act: () => void) => frames.push(act));
});
afterEach(() => void vi.unstubAllGlobals());

function drawFrame() {
  for (const act of frames.splice(0)) act();
}

test("it runs at once, then with the latest value after the frame that paints the change", () => {
  const value = signal(1);
  const seen: number[] = [];
  effectAfterPaint(() => void seen.push(value.value));
  expect(seen).toEqual([1]);
  value.value = 2;
  value.value = 3;
  drawFrame();
  expect(seen).toEqual([1]);
  drawFrame();
  expect(seen).toEqual([1, 3]);
  value.value = 4;
  drawFrame();
  drawFrame();
  expect(seen).toEqual([1, 3, 4]);
});

test("all that is due runs together, and what it started ends at the change", () => {
  const [first, second] = [signal("a"), signal("x")];
  const seen: string[] = [];
  effectAfterPaint(() => {
    const value = first.value;
    seen.push(value);
    return () => void seen.push(`end ${value}`);
  });
  effectAfterPaint(() => void seen.push(second.value));
  batch(() => {
    first.value = "b";
    second.value = "y";
  });
  expect(seen).toEqual(["a", "x", "end a"]);
  drawFrame();
  expect(frames).toHaveLength(1);
  drawFrame();
  expect(seen.slice(3).sort()).toEqual(["b", "y"]);
});

test("a stopped one does not run again", () => {
  const value = signal(1);
  const seen: number[] = [];
  const stop = effectAfterPaint(() => void seen.push(value.value));
  value.value = 2;
  stop();
  drawFrame();
  drawFrame();
  value.value = 3;
  drawFrame();
  drawFrame();
  expect(seen).toEqual([1]);
});
