/**
 * Rows as the term run is made from them.
 * @module
 */
import type { Collection } from "../../data/format/collections.ts";
import { RECORD_COLUMN, recordColumns } from "../../data/format/terms.ts";
import { quoteIdentifier } from "../database/sql.ts";
import { termsSql } from "./term-postings.ts";

/** SQL of a row's record, as full rows of the term run have it. */
export function recordSql({ columns }: Collection): string {
  const members = recordColumns(columns).map(({ name }) => `${quoteIdentifier(name)} := ${quoteIdentifier(name)}`);
  return `to_json(struct_pack(${members.join(", ")}))`;
}

/** SQL of staged rows, from the collection's rows with `_country`: in the same order, and with `_terms`, what each is stored under. Needs `rowTerms` registered. */
export function stagedSql(collection: Collection, rows: string): string {
  return `SELECT _country, id, geometry, bbox, ${recordSql(collection)} AS ${RECORD_COLUMN}, ${termsSql(collection)} AS _terms FROM ${rows}`;
}
