import { describe, expect, test } from "vitest";
import { type DrawnArea, formatDrawnArea, parseDrawnArea, ringOf } from "./drawn-area.ts";

const BOX: DrawnArea = { kind: "box", bbox: [170, -20, -170, -10] };
const TRIANGLE: DrawnArea = {
  kind: "polygon",
  ring: [
    [7.41, 43.72],
    [7.44, 43.73],
    [7.42, 43.75],
  ],
};

describe("the text of an area", () => {
  test.each([BOX, TRIANGLE])("preserves the area: $kind", (area) => {
    expect(parseDrawnArea(formatDrawnArea(area))).toEqual(area);
  });

  test.each(["", "1", "1,2", "1,2,3", "1,2,1,4", "1,4,2,3", "1,2,3,91", "1,2,3,4,181,0", "1,2,x,4", "1,,2,3"])(
    "%j is invalid",
    (text) => expect(parseDrawnArea(text)).toBeUndefined(),
  );
});

describe("a ring across the antimeridian", () => {
  test("stays continuous", () => {
    expect(ringOf(BOX).map(([lon]) => lon)).toEqual([170, 190, 190, 170, 170]);
    const polygon: DrawnArea = {
      kind: "polygon",
      ring: [
        [-179, 0],
        [179, 0],
        [179, 1],
      ],
    };
    expect(ringOf(polygon)).toEqual([
      [-179, 0],
      [-181, 0],
      [-181, 1],
      [-179, 0],
    ]);
  });
});
