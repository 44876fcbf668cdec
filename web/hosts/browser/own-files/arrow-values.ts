/** Converts Arrow values of any type to JSON: for tables from files, and for results of SQL. @module */

import {
  type DataType,
  DateUnit,
  type Decimal,
  type Dictionary,
  IntervalUnit,
  type Table,
  TimeUnit,
  Type,
} from "apache-arrow";
import { hexOf } from "../../../../data/format/bytes.ts";
import type { Json } from "../../../engine/index.ts";

const UNITS_PER_SECOND: Readonly<Record<TimeUnit, number>> = {
  [TimeUnit.SECOND]: 1,
  [TimeUnit.MILLISECOND]: 1e3,
  [TimeUnit.MICROSECOND]: 1e6,
  [TimeUnit.NANOSECOND]: 1e9,
};

/**
 * Returns a value of an Arrow vector of this type as JSON; null if there is none. Integers beyond 2^53 - 1, decimals, dates,
 * times, intervals, bytes (as `\x` and hexadecimal digits) and numbers that are not finite become text. Maps become objects.
 */
export function jsonOf(type: DataType, value: unknown): Json {
  if (value === null || value === undefined) return null;
  const members = type.children ?? [];
  switch (type.typeId) {
    case Type.Decimal:
      return decimalText(value as Uint32Array, (type as Decimal).scale);
    case Type.Date:
      return dayText(Number(value), type as DataType & { unit: DateUnit });
    case Type.Timestamp:
      return timestampText(Number(value), type as DataType & { timezone?: string | null });
    case Type.Time:
      return timeText(Number(value) / UNITS_PER_SECOND[(type as DataType & { unit: TimeUnit }).unit]);
    case Type.Interval:
      return intervalText(value as Int32Array, (type as DataType & { unit: IntervalUnit }).unit);
    case Type.Binary:
    case Type.LargeBinary:
    case Type.FixedSizeBinary:
      return bytesText(value as Uint8Array);
    case Type.Dictionary:
      return jsonOf((type as Dictionary).dictionary, value);
    case Type.List:
    case Type.FixedSizeList: {
      const [item] = members;
      return item ? Array.from(value as Iterable<unknown>, (one) => jsonOf(item.type, one)) : [];
    }
    case Type.Struct: {
      const row = value as Readonly<Record<string, unknown>>;
      return Object.fromEntries(members.map(({ name, type: own }) => [name, jsonOf(own, row[name])]));
    }
    case Type.Map: {
      const [, of] = (members[0]?.type.children ?? []) as readonly { readonly type: DataType }[];
      const entries = [...(value as Iterable<readonly [unknown, unknown]>)];
      return of ? Object.fromEntries(entries.map(([key, one]) => [String(key), jsonOf(of.type, one)])) : {};
    }
    default:
      return plainValue(value);
  }
}

/** Returns the values of a row by column. Leaves out nulls, and the columns in `leftOut`. */
export function rowOf(table: Table, row: number, leftOut: ReadonlySet<string | undefined>): Record<string, Json> {
  const values: Record<string, Json> = {};
  for (const [index, { name, type }] of table.schema.fields.entries()) {
    if (leftOut.has(name)) continue;
    const value = jsonOf(type, table.getChildAt(index)?.get(row));
    if (value !== null) values[name] = value;
  }
  return values;
}

function plainValue(value: unknown): Json {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return typeof value === "boolean" ? value : String(value);
}

/** From 32-bit words in two's complement, least significant first. */
function decimalText(words: Uint32Array, scale: number): string {
  const unsigned = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  const whole = BigInt.asIntN(32 * words.length, unsigned);
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, "0");
  const split = digits.length - scale;
  return `${whole < 0n ? "-" : ""}${digits.slice(0, split)}${scale > 0 ? `.${digits.slice(split)}` : ""}`;
}

function dayText(milliseconds: number, { unit }: { readonly unit: DateUnit }): string {
  const text = isoText(milliseconds);
  return unit === DateUnit.DAY ? text.slice(0, 10) : text;
}

function timestampText(milliseconds: number, { timezone }: { readonly timezone?: string | null }): string {
  return isoText(milliseconds) + (timezone ? "+00" : "");
}

/** Returns `2020-01-02 03:04:05.678`. For a year that JavaScript cannot represent, returns the milliseconds as text. */
function isoText(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return `${milliseconds} ms`;
  return date.toISOString().replace("T", " ").replace("Z", "").replace(".000", "");
}

function timeText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = (seconds % 60)
    .toFixed(6)
    .padStart(9, "0")
    .replace(/\.?0+$/, "");
  const [hh, mm] = [hours, minutes].map((part) => String(part).padStart(2, "0"));
  return `${hh}:${mm}:${rest}`;
}

function intervalText(words: Int32Array, unit: IntervalUnit): string {
  const [first = 0, second = 0, low = 0, high = 0] = words;
  if (unit === IntervalUnit.YEAR_MONTH) return `${first} months`;
  if (unit === IntervalUnit.DAY_TIME) return `${first} days ${second} ms`;
  const seconds = (high * 2 ** 32 + (low >>> 0)) / 1e9;
  const parts = [[first, "months"] as const, [second, "days"] as const, [seconds, "seconds"] as const];
  const nonzero = parts.filter(([count]) => count !== 0);
  return (nonzero.length > 0 ? nonzero : parts.slice(2)).map(([count, name]) => `${count} ${name}`).join(" ");
}

function bytesText(bytes: Uint8Array): string {
  return `\\x${hexOf(bytes)}`;
}
