import { computed } from "@preact/signals";
import { locale, text } from "./text.ts";

const formats = computed(() => {
  const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale.value, options);
  const unit = (unit: "meter" | "kilometer", maximumFractionDigits: number) =>
    number({ style: "unit", unit, maximumFractionDigits });
  const bytes = (unit: "kilobyte" | "megabyte" | "gigabyte", digits: number) =>
    number({ style: "unit", unit, minimumFractionDigits: digits, maximumFractionDigits: digits });
  return {
    integer: number({ maximumFractionDigits: 0 }),
    decimal: number({ maximumFractionDigits: 6 }),
    kilobytes: bytes("kilobyte", 0),
    megabytes: bytes("megabyte", 1),
    gigabytes: bytes("gigabyte", 1),
    date: new Intl.DateTimeFormat(locale.value, { dateStyle: "long", timeZone: "UTC" }),
    seconds: number({ style: "unit", unit: "second", maximumFractionDigits: 2 }),
    percent: number({ style: "percent", maximumFractionDigits: 0 }),
    meters: unit("meter", 0),
    closeKilometers: unit("kilometer", 1),
    farKilometers: unit("kilometer", 0),
  };
});

/** Returns a whole number in the format of the user's language. */
export function formatCount(count: number): string {
  return formats.value.integer.format(count);
}

/** Returns a measured number or an amount in the format of the user's language, with at most six decimals. */
export function formatDecimal(value: number): string {
  return formats.value.decimal.format(value);
}

/** Returns a day such as `2011-05-02` in the format of the user's language; other texts unchanged. */
export function formatDay(day: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN;
  return Number.isNaN(time) ? day : formats.value.date.format(time);
}

/** Returns whole metres below 1 km, otherwise kilometres, with at most one decimal below 100 km. */
export function formatDistance(distanceMeters: number): string {
  const { meters, closeKilometers, farKilometers } = formats.value;
  if (distanceMeters < 999.5) return meters.format(distanceMeters);
  return (distanceMeters < 99_950 ? closeKilometers : farKilometers).format(distanceMeters / 1000);
}

/** Returns bytes with their decimal unit: kilobytes (rounded up) below 0.1 MB, gigabytes from 1 GB on, otherwise megabytes. */
export function formatBytes(bytes: number): string {
  const { kilobytes, megabytes, gigabytes } = formats.value;
  if (bytes < 99_500) return kilobytes.format(Math.ceil(bytes / 1e3));
  return bytes < 999_950_000 ? megabytes.format(bytes / 1e6) : gigabytes.format(bytes / 1e9);
}

/** Returns a share from 0 to 1 as a whole percentage. */
export function formatPercent(share: number): string {
  return formats.value.percent.format(share);
}

/** Returns a duration in seconds with at most two decimals; at least 0.01 seconds. */
export function formatSeconds(milliseconds: number): string {
  return formats.value.seconds.format(Math.max(0.01, milliseconds / 1000));
}

/**
 * Returns the date of a release whose name starts with one, such as `2026-09-16.0`, otherwise its name. Undefined if
 * the name is a hash of the files, which a release has without a name.
 */
export function formatRelease(release: string): string | undefined {
  const [day] = /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(release) ?? [];
  const date = day && formatDay(day);
  if (date && date !== day) return date;
  return release === "" || /^[0-9a-f]{12}$/.test(release) ? undefined : release;
}

/** Returns a line about the release of the data; undefined if it has neither a date nor a name. */
export function releaseText(release: string): string | undefined {
  const shown = formatRelease(release);
  if (shown === undefined) return undefined;
  return shown === release ? text("release.name", { release }) : text("release.date", { date: shown });
}
