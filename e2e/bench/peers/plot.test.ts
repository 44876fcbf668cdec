import { expect, test } from "vitest";
import { plot } from "./plot.ts";

/** Points of the lines with this colour, in the picture's coordinates. */
function lineOf(svg: string, colour: string): (readonly [x: number, y: number])[][] {
  const paths = svg.matchAll(new RegExp(`<path d="(M[-\\d. L]+)" fill="none"[^>]*stroke="${colour}"`, "g"));
  return Array.from(paths, ([, path = ""]) =>
    [...path.matchAll(/[ML]([-\d.]+) ([-\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const),
  );
}

test("a constant line is horizontal, a proportional one is straight and rising, each in its panel, with all titles", () => {
  const lines = {
    flat: [[10, 500] as const, [100, 500] as const, [1000, 500] as const],
    growing: [[10, 50] as const, [100, 500] as const, [1000, 5000] as const],
  };
  const panels = [
    { title: "requests <n>", lines },
    { title: "kilobytes", lines },
  ];
  const svg = plot(panels, { whole: "Growth & more", x: "rows" });
  const [flat, growing] = [lineOf(svg, "#0a6e5c"), lineOf(svg, "#c2571a")].map((drawn) =>
    drawn.filter((points) => points.length === 3),
  );
  expect([flat?.length, growing?.length]).toEqual([2, 2]);
  for (const panel of [0, 1]) {
    const [level = [], rising = []] = [flat?.[panel], growing?.[panel]];
    expect(new Set(level.map(([, y]) => y)).size).toBe(1);
    const steps = rising.slice(1).map(([x, y], i) => [x - (rising[i]?.[0] ?? 0), (rising[i]?.[1] ?? 0) - y]);
    expect(Math.min(...steps.flat())).toBeGreaterThan(20);
    // Both axes are logarithmic: a factor of ten has the same distance everywhere.
    expect(steps[0]?.[0]).toBeCloseTo(steps[1]?.[0] ?? 0, 0);
    expect(steps[0]?.[1]).toBeCloseTo(steps[1]?.[1] ?? 0, 0);
    for (const [x, y] of [...level, ...rising]) {
      expect(x).toBeGreaterThan(panel * 320);
      expect(x).toBeLessThan(panel * 320 + 320);
      expect(y).toBeGreaterThan(60);
      expect(y).toBeLessThan(230);
    }
  }
  for (const text of ["Growth &amp; more", "requests &lt;n", "kilobytes", "rows", "flat", "growing"]) {
    expect(svg).toContain(text);
  }
});

test("a line without points has no name, and later lines keep their style", () => {
  const points = [[10, 50] as const, [100, 500] as const];
  const svg = plot([{ title: "requests", lines: { shown: points, failed: [], last: points } }], {
    whole: "Growth",
    x: "rows",
  });
  expect(svg).not.toContain("failed");
  expect(lineOf(svg, "#4a5fc1").filter((line) => line.length === 2)).not.toEqual([]);
});
