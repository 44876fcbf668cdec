/** Opening hours with seasons, holidays and other rules, read by the library of OpenStreetMap's syntax. @module */
import OpeningHours from "opening_hours";
import { joined, type OpenState, type Span, type Week } from "../../../../data/hours/index.ts";
import type { HoursPlace } from "../protocol/index.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export interface LibraryHours {
  /** Returns the hours of seven days, the first of which is this date (YYYY-MM-DD). */
  week(monday: string): Week;
  /** Returns whether the place is open at a minute of a day (0 to 1439), both by the place's own clock. */
  state(date: string, minute: number): OpenState;
}

/**
 * Returns the hours of a text in the syntax of OpenStreetMap. Undefined for a text that the library does not read, or reads as
 * unknown.
 */
export function libraryHours(text: string, { lat, lon, country }: HoursPlace): LibraryHours | undefined {
  // a comment such as "by appointment" is not a time
  if (text.includes('"')) return undefined;
  try {
    const address = { country_code: country?.toLowerCase() ?? "", state: "" };
    const hours = new OpeningHours(text, { lat, lon, address }, { locale: "en", mode: 0 } as never);
    if (hours.getUnknown()) return undefined;
    return { week: (monday) => weekOf(hours, monday), state: (date, minute) => stateOf(hours, date, minute) };
  } catch {
    return undefined;
  }
}

/** Returns the date whose wall clock on this device is the place's: the library reads the clock of the device. */
function localDate(date: string, minute: number): Date {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  return new Date(year, month - 1, day, Math.floor(minute / 60), minute % 60);
}

function weekOf(hours: OpeningHours, monday: string): Week {
  const days: Span[][] = Array.from({ length: 7 }, () => []);
  for (let day = 0; day < 7; day++) {
    const [from, until] = [localDate(monday, day * 1440), localDate(monday, (day + 1) * 1440)];
    for (const [start, end, isUnknown] of hours.getOpenIntervals(from, until)) {
      if (!isUnknown) days[day]?.push({ start: minutesFrom(from, start), end: minutesFrom(from, end) });
    }
  }
  return days.map(joined);
}

function stateOf(hours: OpeningHours, date: string, minute: number): OpenState {
  const now = localDate(date, minute);
  const next = hours.getNextChange(now);
  const isOpen = hours.getState(now);
  if (!next || next.getTime() - now.getTime() >= 7 * DAY_MS) return { isOpen, change: undefined };
  const midnight = localDate(date, 0);
  const inDays = Math.round((new Date(next).setHours(0, 0, 0, 0) - midnight.getTime()) / DAY_MS);
  const change = { day: (next.getDay() + 6) % 7, minute: next.getHours() * 60 + next.getMinutes(), inDays };
  return { isOpen, change };
}

function minutesFrom(midnight: Date, time: Date): number {
  return Math.round((time.getTime() - midnight.getTime()) / MINUTE_MS);
}
