/** Decodes row groups of column tables in JavaScript: edge runtimes compile no WebAssembly. @module */
import { readParquetRows } from "../../../data/parquet/index.ts";
import type { Json, StoredTableRow } from "../../engine/index.ts";

/**
 * Returns the rows of a Parquet file, with the geometry as WKB. Throws if the file is damaged, or if a value has no form in JSON.
 */
export async function decodeTableRows(file: Uint8Array): Promise<readonly StoredTableRow[]> {
  const rows = await readParquetRows(file, { utf8: false, geoparquet: false });
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]: [string, unknown]) => [
        name,
        value instanceof Uint8Array ? value : jsonOf(value, name),
      ]),
    ),
  );
}

/**
 * Returns the value as records have it: objects without null members, lists with null items, and null for a number that JSON
 * cannot represent.
 */
function jsonOf(value: unknown, name: string): Json {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "bigint":
      return Number(value);
    case "number":
      // adding 0 turns -0 into 0
      return Number.isFinite(value) ? value + 0 : null;
    case "undefined":
      return null;
  }
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item: unknown) => jsonOf(item, name));
  if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype)
    throw new Error(`column ${name} has a value that is not JSON`);
  const members = Object.entries(value).map(([key, member]: [string, unknown]) => [key, jsonOf(member, name)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== null));
}
