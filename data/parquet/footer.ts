/** Footers of Parquet files, read and written again. @module */
import { type FileMetaData, parquetMetadata } from "hyparquet";
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { writeMetadata } from "hyparquet-writer/src/metadata.js";

export type RowGroup = FileMetaData["row_groups"][number];
export type ColumnChunk = RowGroup["columns"][number];
export type ColumnMetaData = NonNullable<ColumnChunk["meta_data"]>;

/** `PAR1`, with which a Parquet file begins and ends. */
export const MAGIC = Uint8Array.of(0x50, 0x41, 0x52, 0x31);

/** Of the footer's length and the magic behind it. */
const TAIL_BYTES = 8;

const WHOLE_STATISTICS = Number.POSITIVE_INFINITY;

/** Bounds as bytes: not all are UTF-8. */
const PLAIN = { stringFromBytes: (bytes: Uint8Array | undefined) => bytes?.slice() };

/** What the footer of the file in these bytes says. */
export function readMetadata(bytes: Uint8Array): FileMetaData {
  return parquetMetadata(bytes, { geoparquet: false, parsers: PLAIN });
}

/** Bytes of the file's footer, with its length and the magic. */
export function footerBytesOf(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - TAIL_BYTES, true) + TAIL_BYTES;
}

/** A footer, its length and the magic: what stands behind the row groups. */
export function writeFooter(metadata: FileMetaData): Uint8Array {
  const writer = new ByteWriter();
  writeMetadata(writer, metadata, WHOLE_STATISTICS);
  writer.appendBytes(MAGIC);
  return writer.getBytes().slice();
}
