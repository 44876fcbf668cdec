import { BBOX_TYPE } from "../../data/format/collections.ts";
import { quotePath } from "../database/index.ts";

/** Columns of a file of changes, in its order. */
const COLUMNS = [
  ["id", "VARCHAR"],
  ["collection", "VARCHAR"],
  ["change", "VARCHAR"],
  ["columns", "VARCHAR[]"],
  ["country", "VARCHAR"],
  ["name", "VARCHAR"],
  ["bbox", BBOX_TYPE],
  ["geometry", "BLOB"],
] as const;

/** The rows of these files, one after the other. */
export function allChangesSql(files: readonly string[]): string {
  if (files.length > 0) return `SELECT * FROM read_parquet([${files.map(quotePath).join(", ")}])`;
  return `SELECT ${COLUMNS.map(([name, type]) => `NULL::${type} AS "${name}"`).join(", ")} WHERE false`;
}
