/** Columns beside a pair of coordinates: zones of UTM, minutes and seconds, letters of hemispheres. @module */
import { plainName } from "./column-names.ts";
import { isEmpty, type RawRow } from "./raw-table.ts";
import { parseNumber } from "./values.ts";

interface NamedRows {
  readonly columns: readonly string[];
  readonly rows: readonly RawRow[];
}

interface UtmZones {
  /** Name of the column. */
  readonly name: string;
  /** Returns the EPSG code of a row's zone; undefined if the row has none. */
  codeOf(values: readonly unknown[]): number | undefined;
}

/**
 * Returns the column with zones of UTM, such as `32U` with a band or `32N` with a hemisphere. Undefined without such a column, or
 * if it does not say which hemisphere is meant: `30S` may be both.
 */
export function utmZones({ columns, rows }: NamedRows): UtmZones | undefined {
  const at = columns.findIndex((name) => /^(utm_?)?zone(_?utm)?$|^utm$/.test(plainName(name)));
  const hemisphereAt = columns.findIndex((name) => /^(hem|hemisphere|ns|n_s)$/.test(plainName(name)));
  const zoneOf = (values: readonly unknown[]) =>
    /^\s*([1-9]|0[1-9]|[1-5]\d|60)\s*([C-HJ-NP-X])?\s*$/i.exec(String(values[at] ?? ""));
  const zones = rows.map(({ values }) => zoneOf(values)).filter((zone) => zone !== null);
  if (at < 0 || zones.length < rows.length / 2) return undefined;
  const letters = new Set(zones.map(([, , letter]) => letter?.toUpperCase()));
  const areBands = [...letters].some((letter) => letter !== "N" && letter !== "S");
  const isAmbiguous = letters.has("S") && letters.size === 1 && hemisphereAt < 0;
  if (isAmbiguous || (letters.has(undefined) && hemisphereAt < 0)) return undefined;
  return {
    name: columns[at] ?? "",
    codeOf(values) {
      const [, number, letter] = zoneOf(values) ?? [];
      if (number === undefined) return undefined;
      const hemisphere = String(values[hemisphereAt] ?? "");
      const isSouth = hemisphere === "" ? (areBands ? /[C-M]/i : /S/i).test(letter ?? "") : /^s/i.test(hemisphere);
      return (isSouth ? 32_700 : 32_600) + Number(number);
    },
  };
}

const AXES = {
  lat: { letters: /^(N|S|north|south)$/i, alone: /^(ns|n_s|hem|hemisphere)$/ },
  lng: { letters: /^(E|W|east|west)$/i, alone: /^(ew|e_w|hem|hemisphere)$/ },
} as const;
const HEMISPHERE = /(^|_)(ns|n_s|ew|e_w|hem|hemisphere|dir|direction)(_|$)/;

interface AngleParts {
  /** Names of the columns. */
  readonly names: readonly string[];
  /** Returns the name of a column whose value is no number. */
  wrongIn(values: readonly unknown[]): string | undefined;
  /** Returns the whole angle, from the value of its column and the values of the row. */
  whole(degrees: number, values: readonly unknown[]): number;
}

/** Returns the columns with minutes and seconds of a column such as `lat_deg`, and the one with the letters of its hemispheres. */
export function anglePartsOf({ columns, rows }: NamedRows, name: string, axis: keyof typeof AXES): AngleParts {
  const { letters, alone } = AXES[axis];
  const own = plainName(name);
  const partNamed = (unit: string) =>
    columns.find((one) => one !== name && plainName(one) === own.replace(/deg(rees?)?(?=_|$)/, unit));
  const minutes = partNamed("min") ?? partNamed("minutes");
  const seconds = partNamed("sec") ?? partNamed("seconds");
  /** Names the hemisphere of this axis. A column `direction` may be that of travel. */
  const isNamed = (one: string) => {
    const plain = plainName(one);
    const rest = plain.replace(HEMISPHERE, "_").replace(/^_+|_+$/g, "");
    return alone.test(plain) || (rest !== plain && rest !== "" && own.split("_").some((word) => word.startsWith(rest)));
  };
  const hemisphere = columns.find((one, at) => {
    if (!isNamed(one)) return false;
    const known = rows.map(({ values }) => values[at]).filter((value) => !isEmpty(value));
    return known.length > 0 && known.every((value) => letters.test(String(value)));
  });
  const valueIn = (column: string | undefined, values: readonly unknown[]) =>
    column === undefined ? undefined : values[columns.indexOf(column)];
  const numberIn = (column: string | undefined, values: readonly unknown[]) => {
    const value = valueIn(column, values);
    return isEmpty(value) ? 0 : parseNumber(String(value), false);
  };
  const names = [minutes, seconds, hemisphere].filter((one) => one !== undefined);
  return {
    names,
    wrongIn: (values) => [minutes, seconds].find((one) => Number.isNaN(numberIn(one, values))),
    whole(degrees, values) {
      if (names.length === 0) return degrees;
      const letter = String(valueIn(hemisphere, values) ?? "");
      const isNegative = degrees < 0 || Object.is(degrees, -0) || /^[SW]/i.test(letter);
      const angle = Math.abs(degrees) + numberIn(minutes, values) / 60 + numberIn(seconds, values) / 3600;
      return isNegative ? -angle : angle;
    },
  };
}
