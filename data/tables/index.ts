/** Tables of any supported format as rows with typed columns and a geometry; for Node and workers of browsers. @module */

export { readTable } from "./read-table.ts";
export {
  type ColumnType,
  type ReadOptions,
  type Table,
  type TableColumn,
  TableError,
  type TableReject,
  type TableRow,
} from "./table.ts";
