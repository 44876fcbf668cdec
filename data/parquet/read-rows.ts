/** Decoding of column tables in JavaScript. @module */
import { decompress } from "fzstd";
import { parquetReadObjects } from "hyparquet";
import { fromUtf8 } from "../format/utf8.ts";

type ReadOptions = Omit<Parameters<typeof parquetReadObjects>[0], "file" | "compressors" | "parsers">;

/**
 * Returns the rows of a Parquet file, uncompressed or with ZSTD, as objects by column. hyparquet gets `options`, such as
 * `columns`. Rejects if the file is damaged.
 */
export function readParquetRows(file: Uint8Array, options: ReadOptions = {}): Promise<Record<string, unknown>[]> {
  const { buffer, byteOffset, byteLength } = file;
  return parquetReadObjects({
    ...options,
    file: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer,
    compressors: { ZSTD: (bytes) => decompress(bytes) },
    parsers: { stringFromBytes: (bytes: Uint8Array | undefined) => bytes && fromUtf8(bytes) },
  });
}
