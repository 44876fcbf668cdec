/**
 * The parameter `datetime`: an instant, or an interval of which one end may be open.
 * @see https://docs.ogc.org/is/17-069r4/17-069r4.html#_parameter_datetime
 * @module
 */

/** RFC 3339, section 5.6. A second of 60 is a leap second. */
const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/** Milliseconds since 1970; undefined if it is not an instant. */
function instantOf(text: string): number | undefined {
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hours, minutes, seconds] = match.map(Number);
  const [fraction, sign, offsetHours = 0, offsetMinutes = 0] = match.slice(7);
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  date.setUTCHours(Number(hours), Number(minutes), Number(seconds));
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  return date.getTime() + Number(`0.${fraction ?? 0}`) * 1000 - (sign === "-" ? -offset : offset);
}

/** Returns the text if it has the format of the standard; otherwise undefined. */
export function parseDatetime(text: string): string | undefined {
  const instants = text.split("/").map((end) => (end === "" || end === ".." ? "open" : instantOf(end)));
  if (instants.length > 2 || instants.includes(undefined) || instants.every((end) => end === "open")) return undefined;
  const [start, end] = instants;
  return typeof start === "number" && typeof end === "number" && start > end ? undefined : text;
}
