import { computed } from "@preact/signals";
import { locale } from "./text.ts";

const formats = computed(() => {
  const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale.value, options);
  const unit = (unit: "meter" | "kilometer", maximumFractionDigits: number) =>
    number({ style: "unit", unit, maximumFractionDigits });
  return {
    integer: number({ maximumFractionDigits: 0 }),
    megabytes: number({ minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    percent: number({ style: "percent", maximumFractionDigits: 0 }),
    meters: unit("meter", 0),
    closeKilometers: unit("kilometer", 1),
    farKilometers: unit("kilometer", 0),
  };
});

export function formatCount(count: number): string {
  return formats.value.integer.format(count);
}

/** Metres below a kilometre, else kilometres; one decimal below 100 km. */
export function formatDistance(distanceMeters: number): string {
  const { meters, closeKilometers, farKilometers } = formats.value;
  if (distanceMeters < 999.5) return meters.format(distanceMeters);
  return (distanceMeters < 99_950 ? closeKilometers : farKilometers).format(distanceMeters / 1000);
}

/** Millions of bytes, one decimal, without the unit. */
export function formatMegabytes(bytes: number): string {
  return formats.value.megabytes.format(bytes / 1e6);
}

/** A share of 1. */
export function formatPercent(share: number): string {
  return formats.value.percent.format(share);
}
