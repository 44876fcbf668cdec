/**
 * Opening hours of a week, in the local time of a place.
 * @module
 */

/** Minutes from the start of the day until it opens and until it closes. After midnight, `end` is more than 1,440. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The spans of seven days, from Monday, each in order and without overlaps. A span belongs to the day on which it
 * starts.
 */
export type Week = readonly (readonly Span[])[];

/** A local time: the day from Monday, 0 to 6, and the minute of the day. */
interface WallTime {
  readonly day: number;
  readonly minute: number;
}

export const DAY_MINUTES = 1440;
const WEEK_MINUTES = 7 * DAY_MINUTES;

/** Whether a place is open at a time, and when that changes. */
export interface OpenState {
  readonly isOpen: boolean;
  /** When the open place closes, or the closed one opens. Undefined if that is not within a week. */
  readonly change: (WallTime & { /** 0 for the same day. */ readonly inDays: number }) | undefined;
}

/** Returns whether a place with these hours is open at a local time, and when that changes. */
export function openState(week: Week, { day, minute }: WallTime): OpenState {
  const now = day * DAY_MINUTES + minute;
  const spans = week.flatMap((of, at) =>
    of.map(({ start, end }) => ({ start: at * DAY_MINUTES + start, end: at * DAY_MINUTES + end })),
  );
  // the week before and the week after, for spans over their ends
  const all = [-1, 0, 1].flatMap((weeks) =>
    spans.map(({ start, end }) => ({ start: start + weeks * WEEK_MINUTES, end: end + weeks * WEEK_MINUTES })),
  );
  all.sort((a, b) => a.start - b.start);
  let until: number | undefined;
  let next: number | undefined;
  for (const { start, end } of all) {
    if (until !== undefined ? start <= until : start <= now && end > now) until = Math.max(until ?? 0, end);
    else if (until === undefined && start > now) next ??= start;
  }
  const isOpen = until !== undefined;
  const at = isOpen ? until : next;
  if (at === undefined || at - now >= WEEK_MINUTES) return { isOpen, change: undefined };
  const inDays = Math.floor(at / DAY_MINUTES) - day;
  return { isOpen, change: { day: (day + inDays) % 7, minute: at % DAY_MINUTES, inDays } };
}

/** Returns the spans in order, with those that overlap or meet joined to one. */
export function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = all.at(-1);
    if (last && span.start <= last.end) all[all.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else all.push(span);
  }
  return all;
}

/**
 * Returns the local time and date (`YYYY-MM-DD`) of an instant in an IANA time zone. Throws `RangeError` for an unknown
 * zone.
 */
export function wallTime(instant: Date, timeZone: string): WallTime & { readonly date: string } {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((one) => one.type === type)?.value ?? "";
  const date = `${part("year")}-${part("month")}-${part("day")}`;
  const day = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
  return { day, minute: Number(part("hour")) * 60 + Number(part("minute")), date };
}
