/**
 * CSV (RFC 4180): flat columns, fixed for each path whatever the rows.
 * @module
 */
import Papa from "papaparse";
import type { CollectionName } from "../../data/format/collections.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import type { Feature, Json, Members } from "../engine/index.ts";
import { at, DISTANCE, flatColumns, flatText, neededBy, WKT, withOthers } from "./flat-columns.ts";
import { type Frame, recordsAs, type Writer } from "./frame.ts";

/** The cells as a line. */
export function csvLine(cells: readonly string[]): string {
  return `${Papa.unparse([[...cells]], { newline: "\r\n" })}\r\n`;
}

export interface CsvOptions {
  /** The collections a path may search. */
  readonly collections: readonly CollectionName[];
  /** Keeps the columns made from these properties; all when left out. */
  readonly includes?: ReadonlySet<string> | undefined;
  readonly hasGeometry?: boolean;
  /** Names of properties that records from elsewhere have. */
  readonly others?: readonly string[] | undefined;
  /** Whether a spreadsheet is to run none of it: cells that could be formulas are escaped, it begins with a byte order mark, and has the distance. */
  readonly isForSpreadsheets?: boolean;
}

const FRAME = {
  contentType: "text/csv; charset=utf-8",
  extension: "csv",
  separator: "",
  close: "",
} as const satisfies Partial<Frame>;

export interface CsvWriter extends Writer {
  readonly open: string;
  readonly close: string;
  /** What the columns are made from: features need nothing else. */
  readonly properties: ReadonlyMap<string, Members>;
  /** A line. */
  write(feature: Feature): string;
}

/** CSV of features. */
export function csvWriter({
  collections,
  includes,
  hasGeometry = true,
  others,
  isForSpreadsheets = false,
}: CsvOptions): CsvWriter {
  const own = [...(isForSpreadsheets ? [DISTANCE] : []), ...flatColumns(collections)]
    .filter(({ property }) => property === undefined || includes === undefined || includes.has(property))
    .filter((column) => hasGeometry || column !== WKT);
  const columns = withOthers(own, others);
  const cell = (value: Json | undefined) => (isForSpreadsheets ? inertCell(flatText(value)) : flatText(value));
  const write = (feature: Feature): string => {
    const [lon, lat] = representativePoint(feature.geometry) ?? [];
    const cells = columns.map((column) => cell(column.read(feature)));
    return csvLine([cell(feature.id), flatText(lon), flatText(lat), ...cells]);
  };
  const properties = neededBy(columns);
  const frame = {
    ...FRAME,
    open:
      (isForSpreadsheets ? BYTE_ORDER_MARK : "") +
      csvLine(["id", "longitude", "latitude", ...columns.map(({ name }) => cell(name))]),
  };
  return { ...frame, ...recordsAs(write, { frame, properties }), properties, write };
}

/** CSV of flat records: the columns are given, members of objects by a dot. */
export function flatCsv(columns: readonly string[]): Frame & { write(record: Readonly<Record<string, Json>>): string } {
  return {
    ...FRAME,
    open: csvLine(columns.map((name) => name.replaceAll(".", "_"))),
    write: (record) => csvLine(columns.map((name) => flatText(at(record, name.split("."))))),
  };
}

/**
 * Cells that spreadsheets take without running any of them.
 * @module
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */

/** By it Excel tells UTF-8 from the system's own encoding. */
export const BYTE_ORDER_MARK = "\uFEFF";

const PLAIN_NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
/** What begins a formula; East Asian versions take the wide forms too, and control characters are left out. */
const AT_START = /^(?=[=+\-@\t\r\n＝＋－＠])/;
/** Where the list separator is `;`, quotes within a line mean nothing: a cell begins after these too. */
const WITHIN = /([;\t\r\n])(?=[=+\-@＝＋－＠])/g;

/** The cell, an apostrophe before whatever could be taken for a formula. */
export function inertCell(cell: string): string {
  return PLAIN_NUMBER.test(cell) ? cell : cell.replace(AT_START, "'").replace(WITHIN, "$1'");
}
