/**
 * Converts JSON values of a source to the types of a collection's columns.
 * @module
 */
import { type DuckDBType, DuckDBTypeId } from "@duckdb/node-api";
import { parseJson, withoutNaN } from "../../../data/tables/index.ts";
import type { DescribedColumn } from "../../base/database/index.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON text of a row with these columns, and the names of members that no column takes. Throws with the
 * path of a value that does not fit.
 */
export function conformRow(
  given: Members,
  columns: readonly DescribedColumn[],
): { readonly text: string; readonly ignored: readonly string[] } {
  const row = nested(given, columns);
  const ignored = Object.keys(row).filter((name) => !columns.some((column) => column.name === name));
  const fitted = columns.map(({ name, type }) => {
    const conformed = conform(name, row[name], type);
    ignored.push(...conformed.ignored);
    return [name, conformed.value] as const;
  });
  return { text: JSON.stringify(Object.fromEntries(fitted)), ignored };
}

/**
 * Returns the column of a flattened name such as `names.primary`, in which GDAL writes members of a struct. Undefined
 * for another name.
 */
export function columnOfFlat(name: string, columns: readonly DescribedColumn[]): DescribedColumn | undefined {
  const head = name.split(".", 1)[0] ?? "";
  if (head === name) return undefined;
  return columns.find((column) => column.name === head && column.type.typeId === DuckDBTypeId.STRUCT);
}

/** The row with flattened names such as `names.primary` put back into their columns. */
function nested(given: Members, columns: readonly DescribedColumn[]): Members {
  if (!Object.keys(given).some((name) => name.includes("."))) return given;
  const row = noMembers();
  const flat: [column: DescribedColumn, name: string, value: unknown][] = [];
  for (const [name, value] of Object.entries(given)) {
    const column = columnOfFlat(name, columns);
    if (column && (given[column.name] ?? null) === null) flat.push([column, name, value]);
    else row[name] = value;
  }
  for (const [{ name: head, type }, name, value] of flat) {
    if (value === null || value === undefined) continue;
    const whole = (row[head] ?? noMembers()) as Record<string, unknown>;
    row[head] = whole;
    setMember(whole, name.slice(head.length + 1), { value, type });
  }
  return row;
}

/** Without a prototype, because a name may be `__proto__`. */
const noMembers = (): Record<string, unknown> => Object.create(null);

/** The rest of a name is one key where the type is a map. */
function setMember(
  whole: Record<string, unknown>,
  rest: string,
  { value, type }: { readonly value: unknown; readonly type: DuckDBType },
): void {
  const [first = "", ...others] = type.typeId === DuckDBTypeId.STRUCT ? rest.split(".") : [rest];
  if (others.length === 0) {
    whole[first] = value;
    return;
  }
  const inner = (whole[first] ?? noMembers()) as Record<string, unknown>;
  if (typeof inner !== "object") return;
  whole[first] = inner;
  const at = type.typeId === DuckDBTypeId.STRUCT ? type.entryNames.indexOf(first) : -1;
  const innerType = (type.typeId === DuckDBTypeId.STRUCT ? type.entryTypes[at] : undefined) ?? type;
  setMember(inner, others.join("."), { value, type: innerType });
}

/**
 * Returns whether SQL can cast values of the type `source` to `target` as this module converts them. Otherwise
 * `conformRow` converts them one at a time.
 */
export function isCastable(source: DuckDBType, target: DuckDBType): boolean {
  switch (target.typeId) {
    case DuckDBTypeId.STRUCT:
      if (source.typeId !== DuckDBTypeId.STRUCT) return false;
      return target.entryNames.every((name, i) => {
        const at = source.entryNames.findIndex((other) => other.toLowerCase() === name.toLowerCase());
        const [mine, theirs] = [source.entryTypes[at], target.entryTypes[i]];
        return !mine || !theirs || isCastable(mine, theirs);
      });
    case DuckDBTypeId.LIST:
      return source.typeId === DuckDBTypeId.LIST && isCastable(source.valueType, target.valueType);
    case DuckDBTypeId.MAP:
      return source.typeId === DuckDBTypeId.MAP && isCastable(source.valueType, target.valueType);
    case DuckDBTypeId.INTEGER:
      return source.typeId !== DuckDBTypeId.DOUBLE && source.typeId !== DuckDBTypeId.FLOAT;
    default:
      return true;
  }
}

interface Conformed {
  readonly value: unknown;
  /** Members that the type lacks, such as `sources[].note`. */
  readonly ignored: readonly string[];
}

/**
 * Returns a JSON value as a column of this type has it. `path` names the value in errors. Throws if the value does not
 * fit.
 */
export function conform(path: string, input: unknown, type: DuckDBType): Conformed {
  const ignored = new Set<string>();

  function adapt(at: string, given: unknown, wanted: DuckDBType): unknown {
    if (given === null || given === undefined) return null;
    switch (wanted.typeId) {
      case DuckDBTypeId.STRUCT: {
        const source = members(at, parsed(given), wanted);
        if (source === null) return null;
        const names = wanted.entryNames;
        for (const name of Object.keys(source)) if (!names.includes(name)) ignored.add(`${at}.${name}`);
        return Object.fromEntries(
          names.map((name, i) => [name, adapt(`${at}.${name}`, source[name], wanted.entryTypes[i] ?? wanted)]),
        );
      }
      case DuckDBTypeId.MAP: {
        const value = parsed(given);
        if (value === null) return null;
        const entries = pairsOf(value) ?? Object.entries(members(at, value, wanted) ?? {});
        return Object.fromEntries(
          entries.map(([key, item]) => [key.toWellFormed(), adapt(`${at}.${key}`, item, wanted.valueType)]),
        );
      }
      case DuckDBTypeId.LIST: {
        const value = parsed(given);
        if (value === null) return null;
        if (!Array.isArray(value)) throw misfit(at, value, wanted);
        return value.map((item) => adapt(`${at}[]`, item, wanted.valueType));
      }
      default:
        return scalar(at, given, wanted);
    }
  }

  return { value: adapt(path, input, type), ignored: [...ignored] };
}

/** Programs without nested columns write them as JSON text. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*(?:[[{]|null\s*$)/.test(value)) return value;
  try {
    return parseJson(withoutNaN(value));
  } catch {
    return value;
  }
}

/** The entries of a map that is a list of pairs, as Arrow and Python write it: `[[key, value]]` or `[{key, value}]`. */
function pairsOf(value: unknown): [key: string, item: unknown][] | undefined {
  if (!Array.isArray(value)) return undefined;
  const pairs: [string, unknown][] = [];
  for (const pair of value) {
    const { key, value: item } = Array.isArray(pair) ? { key: pair[0], value: pair[1] } : Object(pair);
    if (typeof key !== "string" || (Array.isArray(pair) && pair.length !== 2)) return undefined;
    pairs.push([key, item]);
  }
  return pairs;
}

function members(at: string, value: unknown, type: DuckDBType): Members | null {
  if (typeof value === "object" && !Array.isArray(value)) return value as Members | null;
  throw misfit(at, value, type);
}

const NOT_FINITE = /^\s*[-+]?(?:nan|inf|infinity)\s*$/i;

function scalar(at: string, value: unknown, type: DuckDBType): unknown {
  if (typeof value !== "object") {
    if (type.typeId === DuckDBTypeId.VARCHAR) return String(value).toWellFormed();
    if (type.typeId === DuckDBTypeId.BOOLEAN && typeof value === "boolean") return value;
    if (type.typeId === DuckDBTypeId.DOUBLE || type.typeId === DuckDBTypeId.INTEGER) {
      if (typeof value === "string" && NOT_FINITE.test(value)) return null;
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      if (number === Number.POSITIVE_INFINITY || number === Number.NEGATIVE_INFINITY) return null;
      if (typeof number === "number" && Number.isFinite(number)) {
        if (type.typeId === DuckDBTypeId.DOUBLE) return number;
        if (number === (number | 0)) return number;
      }
    }
  }
  throw misfit(at, value, type);
}

function misfit(at: string, value: unknown, type: DuckDBType): Error {
  return new Error(`${at}: ${JSON.stringify(value).slice(0, 120)} is no ${type.toString().slice(0, 40)}`);
}
