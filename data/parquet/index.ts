/**
 * Splits and combines Parquet files without decoding pages: footers, and files with some row groups of others.
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
export { openTableFile } from "./table-file.ts";
