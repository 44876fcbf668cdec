/** Parquet files taken apart and put together without decoding a page: footers, and files of some row groups of others. @module */

export {
  type ColumnChunk,
  type ColumnMetaData,
  footerBytesOf,
  MAGIC,
  type RowGroup,
  readMetadata,
  writeFooter,
} from "./footer.ts";
export { eachGroup, newFile, piecesOf, type Span } from "./new-file.ts";
