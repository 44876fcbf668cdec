import OpeningHours from "opening_hours";
import { expect, test } from "vitest";
import { parseHours } from "./parse-hours.ts";
import { openState, type Week, wallTime } from "./week.ts";

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
const NAMES = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const shown = (week: Week | undefined) =>
  week
    ?.flatMap((spans, day) =>
      spans.length > 0
        ? [`${NAMES[day]} ${spans.map(({ start, end }) => `${clock(start)}-${clock(end)}`).join(",")}`]
        : [],
    )
    .join("; ");

const WEEKDAYS = (times: string) => NAMES.slice(0, 5).map((day) => `${day} ${times}`);

test.each<[string, string[]]>([
  ["Mon-Fri 9-17", WEEKDAYS("09:00-17:00")],
  ["Mo–Fr 09:00–18:00, Sa 9–13", [...WEEKDAYS("09:00-18:00"), "Sa 09:00-13:00"]],
  ["Mon - Fri: 9am - 5.30pm; Sat: 10 am to 1 pm; Sun: closed", [...WEEKDAYS("09:00-17:30"), "Sa 10:00-13:00"]],
  ["Mon-Fri 9-5", WEEKDAYS("09:00-17:00")],
  ["Mon-Fri 1-5pm", WEEKDAYS("13:00-17:00")],
  ["weekdays 8.30 - 12.00 / 14.00 - 18.00", WEEKDAYS("08:30-12:00,14:00-18:00")],
  ["Montag bis Freitag 8 Uhr bis 18 Uhr, Samstag geschlossen", WEEKDAYS("08:00-18:00")],
  ["Du lundi au vendredi de 9h à 12h30 et de 14h à 18h", WEEKDAYS("09:00-12:30,14:00-18:00")],
  ["lunes a viernes 9:00 a 14:00, sábado 10:00-13:00", [...WEEKDAYS("09:00-14:00"), "Sa 10:00-13:00"]],
  ["Lun-Ven 9:00-13:00 15:30-19:30, dom chiuso", WEEKDAYS("09:00-13:00,15:30-19:30")],
  ["segunda a sexta das 9h às 18h", WEEKDAYS("09:00-18:00")],
  ["الاثنين إلى الجمعة 9:00-17:00", WEEKDAYS("09:00-17:00")],
  ["Mon-Fri 9:00-5:00", WEEKDAYS("09:00-17:00")],
  // the hours after midnight are of Thursday, whatever the next rule says of Friday
  ["Mo-Th 18:00-02:00; Fr 18:00-04:00", [...NAMES.slice(0, 4).map((day) => `${day} 18:00-26:00`), "Fr 18:00-28:00"]],
  ["月〜金 9:00〜17:00、土日 休み", WEEKDAYS("09:00-17:00")],
  ["周一至周五 09:00-17:00", WEEKDAYS("09:00-17:00")],
  ["Mo 9-12 Tu 13-17", ["Mo 09:00-12:00", "Tu 13:00-17:00"]],
  ["Mon 9:00-12:00\nTue 13:00-17:00", ["Mo 09:00-12:00", "Tu 13:00-17:00"]],
  ["Fr-Mo 20:00-02:00", ["Mo 20:00-26:00", "Fr 20:00-26:00", "Sa 20:00-26:00", "Su 20:00-26:00"]],
])("a spreadsheet's text is read: %j", (text, days) => {
  const week = parseHours(text);
  expect(shown(week)).toBe(days.join("; "));
});

test.each([
  "",
  "by appointment",
  "Mo-Fr",
  "9",
  "25:99-30:00",
  "Mo-Fr 09:00-12:00 PH off",
  "Apr-Sep: Mo-Su 10:00-18:00",
  "sunrise-sunset",
  "Mo-Fr 08:00-12:00 or later",
  "call 020 7946 0000",
  "Mo-Fr 09:00-17:00 (not in August)",
  "9 ".repeat(1000),
])("a text with more than a week's hours is not read: %#", (text) => {
  expect(parseHours(text)).toBeUndefined();
});

/** Texts as OpenStreetMap has them. */
const OSM = [
  "24/7",
  "Mo-Su 00:00-24:00",
  "Mo-Fr 08:00-18:00",
  "Mo-Fr 08:00-12:00,13:00-17:30",
  "Mo-Fr 08:00-12:00, 13:00-17:30",
  "Mo-Sa 06:30-19:00; Su off",
  "Mo,We,Fr 09:00-12:00",
  "Mo-Fr 09:00-18:00; We off",
  "Mo-Fr 09:00-18:00; We 09:00-12:00",
  "Mo-Fr 09:00-12:00, We 14:00-16:00",
  "Su-Tu 11:00-23:00; We-Sa 11:00-01:00",
  "Mo-Su 18:00-02:00",
  "10:00-22:00",
  "Sa-Su 10:00-18:00; Mo closed",
  "Fr-Mo 12:00-15:00",
  "Tu-Sa 10:00-26:00",
  "Mo-Sa 09:00-20:00; Sa 09:00-18:00; Su closed",
  "mo-fr 8:00-16:00",
];

test.each(OSM)("OpenStreetMap's %s is open when the library says so", (text) => {
  const week = parseHours(text);
  if (!week) throw new Error("not read");
  const library = new OpeningHours(text, null);
  for (let day = 0; day < 7; day++) {
    for (let minute = 0; minute < 1440; minute += 15) {
      const date = new Date(2026, 10, 30 + day, Math.floor(minute / 60), minute % 60);
      const { isOpen, change } = openState(week, { day, minute });
      expect([day, minute, isOpen]).toEqual([day, minute, library.getState(date)]);
      if (minute % 180 !== 0) continue;
      const next = library.getNextChange(date);
      const inDays =
        next && Math.round((new Date(next).setHours(0, 0, 0, 0) - new Date(date).setHours(0, 0, 0, 0)) / 864e5);
      expect(change && [change.inDays, change.minute]).toEqual(
        next && [inDays, next.getHours() * 60 + next.getMinutes()],
      );
    }
  }
});

test("a week that is always or never open has no change", () => {
  const [always = [], never = []] = [parseHours("24/7"), parseHours("off")];
  expect(openState(always, { day: 3, minute: 0 })).toEqual({ isOpen: true, change: undefined });
  expect(openState(never, { day: 3, minute: 0 })).toEqual({ isOpen: false, change: undefined });
});

test("the wall clock of a zone", () => {
  const instant = new Date("2026-11-28T23:30:00Z");
  expect(wallTime(instant, "Europe/Monaco")).toEqual({ day: 6, minute: 30, date: "2026-11-29" });
  expect(wallTime(instant, "America/Denver")).toEqual({ day: 5, minute: 16 * 60 + 30, date: "2026-11-28" });
});
