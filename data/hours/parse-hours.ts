/**
 * Reads the usual texts of opening hours: the weekly part of OpenStreetMap's syntax, and what spreadsheets contain, such as
 * `Mon-Fri 9-17, Sat 9.30 am to 1 pm`. Seasons, holidays and other rules are left to a library.
 * @module
 */
import { DAY_MINUTES, joined, type Span, type Week } from "./week.ts";
import { wordOf } from "./words.ts";

/** Longer texts are not read. */
const MAX_HOURS_CHARS = 1000;

type Token =
  | { readonly kind: "days"; readonly days: readonly number[] }
  | { readonly kind: "time"; readonly minute: number; readonly isBare: boolean; readonly half: "am" | "pm" | undefined }
  | { readonly kind: "closed" | "and" | "to" | "comma" | "end" | "colon" | "always" };

const TOKEN =
  /(?<space>\s+)|(?<always>24\s*\/\s*7|24\s*(?:h|hrs|hours|stunden|heures|horas|ore|時間|小时)(?:\s*(?:daily|\/\s*7))?)|(?<time>\d{1,2}(?:\s*[:.h時时点]\s*\d{2}(?!\d)|(?:\s*[時时点])|\s*h(?![a-zà-ÿ]))?(?:\s*分)?(?:\s*[ap]\.?m\.?(?![a-z]))?)|(?<word>[\p{L}\p{M}'-]*[\p{L}\p{M}]\.?)|(?<to>[-–—−〜～~])|(?<comma>[,、，/&+])|(?<end>[;；|\n]+)|(?<colon>[:：])|(?<bracket>[()])|(?<other>.)/giu;

/**
 * Returns the hours of a week, given a text. Undefined if some part of the text is not understood, or if it has more
 * than 1,000 characters.
 */
export function parseHours(text: string): Week | undefined {
  if (text.length > MAX_HOURS_CHARS) return undefined;
  const tokens = tokensOf(text.normalize("NFC").replace(/\r\n?/g, "\n").trim());
  return tokens && tokens.length > 0 ? readRules(tokens) : undefined;
}

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (const { groups = {} } of text.matchAll(TOKEN)) {
    const { space, always, time, word, to, comma, end, colon } = groups;
    if (space !== undefined) {
      if (space.includes("\n")) tokens.push({ kind: "end" });
    } else if (always !== undefined) tokens.push({ kind: "always" });
    else if (time !== undefined) {
      const token = timeOf(time);
      if (!token) return undefined;
      tokens.push(token);
    } else if (word !== undefined) {
      const found = wordsIn(word);
      if (!found) return undefined;
      tokens.push(...found);
    } else if (to !== undefined) tokens.push({ kind: "to" });
    else if (comma !== undefined) tokens.push({ kind: "comma" });
    else if (end !== undefined) tokens.push({ kind: "end" });
    else if (colon !== undefined) tokens.push({ kind: "colon" });
    else return undefined;
  }
  return tokens;
}

/** A word, or days with a hyphen such as `Mon-Fri`. */
function wordsIn(text: string): Token[] | undefined {
  const whole = wordOf(text.replace(/\.$/, ""));
  if (whole?.kind === "filler") return [];
  if (whole) return [whole];
  const parts = text.split(/(-)/);
  if (parts.length > 1) {
    const all = parts.map((part) => (part === "-" ? [{ kind: "to" } as const] : wordsIn(part)));
    return all.every((one) => one !== undefined) ? all.flat() : undefined;
  }
  return unspacedDays(text);
}

/** Words of Han script follow each other without a space: `月火木`, `周一至周五`. */
function unspacedDays(text: string): Token[] | undefined {
  if (!/^\p{Script=Han}{2,20}$/u.test(text)) return undefined;
  const tokens: Token[] = [];
  const letters = Array.from(text);
  for (let start = 0; start < letters.length; ) {
    const lengths = [3, 2, 1].filter((length) => start + length <= letters.length);
    const length = lengths.find((one) => wordOf(letters.slice(start, start + one).join("")) !== undefined);
    const word = length === undefined ? undefined : wordOf(letters.slice(start, start + length).join(""));
    if (length === undefined || !word) return undefined;
    if (word.kind !== "filler") tokens.push(word);
    start += length;
  }
  return tokens;
}

function timeOf(text: string): Token | undefined {
  const [, hourText = "", minuteText] = /^(\d{1,2})(?:\D*?(\d{2}))?/.exec(text) ?? [];
  const half = /[ap]\.?m/i.exec(text)?.[0].toLowerCase().startsWith("a")
    ? "am"
    : /p\.?m/i.test(text)
      ? "pm"
      : undefined;
  const [hour, minute] = [Number(hourText), Number(minuteText ?? 0)];
  if (minute > 59 || hour > (half ? 12 : 48) || (half && hour === 0)) return undefined;
  const clock = half ? (hour % 12) + (half === "pm" ? 12 : 0) : hour;
  // a leading zero is of a clock of 24 hours
  const isBare = half === undefined && hour <= 12 && !hourText.startsWith("0");
  return { kind: "time", minute: clock * 60 + minute, isBare, half };
}

interface Rule {
  readonly days: readonly number[];
  readonly spans: readonly Span[];
  /** After a semicolon or a line end it replaces what earlier rules say of its days. */
  readonly replaces: boolean;
}

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

function readRules(tokens: readonly Token[]): Week | undefined {
  const rules: Rule[] = [];
  let at = 0;
  let replaces = true;
  const kindAt = (index: number) => tokens[index]?.kind;
  const skip = (...kinds: readonly Token["kind"][]): boolean => {
    const start = at;
    for (let kind = kindAt(at); kind !== undefined && kinds.includes(kind); kind = kindAt(at)) at += 1;
    return at > start;
  };

  function daysHere(): number[] | undefined {
    const days: number[] = [];
    for (let token = tokens[at]; token?.kind === "days"; token = tokens[at]) {
      at += 1;
      const end = tokens[at + 1];
      if (kindAt(at) === "to" && end?.kind === "days") {
        const [first, last] = [token.days[0], end.days[0]];
        if (token.days.length !== 1 || end.days.length !== 1 || first === undefined || last === undefined)
          return undefined;
        for (let day = first; ; day = (day + 1) % 7) {
          days.push(day);
          if (day === last) break;
        }
        at += 2;
      } else days.push(...token.days);
      if ((kindAt(at) === "comma" || kindAt(at) === "and") && kindAt(at + 1) === "days") at += 1;
    }
    return days;
  }

  function spansHere(): Span[] | undefined {
    if (skip("closed")) return [];
    if (skip("always")) return [{ start: 0, end: DAY_MINUTES }];
    const spans: Span[] = [];
    for (;;) {
      const [start, to, end] = [tokens[at], tokens[at + 1], tokens[at + 2]];
      if (start?.kind !== "time" || to?.kind !== "to" || end?.kind !== "time") return undefined;
      const span = spanOf(start, end);
      if (!span) return undefined;
      spans.push(span);
      at += 3;
      const isNext = (kindAt(at) === "comma" || kindAt(at) === "and") && kindAt(at + 1) === "time";
      if (isNext) at += 1;
      else if (kindAt(at) !== "time") return spans;
    }
  }

  skip("end", "comma");
  while (at < tokens.length) {
    const days = daysHere();
    if (!days) return undefined;
    skip("colon");
    const spans = spansHere();
    if (!spans) return undefined;
    rules.push({ days: days.length > 0 ? days : EVERY_DAY, spans, replaces });
    const before = at;
    replaces = skip("end");
    if (!replaces) skip("comma", "and");
    if (replaces) skip("end", "comma");
    // without a sign only a day starts the next rule
    if (at === before && at < tokens.length && kindAt(at) !== "days") return undefined;
  }
  return weekOf(rules);
}

/** Longer hours over midnight are of a clock of twelve hours. */
const LONGEST_NIGHT = 16 * 60;

function spanOf(start: Token & { kind: "time" }, end: Token & { kind: "time" }): Span | undefined {
  let [from, until] = [start.minute, end.minute];
  // `9-5 pm`, `1-5 pm`
  if (start.half === undefined && end.half !== undefined && start.isBare) {
    const sameHalf = (from % 720) + (end.half === "pm" ? 720 : 0);
    from = sameHalf < until ? sameHalf : from;
  }
  if (until <= from) until += DAY_MINUTES;
  // `9-5` of a shop is until 17:00
  if (start.isBare && end.isBare && until - from > LONGEST_NIGHT) until -= 720;
  if (from >= DAY_MINUTES || until - from > DAY_MINUTES) return undefined;
  return { start: from, end: until };
}

function weekOf(rules: readonly Rule[]): Week {
  const week: Span[][] = EVERY_DAY.map(() => []);
  for (const { days, spans, replaces } of rules) {
    for (const day of days) {
      // a rule that only closes, closes
      week[day] = replaces || spans.length === 0 ? [...spans] : [...(week[day] ?? []), ...spans];
    }
  }
  return week.map(joined);
}
