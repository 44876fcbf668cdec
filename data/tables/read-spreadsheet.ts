/** Spreadsheets: XLSX, XLS and ODS. @module */
import type { WorkSheet } from "@e965/xlsx";
import { messageOf } from "../format/message-of.ts";
import { tableOfRecords } from "./delimited.ts";
import type { RawTable } from "./raw-table.ts";
import { TableError } from "./table.ts";

interface SpreadsheetOptions {
  /** Whether coordinates are found in a table. */
  readonly hasCoordinates: (table: RawTable) => Promise<boolean>;
}

/**
 * Reads the first sheet with coordinates, otherwise the first with several columns, otherwise the first with more than
 * one row, visible sheets first. The notes name the other sheets. Throws `TableError` if the file is damaged or has no
 * such sheet.
 */
export async function readSpreadsheet(
  bytes: Uint8Array,
  format: string,
  { hasCoordinates }: SpreadsheetOptions,
): Promise<RawTable> {
  const { read, utils } = await import("@e965/xlsx");
  let book: ReturnType<typeof read>;
  try {
    book = read(bytes, { type: "array", cellDates: true, cellNF: true, dense: true, UTC: true });
  } catch (error) {
    throw new TableError(`the spreadsheet is damaged: ${messageOf(error)}`);
  }
  const is1904 = book.Workbook?.WBProps?.date1904 === true;
  const isHidden = (name: string) => (book.Workbook?.Sheets?.[book.SheetNames.indexOf(name)]?.Hidden ?? 0) > 0;
  const names = book.SheetNames.toSorted((a, b) => Number(isHidden(a)) - Number(isHidden(b)));
  const sheets = names.map((name) => {
    const sheet = book.Sheets[name];
    if (sheet) fillMerged(sheet);
    for (const cell of sheet?.["!data"]?.flat() ?? []) {
      // postcodes and telephone numbers with leading zeros
      if (cell?.t === "n" && /^0{2,}(-0+)?$/.test(String(cell.z)) && cell.w !== undefined)
        Object.assign(cell, { t: "s", v: cell.w });
      const time = cell?.v instanceof Date ? timeText(cell.v, { format: String(cell.z ?? "h"), is1904 }) : undefined;
      if (time !== undefined) Object.assign(cell, { t: "s", v: time });
      // with a format of dates, texts would be converted to dates
      if (cell?.z !== undefined) delete cell.z;
    }
    const { r: first, c: left } = sheet?.["!ref"] === undefined ? { r: 0, c: 0 } : utils.decode_range(sheet["!ref"]).s;
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
    return {
      name,
      links: sheet ? linksOf(sheet, left) : [],
      records: records.filter(({ fields }) => fields.some((field) => field !== null && field !== "")),
    };
  });
  const tables = sheets
    .filter(({ records }) => records.length > 1)
    .map(({ name, records, links }) => ({
      name,
      table: { ...withLinks(tableOfRecords(records), links), format, isText: true },
    }));
  const chosen = await likeliest(tables, hasCoordinates);
  if (!chosen) throw new TableError("the spreadsheet has no sheet with a row of column names and rows of values");
  const others = tables.filter((one) => one !== chosen).map(({ name }) => name);
  const { name, table } = chosen;
  const notes = others.length > 0 ? [`only the sheet ${name} is read, not ${others.join(", ")}`] : [];
  return { ...table, notes: [...table.notes, ...notes] };
}

/** Column of a sheet, and the targets of its links by line. */
interface LinkColumn {
  readonly at: number;
  readonly targets: ReadonlyMap<number, string>;
}

/** Columns with links that their cells do not show. `start` is the first column of the sheet. */
function linksOf(sheet: WorkSheet, start: number): LinkColumn[] {
  const columns = new Map<number, Map<number, string>>();
  for (const [index, row] of (sheet["!data"] ?? []).entries())
    for (const [at, cell] of (row ?? []).entries()) {
      const target = cell?.l?.Target;
      if (target === undefined || !/^(https?|mailto|tel):/i.test(target)) continue;
      if (target.replace(/^(mailto|tel):/i, "") === String(cell?.v)) continue;
      const targets = columns.get(at - start) ?? new Map<number, string>();
      columns.set(at - start, targets.set(index + 1, target));
    }
  return Array.from(columns, ([at, targets]) => ({ at, targets })).sort((a, b) => a.at - b.at);
}

/** The table with a column for each column of links. */
function withLinks<T extends ReturnType<typeof tableOfRecords>>(table: T, links: readonly LinkColumn[]): T {
  if (links.length === 0) return table;
  return {
    ...table,
    columns: [...table.columns, ...links.map(({ at }) => `${table.columns[at] ?? `column_${at + 1}`} link`)],
    rows: table.rows.map((row) => ({
      ...row,
      values: [...row.values, ...links.map(({ targets }) => targets.get(row.line) ?? null)],
    })),
  };
}

/** Rows of merged cells have the value of the first row. */
function fillMerged(sheet: WorkSheet): void {
  const rows = sheet["!data"] ?? [];
  for (const { s, e } of sheet["!merges"] ?? []) {
    const cell = rows[s.r]?.[s.c];
    if (!cell) continue;
    for (const row of rows.slice(s.r + 1, e.r + 1)) if (row) row[s.c] = { ...cell };
  }
}

async function likeliest<T extends { readonly table: RawTable }>(
  tables: readonly T[],
  hasCoordinates: SpreadsheetOptions["hasCoordinates"],
): Promise<T | undefined> {
  if (tables.length > 1) for (const one of tables) if (await hasCoordinates(one.table)) return one;
  return tables.find(({ table }) => table.columns.length > 1) ?? tables[0];
}

const SECONDS_PER_DAY = 86_400;

/**
 * The text of a cell with a time of the day, such as `09:00`, or with a duration (`[h]:mm`), such as `36:00`. Undefined
 * for dates. The reader gives times as dates from the first day of the workbook's calendar.
 */
function timeText(
  date: Date,
  { format, is1904 }: { readonly format: string; readonly is1904: boolean },
): string | undefined {
  const codes = format.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "");
  const isTime = /[hs]|\[m/i.test(codes) && !/[yd]/i.test(codes);
  const first = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 31);
  const seconds = Math.round((date.getTime() - first) / 1000);
  const isDuration = /\[[hms]/i.test(codes);
  if (!isTime || seconds < 0 || (!isDuration && seconds >= SECONDS_PER_DAY)) return undefined;
  // spreadsheets count a 29 February 1900, which is the 60th day
  const all = !is1904 && seconds >= 60 * SECONDS_PER_DAY ? seconds + SECONDS_PER_DAY : seconds;
  const parts = [Math.floor(all / 3600), Math.floor(all / 60) % 60, ...(all % 60 === 0 ? [] : [all % 60])];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
