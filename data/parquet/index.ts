/**
 * Splits and combines Parquet files without decoding pages, by their footers. Decodes rows of column tables.
 *
 * @module
 */

export {
  type ColumnChunk,
  type ColumnMetaData,
  footerBytesOf,
  MAGIC,
  type RowGroup,
  readMetadata,
  writeFooter,
} from "./footer.ts";
export { chunkRange, eachGroup, newFile, piecesOf, type Span } from "./new-file.ts";
export { readParquetRows } from "./read-rows.ts";
export { openTableFile } from "./table-file.ts";
