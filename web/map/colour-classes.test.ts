import { describe, expect, test } from "vitest";
import { colourClasses, colourLegend, colourOf, inkOn, luminance } from "./colour-classes.ts";

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);
const legendOf = (values: Parameters<typeof colourClasses>[0], isDark = false) => {
  const classes = colourClasses(values);
  if (!classes) throw new Error("no classes");
  return colourLegend(classes, isDark);
};

describe("numbers", () => {
  test.each([
    { count: 25, classes: 5 },
    { count: 60, classes: 6 },
    { count: 500, classes: 7 },
  ])("$count values make $classes classes of about equal size", ({ count, classes }) => {
    // far from equal steps
    const values = upTo(count).map((i) => i ** 3);
    const legend = legendOf(values);
    expect(legend).toHaveLength(classes + 1);
    const sizes = new Map<string, number>();
    for (const value of values) sizes.set(colourOf(legend, value), (sizes.get(colourOf(legend, value)) ?? 0) + 1);
    expect(sizes.size).toBe(classes);
    expect(Math.max(...sizes.values()) - Math.min(...sizes.values())).toBeLessThanOrEqual(1);
  });

  test("ranges are of values that occur, and do not overlap", () => {
    expect(colourClasses([3, 1, 2, 2, undefined])).toEqual({
      kind: "numbers",
      ranges: [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
    });
    expect(colourClasses([...upTo(10).map(() => 0), ...upTo(20).map((i) => i + 1)])).toEqual({
      kind: "numbers",
      ranges: [
        [0, 2],
        [3, 8],
        [9, 14],
        [15, 20],
      ],
    });
  });

  test("equal numbers have no classes", () => {
    expect(colourClasses([4, 4, 4])).toBeUndefined();
    expect(colourClasses([])).toBeUndefined();
    expect(colourClasses([undefined, ""])).toBeUndefined();
  });
});

describe("categories", () => {
  test("the eight most frequent have colours, then others and unknown", () => {
    const values = [..."aaaabbbcc"].concat([..."defghijdefghij"]);
    const legend = legendOf([...values, undefined]);
    expect(legend.map(({ means }) => (means.kind === "value" ? means.value : means.kind))).toEqual([
      ...["a", "b", "c", "d", "e", "f", "g", "h", "others", "unknown"],
    ]);
    expect(colourOf(legend, "i")).toBe(legend[8]?.colour);
    expect(colourOf(legend, undefined)).toBe(legend[9]?.colour);
    expect(colourOf(legend, "")).toBe(legend[9]?.colour);
    expect(new Set(legend.map(({ colour }) => colour)).size).toBe(10);
  });

  test("yes and no are categories, and text among numbers too", () => {
    expect(colourClasses([true, false, true])).toMatchObject({ kind: "categories", values: ["true", "false"] });
    expect(colourClasses([1, "1a", 1])).toMatchObject({ kind: "categories", values: ["1", "1a"] });
  });

  test("names, of which most occur once, have no classes", () => {
    expect(colourClasses(upTo(20).map((i) => `name ${i}`))).toBeUndefined();
    expect(colourClasses([...upTo(20).map((i) => `name ${i}`), "name 1", "name 2"])).toBeUndefined();
  });

  test("many categories of few records have classes, if a third of the records share one", () => {
    const values = [...upTo(15).map((i) => `kind ${i}`), ...upTo(5).map((i) => `kind ${i}`)];
    expect(colourClasses(values)).toMatchObject({ hasOthers: true, values: expect.arrayContaining(["kind 0"]) });
  });
});

/** Red, green and blue as people without red or green receptors see them (Viénot, Brettel and Mollon, 1999). */
function seen(colour: string, kind: "all" | "protan" | "deutan"): number[] {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => (Number.parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2,
  );
  if (kind === "all") return [red, green, blue].map((part) => part ** (1 / 2.2));
  const [a, b] = kind === "protan" ? [0.11238, 0.88762] : [0.29275, 0.70725];
  const [c, d] = kind === "protan" ? [0.00401, -0.00401] : [-0.02234, 0.02234];
  const yellow = a * red + b * green;
  return [yellow, yellow, c * red + d * green + blue].map((part) => Math.max(0, part) ** (1 / 2.2));
}

describe.each([false, true])("colours, dark: %s", (isDark) => {
  const numbers = legendOf(upTo(500), isDark).slice(0, -1);
  const categories = legendOf([..."abcdefghijabcdefghij"], isDark);

  test("numbers become steadily darker, or brighter in the dark", () => {
    const shades = numbers.map(({ colour }) => luminance(colour));
    const sorted = shades.toSorted((a, b) => (isDark ? a - b : b - a));
    expect(shades).toEqual(sorted);
    for (const [i, shade] of shades.slice(1).entries()) {
      const [high, low] = [Math.max(shade, shades[i] ?? 0), Math.min(shade, shades[i] ?? 0)];
      expect((high + 0.05) / (low + 0.05)).toBeGreaterThan(1.2);
    }
  });

  test.each(["all", "protan", "deutan"] as const)("categories differ for eyes of kind %s", (kind) => {
    for (const [i, one] of categories.entries()) {
      for (const other of categories.slice(i + 1)) {
        const [a, b] = [seen(one.colour, kind), seen(other.colour, kind)];
        const distance = Math.hypot(...a.map((part, at) => part - (b[at] ?? 0)));
        expect(distance, `${one.colour} ${other.colour}`).toBeGreaterThan(0.08);
      }
    }
  });

  test("numbers of records are readable on every colour", () => {
    for (const { colour } of [...numbers, ...categories]) {
      const [ink, paper] = [luminance(inkOn(colour)), luminance(colour)];
      const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
      expect(contrast, colour).toBeGreaterThan(4);
    }
  });
});
