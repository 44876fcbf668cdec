/** Reads small tables in tests. @module */
import { utils, write } from "@e965/xlsx";
import { writeWkt } from "../../format/wkt.ts";
import { type ReadOptions, readTable, TableError } from "../index.ts";

/** Returns the types, rows (geometry as WKT first), rejects and notes of a table; the message if it is refused. */
export async function read(name: string, content: string | Uint8Array, options?: ReadOptions) {
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

/** A workbook; cells are values, or cells of the writer. */
export function workbook(
  sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>,
  bookType: "xlsx" | "xls" | "ods",
  date1904 = false,
) {
  const book = utils.book_new();
  book.Workbook = { WBProps: { date1904 } };
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = utils.aoa_to_sheet(rows as unknown[][], { UTC: true });
    utils.book_append_sheet(book, sheet, name);
  }
  return new Uint8Array(write(book, { type: "array", bookType }));
}
