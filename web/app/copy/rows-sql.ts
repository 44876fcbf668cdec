/** The page's records as a statement for the SQL console, which has the loaded rows as tables. @module */
import { isOvertureType } from "../../../data/format/collections.ts";
import { quoteLiteral } from "../../../data/format/sql.ts";
import type { Feature } from "../../engine/index.ts";

/** Longer statements are no reading. */
const MOST_IDS = 1000;

/** The statement that gives the records, in their order. */
export function rowsSql(records: readonly Pick<Feature, "id" | "properties">[]): string {
  const asked = records.slice(0, MOST_IDS);
  const types = [...new Set(asked.map(({ properties }) => String(properties.type)))].filter(isOvertureType);
  const ids = `[${asked.map(({ id }) => quoteLiteral(id)).join(", ")}]`;
  const rows = types.map((type) => `SELECT * FROM ${type} WHERE list_contains(${ids}, id)`);
  const all = rows.length === 1 ? rows[0] : `SELECT * FROM (\n${rows.join("\nUNION ALL BY NAME\n")}\n)`;
  return `${all}\nORDER BY list_position(${ids}, id)`;
}
