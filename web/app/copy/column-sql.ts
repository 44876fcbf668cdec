/** Filters of the columns of a collection with its own schema, as conditions in DuckDB's SQL. @module */
import type { OwnFilter } from "../../../data/format/own-filters.ts";
import { quoteIdentifier, quoteLiteral } from "../../../data/format/sql.ts";
import { itemsOf } from "../address/index.ts";

/** Returns the condition for a valid value of the filter; undefined for filters by words, which plain SQL cannot express. */
export function columnCondition({ column, kind, bound }: OwnFilter, value: string): string | undefined {
  const name = quoteIdentifier(column.name);
  const items = itemsOf(value);
  const texts = items.map(quoteLiteral).join(", ");
  switch (kind) {
    case "flags":
      return `${name} IN (${items.join(", ")})`;
    case "values":
      return column.type === "list" ? `list_has_any(${name}, [${texts}])` : `${name} IN (${texts})`;
    case "numbers":
      return `${name} IN (${items.map(Number).join(", ")})`;
    case "number":
      return `${name} ${bound === "min" ? ">=" : "<="} ${Number(value)}`;
    case "date":
      if (bound === undefined) return `starts_with(${name}, ${quoteLiteral(value)})`;
      // the last month has all of its days
      return bound === "min"
        ? `${name} >= ${quoteLiteral(value)}`
        : `left(${name}, ${value.length}) <= ${quoteLiteral(value)}`;
    case "words":
      return undefined;
  }
}
