import type { Collection } from "../../data/format/collections.ts";
import { RECORD_COLUMN, recordColumns } from "../../data/format/terms.ts";
import { quoteIdentifier, quoteLiteral } from "../database/index.ts";
import { termsSql } from "./term-postings.ts";

/**
 * Null members: after another, first of several, alone. Quotes in a text are escaped in JSON, so none matches inside
 * one.
 */
const NULL_MEMBERS = [
  [String.raw`,"\w+":null`, ""],
  [String.raw`\{"\w+":null,`, "{"],
  [String.raw`\{"\w+":null\}`, "{}"],
] as const;

/** SQL of a row's record without its null members, a third of the text. */
export function recordSql({ columns }: Collection): string {
  const members = recordColumns(columns).map(({ name }) => `${quoteIdentifier(name)} := ${quoteIdentifier(name)}`);
  return NULL_MEMBERS.reduce(
    (text, [pattern, kept]) => `regexp_replace(${text}, ${quoteLiteral(pattern)}, ${quoteLiteral(kept)}, 'g')`,
    `to_json(struct_pack(${members.join(", ")}))::VARCHAR`,
  );
}

/** SQL of a collection's rows with `_terms`, in the same order. Needs `rowTerms` registered. */
export function stagedSql(collection: Collection, rows: string): string {
  return `SELECT _country, id, geometry, bbox, ${recordSql(collection)} AS ${RECORD_COLUMN}, ${termsSql(collection)} AS _terms FROM ${rows}`;
}
