/**
 * Reads Parquet files without DuckDB and without Arrow.
 * @module
 */
import { readFile } from "node:fs/promises";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";

/** Returns the rows of the file as objects, with all columns. */
export async function readParquetRows(path: string): Promise<Record<string, unknown>[]> {
  const bytes = await readFile(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  return parquetReadObjects({ file, compressors });
}
