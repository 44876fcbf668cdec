import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { columnTables } from "./column-table.ts";

const README = new URL("../README.md", import.meta.url);

test("the columns in data/README.md are those of collections.ts", () => {
  const text = readFileSync(README, "utf8");
  const written = text.replace(
    /(<!-- columns: [^>]*-->\n)[\s\S]*(<!-- \/columns -->)/,
    (_, open: string, close: string) => `${open}\n${columnTables()}\n${close}`,
  );
  if (process.env.UPDATE_DOCS && !process.env.CI) writeFileSync(README, written);
  expect(text).toContain("<!-- /columns -->");
  expect(readFileSync(README, "utf8")).toBe(written);
});
