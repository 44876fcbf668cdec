import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { COLLECTION_NAMES, COLLECTIONS } from "./collections.ts";

const PAGE = new URL("../spec/columns.md", import.meta.url);

test("data/spec/columns.md lists the columns of collections.ts", () => {
  const text = readFileSync(PAGE, "utf8");
  const written = text.replace(
    /(<!-- columns: [^>]*-->\n)[\s\S]*(<!-- \/columns -->)/,
    (_, open: string, close: string) => `${open}\n${columnTables()}\n${close}`,
  );
  if (process.env.UPDATE_DOCS && !process.env.CI) writeFileSync(PAGE, written);
  expect(text).toContain("<!-- /columns -->");
  expect(readFileSync(PAGE, "utf8")).toBe(written);
});

/** One table for each collection. */
function columnTables(): string {
  return COLLECTION_NAMES.map((name) => {
    const { theme, countryRule, columns } = COLLECTIONS[name];
    const rows = columns.map((column) => `| ${column.name} | \`${column.type}\` | ${column.doc} |`);
    return [
      `## ${name}`,
      "",
      `Theme ${theme}. Country: ${countryRule === "declared" ? "declared, otherwise from its representative point" : "from its representative point"}.`,
      "",
      "| column | type | meaning |",
      "|---|---|---|",
      ...rows,
      "",
    ].join("\n");
  }).join("\n");
}
