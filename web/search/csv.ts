/**
 * CSV (RFC 4180): flat columns, fixed per path, independent of the rows.
 * @module
 */
import Papa from "papaparse";
import type { Collection } from "../../data/format/collections.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import type { Feature, Json, Members } from "../engine/index.ts";
import { at, DISTANCE, flatColumns, flatText, neededBy, WKT, withOthers } from "./flat-columns.ts";
import { type Frame, recordsAs, type Writer } from "./frame.ts";

/** Returns the cells as a line of CSV with CRLF at its end. */
export function csvLine(cells: readonly string[]): string {
  return `${Papa.unparse([[...cells]], { newline: "\r\n" })}\r\n`;
}

interface CsvOptions {
  /** The collections that the path may search. */
  readonly schemas: readonly Collection[];
  /** Names of the properties whose columns are kept; default: all. */
  readonly includes?: ReadonlySet<string> | undefined;
  readonly hasGeometry?: boolean;
  /** Names of properties that only records from the user's own files have. */
  readonly others?: readonly string[] | undefined;
  /** Returns the header of a column, for people; default: its name. */
  readonly headerOf?: ((name: string) => string) | undefined;
  /**
   * Whether to make the file safe for spreadsheets: escapes cells that could be formulas, starts with a byte order
   * mark, and adds the distance.
   */
  readonly isForSpreadsheets?: boolean;
}

const FRAME = {
  contentType: "text/csv; charset=utf-8",
  extension: "csv",
  separator: "",
  close: "",
} as const satisfies Partial<Frame>;

interface CsvWriter extends Writer {
  readonly open: string;
  readonly close: string;
  /** The properties, and their members, that the writer reads. */
  readonly properties: ReadonlyMap<string, Members>;
  write(feature: Feature): string;
}

/** Returns a writer of features as CSV, with columns that depend on the collections only. */
export function csvWriter({
  schemas,
  includes,
  hasGeometry = true,
  others,
  headerOf = (name) => name,
  isForSpreadsheets = false,
}: CsvOptions): CsvWriter {
  const own = [...(isForSpreadsheets ? [DISTANCE] : []), ...flatColumns(schemas)]
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
      csvLine(["id", "longitude", "latitude", ...columns.map(({ name }) => name)].map((name) => cell(headerOf(name)))),
  };
  return { ...frame, ...recordsAs(write, { frame, properties }), properties, write };
}

/**
 * Returns a writer of any records as CSV. `columns` are names of members; a dot leads into an object, and is `_` in the header.
 */
export function flatCsv(columns: readonly string[]): Frame & { write(record: Readonly<Record<string, Json>>): string } {
  return {
    ...FRAME,
    open: csvLine(columns.map((name) => name.replaceAll(".", "_"))),
    write: (record) => csvLine(columns.map((name) => flatText(at(record, name.split("."))))),
  };
}

/**
 * Makes cells that spreadsheets do not execute.
 * @module
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */

/** Excel uses it to recognize UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

const PLAIN_NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
/** The start of a formula; East Asian versions accept the wide forms too, and ignore control characters. */
const AT_START = /^(?=[=+\-@\t\r\n＝＋－＠])/;
/** Where the list separator is `;`, quotes within a line are ignored: a cell also starts after these. */
const WITHIN = /([;\t\r\n])(?=[=+\-@＝＋－＠])/g;

/** Returns the cell with an apostrophe before each place where a formula could start. Plain numbers are unchanged. */
function inertCell(cell: string): string {
  return PLAIN_NUMBER.test(cell) ? cell : cell.replace(AT_START, "'").replace(WITHIN, "$1'");
}
