import { expect, test } from "vitest";
import { radiusOf } from "./town-radius.ts";

test("the search around a town covers its extent, within limits", () => {
  expect(radiusOf(undefined)).toBe(3000);
  expect(radiusOf([-105.3, 39.96, -105.18, 40.09])).toBe(7000);
  expect(radiusOf([7.42, 43.73, 7.421, 43.731])).toBe(500);
  expect(radiusOf([179, -18, -179, -17])).toBe(50_000);
});
