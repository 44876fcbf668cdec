import { expect, test } from "vitest";
import { solidLayer } from "./buildings-3d.tsx";

test.each([false, true])("each step of the height has its own colour, from low to high (dark: %s)", (isDark) => {
  const { paint = {} } = solidLayer(isDark);
  const [kind, , first, ...steps] = paint["fill-extrusion-color"] as unknown as unknown[];
  expect(kind).toBe("step");
  const bounds = steps.filter((_, index) => index % 2 === 0).map(Number);
  const colours = [first, ...steps.filter((_, index) => index % 2 === 1)];
  expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
  expect(new Set(colours).size).toBe(bounds.length + 1);
});
