import { expect, test } from "vitest";
import { plot } from "./plot.ts";

test("a flat line is drawn flat, a growing one upwards, and all within the picture", () => {
  const lines = { flat: [[1, 5] as const, [10, 5] as const], growing: [[1, 5] as const, [10, 50] as const] };
  const svg = plot([{ title: "requests <n>", lines }], "rows", true);
  const [flat = [], growing = []] = [...svg.matchAll(/<path d="(M[\d. ]+L[\d. ]+)" fill="none"/g)].map(
    ([, path = ""]) => [...path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const),
  );
  expect(flat[0]?.[1]).toBe(flat[1]?.[1]);
  expect(growing[1]?.[1] ?? 0).toBeLessThan(growing[0]?.[1] ?? 0);
  for (const [x, y] of [...flat, ...growing]) {
    expect(x).toBeGreaterThan(0);
    expect(x).toBeLessThan(300);
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(200);
  }
  expect(svg).toContain("requests &lt;n>");
});
