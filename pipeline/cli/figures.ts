/**
 * Texts of sizes, counts and times for people.
 * @module
 */

const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** Returns bytes with a unit, such as `1.23 MB`: at most three digits, 1 kB is 1,000 bytes. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  for (; value >= 999.5 && unit < UNITS.length - 1; unit++) value /= 1000;
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

/** Returns a count with its noun: `1 file`, `2,000 files`. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns a time such as `0.4 s`, `12 s`, `3 min 5 s` or `2 h 15 min`. */
export function formatTime(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes === 0) return `${whole} s`;
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
