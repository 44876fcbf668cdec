/** Reads and writes Parquet footers. @module */
import { type FileMetaData, parquetMetadata } from "hyparquet";
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { writeMetadata } from "hyparquet-writer/src/metadata.js";

export type RowGroup = FileMetaData["row_groups"][number];
export type ColumnChunk = RowGroup["columns"][number];
export type ColumnMetaData = NonNullable<ColumnChunk["meta_data"]>;

/** `PAR1`, at the start and the end of a Parquet file. */
export const MAGIC = Uint8Array.of(0x50, 0x41, 0x52, 0x31);

/** The footer's length and the magic after it. */
const TAIL_BYTES = 8;

const WHOLE_STATISTICS = Number.POSITIVE_INFINITY;

/** Statistics as bytes, because not all are UTF-8. */
const PLAIN = { stringFromBytes: (bytes: Uint8Array | undefined) => bytes?.slice() };

/**
 * Reads the footer of a Parquet file, given the file or its last bytes from the footer on. Statistics stay bytes if
 * they are no numbers. Throws if the footer is damaged.
 */
export function readMetadata(bytes: Uint8Array): FileMetaData {
  return parquetMetadata(bytes, { geoparquet: false, parsers: PLAIN });
}

/**
 * Returns how many bytes the footer, its length and the magic take, given the file or its last 8 bytes. Does not check
 * the magic.
 */
export function footerBytesOf(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - TAIL_BYTES, true) + TAIL_BYTES;
}

/** Returns the bytes that follow the row groups of a Parquet file: footer, its length, and magic. */
export function writeFooter(metadata: FileMetaData): Uint8Array {
  const writer = new ByteWriter();
  writeMetadata(writer, metadata, WHOLE_STATISTICS);
  writer.appendBytes(MAGIC);
  return writer.getBytes().slice();
}
