/**
 * Numbers in the reader's own way.
 * @module
 */

const integer = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const megabytes = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

const unit = (unit: "meter" | "kilometer", maximumFractionDigits: number) =>
  new Intl.NumberFormat(undefined, { style: "unit", unit, maximumFractionDigits });
const meters = unit("meter", 0);
const closeKilometers = unit("kilometer", 1);
const farKilometers = unit("kilometer", 0);

export function formatCount(count: number): string {
  return integer.format(count);
}

/** Metres below a kilometre, else kilometres; one decimal below 100 km. */
export function formatDistance(distanceMeters: number): string {
  if (distanceMeters < 999.5) return meters.format(distanceMeters);
  return (distanceMeters < 99_950 ? closeKilometers : farKilometers).format(distanceMeters / 1000);
}

/** Millions of bytes, one decimal, without the unit. */
export function formatMegabytes(bytes: number): string {
  return megabytes.format(bytes / 1e6);
}

export function formatMilliseconds(milliseconds: number): string {
  return `${integer.format(Math.max(1, milliseconds))} ms`;
}
