/**
 * Rows as the term run is made from them.
 * @module
 */
import type { Collection } from "../../data/format/collections.ts";
import { RECORD_COLUMN, recordColumns } from "../../data/format/terms.ts";
import { quoteIdentifier, quoteLiteral } from "../database/index.ts";
import { termsSql } from "./term-postings.ts";

/**
 * Members that are null: those after another, then the first of an object that has others, then the only one. Quotes inside a text are
 * escaped in JSON, so that none of these begins in one.
 */
const NULL_MEMBERS = [
  [String.raw`,"\w+":null`, ""],
  [String.raw`\{"\w+":null,`, "{"],
  [String.raw`\{"\w+":null\}`, "{}"],
] as const;

/** SQL of a row's record, as full rows of the term run have it. Most members of most rows are null, a third of the text: they are left out. */
export function recordSql({ columns }: Collection): string {
  const members = recordColumns(columns).map(({ name }) => `${quoteIdentifier(name)} := ${quoteIdentifier(name)}`);
  return NULL_MEMBERS.reduce(
    (text, [pattern, kept]) => `regexp_replace(${text}, ${quoteLiteral(pattern)}, ${quoteLiteral(kept)}, 'g')`,
    `to_json(struct_pack(${members.join(", ")}))::VARCHAR`,
  );
}

/** SQL of staged rows, from the collection's rows with `_country`: in the same order, and with `_terms`, what each is stored under. Needs `rowTerms` registered. */
export function stagedSql(collection: Collection, rows: string): string {
  return `SELECT _country, id, geometry, bbox, ${recordSql(collection)} AS ${RECORD_COLUMN}, ${termsSql(collection)} AS _terms FROM ${rows}`;
}
