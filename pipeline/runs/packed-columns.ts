/**
 * Columns as full rows of the term run have them: nested ones as JSON text.
 * @module
 */
import type { Column } from "../../data/format/collections.ts";
import { isPackedColumn } from "../../data/format/terms.ts";
import { quoteIdentifier } from "../database/sql.ts";

/** SQL of the column's value. What is null stays null: JSON has a null of its own. */
export function packedSql(column: Column): string {
  const name = quoteIdentifier(column.name);
  return isPackedColumn(column) ? `CASE WHEN ${name} IS NOT NULL THEN to_json(${name}) END` : name;
}
