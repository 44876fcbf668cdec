import { type DuckDBType, DuckDBTypeId } from "@duckdb/node-api";

export interface Conformed {
  readonly value: unknown;
  /** Members that the type lacks, such as `sources[].note`. */
  readonly ignored: readonly string[];
}

/** Makes a JSON value fit a column's type. Throws, naming the path, when it does not. */
export function conform(path: string, input: unknown, type: DuckDBType): Conformed {
  const ignored = new Set<string>();

  function adapt(at: string, value: unknown, wanted: DuckDBType): unknown {
    if (value === null || value === undefined) return null;
    switch (wanted.typeId) {
      case DuckDBTypeId.STRUCT: {
        const source = members(at, value, wanted);
        const names = wanted.entryNames;
        for (const name of Object.keys(source)) if (!names.includes(name)) ignored.add(`${at}.${name}`);
        return Object.fromEntries(
          names.map((name, i) => [name, adapt(`${at}.${name}`, source[name], wanted.entryTypes[i] ?? wanted)]),
        );
      }
      case DuckDBTypeId.MAP: {
        const entries = Object.entries(members(at, value, wanted));
        return Object.fromEntries(entries.map(([key, item]) => [key, adapt(`${at}.${key}`, item, wanted.valueType)]));
      }
      case DuckDBTypeId.LIST:
        if (!Array.isArray(value)) throw misfit(at, value, wanted);
        return value.map((item) => adapt(`${at}[]`, item, wanted.valueType));
      default:
        return scalar(at, value, wanted);
    }
  }

  return { value: adapt(path, input, type), ignored: [...ignored] };
}

function members(at: string, value: unknown, type: DuckDBType): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw misfit(at, value, type);
}

function scalar(at: string, value: unknown, type: DuckDBType): unknown {
  if (typeof value !== "object") {
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (type.typeId === DuckDBTypeId.VARCHAR) return String(value);
    if (type.typeId === DuckDBTypeId.BOOLEAN && typeof value === "boolean") return value;
    if (typeof number === "number" && Number.isFinite(number)) {
      if (type.typeId === DuckDBTypeId.DOUBLE) return number;
      if (type.typeId === DuckDBTypeId.INTEGER && number === (number | 0)) return number;
    }
  }
  throw misfit(at, value, type);
}

function misfit(at: string, value: unknown, type: DuckDBType): Error {
  return new Error(`${at}: ${JSON.stringify(value).slice(0, 120)} is no ${type.toString().slice(0, 40)}`);
}
