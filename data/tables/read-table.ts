import type { Geometry } from "../format/geometry.ts";
import type { ReadOptions, Table } from "./table.ts";

/**
 * Reads a file of any supported format as a table. The content decides about the format. Rows with wrong values are in
 * `rejects`, and so are rows without coordinates, unless `allowNoGeometry` is set. Throws `TableError` if no table can
 * be read.
 */
export function readTable(
  name: string,
  bytes: Uint8Array,
  options: ReadOptions & { readonly allowNoGeometry: true },
): Promise<Table<Geometry | null>>;
export function readTable(name: string, bytes: Uint8Array, options?: ReadOptions): Promise<Table>;
export async function readTable(
  name: string,
  bytes: Uint8Array,
  options: ReadOptions = {},
): Promise<Table<Geometry | null>> {
  const { readAny } = await import("./read-any.ts");
  return readAny(name, bytes, options);
}
