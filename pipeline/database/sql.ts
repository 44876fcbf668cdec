import { quoteLiteral } from "../../data/format/sql.ts";

export { quoteIdentifier, quoteLiteral } from "../../data/format/sql.ts";

/** The path as an SQL string literal that reads this one file, even when its name looks like a pattern. */
export function quotePath(path: string): string {
  return quoteLiteral(path.replaceAll(/[*?[]/g, "[$&]"));
}
