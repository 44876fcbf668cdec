/**
 * The columns of the collections as Markdown, for `data/README.md`.
 * @module
 */
import { COLLECTION_NAMES, COLLECTIONS } from "./collections.ts";

/** One table for each collection. */
export function columnTables(): string {
  return COLLECTION_NAMES.map((name) => {
    const { theme, countryRule, columns } = COLLECTIONS[name];
    const rows = columns.map((column) => `| ${column.name} | \`${column.type}\` | ${column.doc} |`);
    return [
      `### ${name}`,
      "",
      `Theme ${theme}. Country: ${countryRule === "declared" ? "as the row declares, else where it lies" : "where it lies"}.`,
      "",
      "| column | type | meaning |",
      "|---|---|---|",
      ...rows,
      "",
    ].join("\n");
  }).join("\n");
}
