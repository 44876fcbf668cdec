/** Opening hours in words. @module */
import type { Span } from "../../data/hours/index.ts";
import type { HoursAnswer } from "../hosts/browser/protocol/index.ts";

export interface Words {
  readonly text: (key: HoursKey, values?: Readonly<Record<string, string | number>>) => string;
  /** BCP 47 tag for times and weekdays. */
  readonly locale: string;
}

type HoursKey =
  | "hours.always"
  | "hours.closes"
  | "hours.closesLater"
  | "hours.dayClosed"
  | "hours.opens"
  | "hours.opensLater";

const DAY_MINUTES = 1440;

/**
 * Returns in words when the place closes or opens next. For a place that is open and never closes, "always open"; undefined for
 * one that is closed and never opens.
 */
export function changeText({ isOpen, change }: HoursAnswer, { text, locale }: Words): string | undefined {
  if (!change) return isOpen ? text("hours.always") : undefined;
  const time = clockText(change.minute, locale);
  if (change.inDays === 0 || (isOpen && change.inDays === 1 && change.minute < DAY_MINUTES / 2))
    return text(isOpen ? "hours.closes" : "hours.opens", { time });
  return text(isOpen ? "hours.closesLater" : "hours.opensLater", { time, day: dayName(change.day, locale) });
}

/** Returns the hours of one day in words; "closed" if it has none. */
export function dayText(spans: readonly Span[], { text, locale }: Words): string {
  if (spans.length === 0) return text("hours.dayClosed");
  return spans.map(({ start, end }) => `${clockText(start, locale)}–${clockText(end, locale)}`).join(", ");
}

/** Returns the time of a minute of the day in the reader's format. */
function clockText(minute: number, locale: string): string {
  const date = new Date(Date.UTC(2024, 0, 1, 0, minute));
  return date.toLocaleTimeString(locale, { timeZone: "UTC", hour: "numeric", minute: "2-digit" });
}

/** Returns the name of a weekday. 0 is Monday. */
export function dayName(day: number, locale: string): string {
  return new Date(Date.UTC(2024, 0, 1 + day)).toLocaleDateString(locale, { timeZone: "UTC", weekday: "long" });
}
