import { expect, test } from "vitest";
import { nearestOf } from "./nearest.ts";

const KNOWN = ["lat", "lng", "radius", "country", "name", "has_contact", "z"];

test.each([
  ["long", "lng"],
  ["Radus", "radius"],
  ["contry", "country"],
  ["names[]", "name"],
  ["has_contacts", "has_contact"],
])("%s is near %s", (word, found) => {
  expect(nearestOf(word, KNOWN)).toBe(`the nearest is ${found}`);
});

test.each(["foo", "", "q", "colour", "includes", "__proto__"])("of %j all known words are listed", (word) => {
  expect(nearestOf(word, KNOWN)).toBe(`allowed are ${KNOWN.join(", ")}`);
});

test("without known words none is allowed", () => {
  expect(nearestOf("foo", [])).toBe("allowed are none");
});
