import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { writeWkt } from "../format/wkt.ts";
import { type ReadOptions, readTable, TableError } from "./index.ts";

const CASES = fileURLToPath(new URL("testing/cases/", import.meta.url));
const EXPECTED: Readonly<Record<string, unknown>> = JSON.parse(
  await readFile(fileURLToPath(new URL("testing/cases.json", import.meta.url)), "utf8"),
);

async function read(name: string, content: string | Uint8Array, options?: ReadOptions) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  try {
    const table = await readTable(name, bytes, options);
    return {
      columns: table.columns.map((column) => `${column.name}: ${column.type}`),
      rows: table.rows.map(({ geometry, values }) => [writeWkt(geometry), ...values]),
      ...(table.rejects.length > 0
        ? { rejects: table.rejects.map(({ line, reason, detail }) => `line ${line}: ${reason} (${detail})`) }
        : {}),
      ...(table.notes.length > 0 ? { notes: table.notes } : {}),
    };
  } catch (error) {
    if (error instanceof TableError) return { error: error.message };
    throw error;
  }
}

const files = await readdir(CASES);

describe("files that were reported as not readable", () => {
  test("all are expected", () => expect(files.sort()).toEqual(Object.keys(EXPECTED).sort()));
  test.each(files)("%s", async (file) => {
    const found = await read(file, await readFile(`${CASES}${file}`));
    expect("rows" in found ? { ...found, rows: found.rows.slice(0, 5) } : found).toEqual(EXPECTED[file]);
  });
});
