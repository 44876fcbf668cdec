/**
 * How long ago something was, in the reader's language.
 * @module
 */
import { locale } from "../../text/index.ts";

const SPANS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** Such as "3 days ago"; a clock that was set back makes it "now". */
export function ageText(atMs: number, nowMs = Date.now()): string {
  const format = new Intl.RelativeTimeFormat(locale.value, { numeric: "auto" });
  const seconds = Math.max(0, (nowMs - atMs) / 1000);
  for (const [unit, span] of SPANS) if (seconds >= span) return format.format(-Math.floor(seconds / span), unit);
  return format.format(0, "second");
}
