/** Spreadsheets: XLSX, XLS and ODS. @module */
import { messageOf } from "../format/message-of.ts";
import { tableOfRecords } from "./delimited.ts";
import type { RawTable } from "./raw-table.ts";
import { TableError } from "./table.ts";

/**
 * Reads the first sheet with more than one row. The notes name the other sheets. Throws `TableError` if the file is
 * damaged or has no such sheet.
 */
export async function readSpreadsheet(bytes: Uint8Array, format: string): Promise<RawTable> {
  const { read, utils } = await import("@e965/xlsx");
  let book: ReturnType<typeof read>;
  try {
    book = read(bytes, { type: "array", cellDates: true, dense: true, UTC: true });
  } catch (error) {
    throw new TableError(`the spreadsheet is damaged: ${messageOf(error)}`);
  }
  const sheets = book.SheetNames.map((name) => {
    const sheet = book.Sheets[name];
    const first = sheet?.["!ref"] === undefined ? 0 : utils.decode_range(sheet["!ref"]).s.r;
    const cells = sheet
      ? utils.sheet_to_json<readonly unknown[]>(sheet, {
          header: 1,
          raw: true,
          defval: null,
          blankrows: true,
          UTC: true,
        })
      : [];
    const records = cells.map((fields, index) => ({ line: first + index + 1, fields }));
    return { name, records: records.filter(({ fields }) => fields.some((field) => field !== null && field !== "")) };
  });
  const table = sheets.find(({ records }) => records.length > 1);
  if (!table) throw new TableError("the spreadsheet has no sheet with a row of column names and rows of values");
  const others = sheets
    .filter(({ name, records }) => name !== table.name && records.length > 1)
    .map(({ name }) => name);
  const { notes, ...rest } = tableOfRecords(table.records);
  return {
    ...rest,
    format,
    notes: [...notes, ...(others.length > 0 ? [`only the sheet ${table.name} is read, not ${others.join(", ")}`] : [])],
    isText: true,
  };
}
