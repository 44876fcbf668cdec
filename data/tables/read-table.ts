import type { Geometry } from "../format/geometry.ts";
import { type ReadOptions, type Table, TableError } from "./table.ts";

/** Reads a file of any supported format, which its content decides. Throws `TableError`. */
export function readTable(
  name: string,
  bytes: Uint8Array,
  options: ReadOptions & { readonly allowNoGeometry: true },
): Promise<Table<Geometry | null>>;
export function readTable(name: string, bytes: Uint8Array, options?: ReadOptions): Promise<Table>;
export async function readTable(name: string): Promise<Table<Geometry | null>> {
  throw new TableError(`${name} is of no format that can be read yet`);
}
