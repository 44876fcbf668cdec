import { expect, test } from "vitest";
import { palette } from "./palette.ts";

const partsOf = (colour: string): number[] =>
  colour.startsWith("#")
    ? [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
    : (colour.match(/\d+/g) ?? []).map(Number);
const spread = (parts: readonly number[]) => Math.max(...parts) - Math.min(...parts);
const lightness = ([red = 0, green = 0, blue = 0]: readonly number[]) => 0.3 * red + 0.59 * green + 0.11 * blue;

test.each([true, false])(
  "in a muted palette the base map is almost grey and as light as before, and results keep their colours: dark %s",
  (isDark) => {
    const [full, muted] = [palette(isDark), palette(isDark, true)];
    expect(Object.keys(muted)).toEqual(Object.keys(full));
    for (const [name, colour] of Object.entries(full)) {
      const parts = partsOf(muted[name as keyof typeof muted]);
      if (["accent", "onAccent", "overlay"].includes(name)) expect(parts, name).toEqual(partsOf(colour));
      else {
        expect(spread(parts), name).toBeLessThanOrEqual(20);
        expect(Math.abs(lightness(parts) - lightness(partsOf(colour))), name).toBeLessThan(1.5);
      }
    }
  },
);
