import { expect, test } from "vitest";
import { hoursOf, isOpenAt } from "./index.ts";

const MONACO = { lon: 7.42, lat: 43.73, country: "MC" };
const DENVER = { lon: -105.27, lat: 40.01, country: "US" };
/** A Saturday, 12:30 in Monaco and 4:30 in Colorado. */
const NOW = Date.parse("2026-11-28T11:30:00Z");

test("a week is read in the zone of the place", async () => {
  const text = "Mo-Sa 09:00-12:00,14:00-18:00";
  expect(await hoursOf({ text, ...MONACO, at: NOW })).toMatchObject({
    today: 5,
    isOpen: false,
    change: { day: 5, minute: 14 * 60, inDays: 0 },
    zone: "Europe/Monaco",
    isOfPlace: true,
  });
  const there = await hoursOf({ text, ...DENVER, at: NOW });
  expect(there).toMatchObject({ isOpen: false, change: { minute: 9 * 60, inDays: 0 }, zone: "America/Denver" });
});

test("holidays and seasons are read by the library, in the zone of the place", async () => {
  const text = "Apr-Sep: Mo-Su 10:00-20:00; Oct-Mar: Tu-Su 11:00-17:00; PH off";
  const winter = await hoursOf({ text, ...MONACO, at: NOW });
  expect(winter?.isOpen).toBe(true);
  expect(winter?.week[0]).toEqual([]);
  expect(winter?.week[5]).toEqual([{ start: 660, end: 1020 }]);
  expect(winter?.change).toEqual({ day: 5, minute: 1020, inDays: 0 });
  // 4:30 in Colorado
  expect(await isOpenAt({ text, ...DENVER, at: NOW })).toBe(false);
});

test("without a country, rules of holidays are left out", async () => {
  const { country: _, ...place } = MONACO;
  const hours = await hoursOf({ text: "Mo-Fr 10:00-19:00; Sa,Su 11:00-17:00; PH off", ...place, at: NOW });
  expect(hours).toMatchObject({ isOpen: true, change: { minute: 17 * 60 } });
});

test("in a country whose holidays are not known, rules of holidays are left out", async () => {
  const delhi = { lon: 77.21, lat: 28.61, country: "IN" };
  const hours = await hoursOf({ text: "Mo-Sa 09:00-21:00; PH off", ...delhi, at: NOW });
  expect(hours).toMatchObject({ isOpen: true, change: { minute: 21 * 60 }, zone: "Asia/Kolkata" });
});

test.each(["by appointment", "ask us", "", "Mo-Fr 99:00-100:00", 'Mo-Fr 09:00-17:00 "call first"'])(
  "a text that is not understood has no answer: %s",
  async (text) => {
    expect(await hoursOf({ text, ...MONACO, at: NOW })).toBeUndefined();
  },
);
