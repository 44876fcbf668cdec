/**
 * Opening hours of records at a time, in the time zone of each place. What reads rare texts and finds zones is loaded when
 * needed. @module
 */
import { type OpenState, openState, parseHours, type Week, wallTime } from "../../../../data/hours/index.ts";
import { loadPart } from "../parts/index.ts";
import type { HoursAnswer, HoursPlace, HoursQuestion } from "../protocol/index.ts";
import type { LibraryHours } from "./library.ts";

const DAY_MS = 86_400_000;
/** Maximum number of texts whose readers are kept: a table of shops has few different ones. */
const MOST_TEXTS = 2000;

type Reader = { readonly kind: "week"; readonly week: Week } | { readonly kind: "rules"; readonly hours: LibraryHours };

const readers = new Map<string, Reader | undefined>();

/** Returns how to read a text; undefined if it is not understood. Leaves out rules for holidays that are not known. */
async function readerOf({ text, ...place }: HoursQuestion): Promise<Reader | undefined> {
  const others = withoutHolidays(text);
  if (others === text) return readerOfText(text, place);
  const whole = place.country === undefined ? undefined : await readerOfText(text, place);
  return whole ?? readerOfText(others, place);
}

async function readerOfText(text: string, place: HoursPlace): Promise<Reader | undefined> {
  const week = parseHours(text);
  if (week) return { kind: "week", week };
  // a text without a digit has no time, and few of the others need the library
  if (text.length > 1000 || !/\d|sunrise|sunset|dawn|dusk/.test(text)) return undefined;
  const key = `${place.country ?? ""} ${Math.round(place.lat)} ${Math.round(place.lon)} ${text}`;
  if (!readers.has(key)) {
    if (readers.size >= MOST_TEXTS) readers.clear();
    const { libraryHours } = await loadPart(() => import("./library.ts"));
    const hours = libraryHours(text, place);
    readers.set(key, hours && { kind: "rules", hours });
  }
  return readers.get(key);
}

/** Returns the text without its rules for holidays alone. */
function withoutHolidays(text: string): string {
  const rules = text.split(";");
  return rules.filter((rule) => !/^\s*(PH|SH)(\s*,\s*(PH|SH))*\b(?!\s*,)/.test(rule)).join(";");
}

/** The zone of the place; the visitor's where it is not known. */
async function zoneAt({ lon, lat }: HoursPlace): Promise<{ readonly zone: string; readonly isOfPlace: boolean }> {
  try {
    const { default: lookUp } = await loadPart(() => import("@photostructure/tz-lookup"));
    const zone = lookUp(lat, lon);
    // throws if the browser does not know the zone
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return { zone, isOfPlace: true };
  } catch {
    return { zone: Intl.DateTimeFormat().resolvedOptions().timeZone, isOfPlace: false };
  }
}

/**
 * Returns the week of a text of opening hours, and whether the place is open at the time. Undefined if the text is not
 * understood. Throws `PartError` if the library for rare texts cannot be loaded.
 */
export async function hoursOf(question: HoursQuestion): Promise<HoursAnswer | undefined> {
  const reader = await readerOf(question);
  if (!reader) return undefined;
  const { zone, isOfPlace } = await zoneAt(question);
  const { day, minute, date } = wallTime(new Date(question.at), zone);
  const monday = new Date(Date.parse(`${date}T00:00:00Z`) - day * DAY_MS).toISOString().slice(0, 10);
  const week = reader.kind === "week" ? reader.week : reader.hours.week(monday);
  return { week, today: day, ...stateOf(reader, { day, minute, date }), zone, isOfPlace };
}

function stateOf(
  reader: Reader,
  { day, minute, date }: { readonly day: number; readonly minute: number; readonly date: string },
): OpenState {
  return reader.kind === "week" ? openState(reader.week, { day, minute }) : reader.hours.state(date, minute);
}

/** Returns whether the place is open at the time; undefined if the text is not understood. */
export async function isOpenAt(question: HoursQuestion): Promise<boolean | undefined> {
  return (await hoursOf(question))?.isOpen;
}
