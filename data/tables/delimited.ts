/**
 * Delimited text: CSV, TSV and their variants from spreadsheets and databases.
 * @module
 */
import Papa from "papaparse";
import { parseWkt } from "../format/wkt.ts";
import { coordinateColumns, geometryColumn } from "./column-names.ts";
import type { DecodedText } from "./decode-text.ts";
import { parseDegrees, parsePair } from "./degrees.ts";
import { isEmpty, type RawRow, type RawTable } from "./raw-table.ts";
import { TableError, type TableReject } from "./table.ts";

const DELIMITERS = [",", ";", "\t", "|", "\u001f", "^"];
const NAMES: Readonly<Record<string, string>> = { "\t": "tab", "\u001f": "unit separator" };
/** Records that decide about the delimiter. */
const SAMPLE_RECORDS = 100;
/** Lines before the row of names that may be a title. */
const MAX_TITLE_LINES = 20;

interface TableRecord {
  readonly line: number;
  readonly fields: readonly unknown[];
}

/**
 * Reads a text with a row of column names and rows of values. Finds the delimiter. Throws `TableError` for a text
 * without lines, or with a quotation mark that is never closed.
 */
export function readDelimited({ text, encoding, notes }: DecodedText): RawTable {
  const source = unquoted(sourceOf(text));
  const delimiter = source.delimiter ?? likeliestDelimiter(source.text);
  const parsed = parse(source, delimiter);
  const table = tableOfRecords(parsed.records);
  return {
    ...table,
    format: delimiter === "\t" ? "tsv" : "csv",
    encoding,
    delimiter: NAMES[delimiter] ?? delimiter,
    notes: [...notes, ...table.notes, ...parsed.notes],
    isText: true,
  };
}

/**
 * Splits the records of a text or a spreadsheet into column names, rows, and rejected rows, which have more fields than
 * there are names. Skips a title above the names, and notes that. Throws `TableError` without records.
 */
export function tableOfRecords(records: readonly TableRecord[]) {
  const { header, body, skipped } = splitHeader(records);
  const columns = columnNames(header, body);
  const rejects: TableReject[] = [];
  const rows: RawRow[] = [];
  for (const { line, fields } of body) {
    const extra = fields.slice(columns.length).filter((field) => !isEmpty(field));
    if (extra.length > 0) {
      const detail = `${fields.length} fields, expected ${columns.length}`;
      rejects.push({ line, reason: "too many fields", detail, values: fields.slice(0, columns.length) });
    } else rows.push({ line, values: columns.map((_, index) => fields[index] ?? null) });
  }
  return { columns, rows, rejects, notes: skipped };
}

interface Source {
  readonly text: string;
  readonly firstLine: number;
  readonly delimiter: string | undefined;
}

/** Without byte order mark, Excel's `sep=` line and leading comments; lines end with \n. */
function sourceOf(given: string): Source {
  let text = given.replace(/^\ufeff/, "");
  if (text.includes("\r")) text = text.replace(/\r\n?/g, "\n");
  text = text.replace(/\0/g, "");
  let firstLine = 1;
  let delimiter: string | undefined;
  for (;;) {
    const end = text.indexOf("\n");
    const line = end < 0 ? text : text.slice(0, end);
    const stated = /^"?sep=(.)"?$/i.exec(line)?.[1] ?? (/^"?sep=\\t"?$/i.test(line) ? "\t" : undefined);
    if (stated !== undefined) delimiter = stated;
    else if (!/^\s*$/.test(line) && !isComment(line, text.slice(end + 1))) break;
    if (end < 0) break;
    text = text.slice(end + 1);
    firstLine++;
  }
  return { text: withoutGaps(text.replace(/^#\s*(?=\S)/, "")), firstLine, delimiter };
}

/** Without spaces between a delimiter and a quotation mark, which people write by hand. */
function withoutGaps(text: string): string {
  const header = /^[^\n]*/.exec(text)?.[0] ?? "";
  if (!/[,;|\t] +"/.test(header)) return text;
  return text.replace(/"(?:[^"]|"")*"|([,;|\t]) +(?=")/g, (found, delimiter?: string) => delimiter ?? found);
}

/**
 * A line with `#` that has other fields than the one after it, or is before a line that names coordinates. A row of names
 * may begin with `#`, too.
 */
function isComment(line: string, rest: string): boolean {
  if (!line.startsWith("#")) return false;
  const next = /^[^\n]*/.exec(rest)?.[0] ?? "";
  if (next.startsWith("#")) return true;
  const places = (text: string) => DELIMITERS.some((one) => namesPlaces(text.split(one)));
  if (places(next) && !places(line)) return true;
  const count = (one: string, delimiter: string) => one.split(delimiter).length;
  return !DELIMITERS.some((one) => count(line, one) > 1 && count(line, one) === count(next, one));
}

/** A text of which each line is one quoted value with all fields of the line: spreadsheets save it so. */
function unquoted(source: Source): Source {
  if (!/^"(?:[^"\n]|"")*"\n/.test(source.text)) return source;
  const { records } = recordsOf(source.text, { firstLine: 1, delimiter: "\0", quoteChar: '"' });
  const lines = records.map(({ fields }) => String(fields[0]));
  const hasFields = DELIMITERS.some((one) => {
    const [first = 1, ...counts] = lines.map((line) => line.split(one).length);
    return first > 1 && counts.every((count) => count === first);
  });
  return hasFields && !lines.some((line) => line.includes("\n")) ? { ...source, text: lines.join("\n") } : source;
}

interface Parsed {
  readonly records: readonly TableRecord[];
  readonly notes: readonly string[];
}

function parse({ text, firstLine }: Source, delimiter: string): Parsed {
  const { records, openQuote } = recordsOf(text, { firstLine, delimiter, quoteChar: '"' });
  if (openQuote === undefined) return { records, notes: [] };
  const plain = recordsOf(text, { firstLine, delimiter, quoteChar: "\0" }).records;
  const width = plain[0]?.fields.length ?? 0;
  if (width > 1 && plain.every(({ fields }) => fields.length === width)) {
    return { records: plain, notes: ["quotation marks are part of the values"] };
  }
  throw new TableError(
    `line ${openQuote} opens a quotation mark that is never closed: close it, or double the marks inside of the value`,
  );
}

interface ParseOptions {
  readonly firstLine: number;
  readonly delimiter: string;
  readonly quoteChar: string;
  readonly preview?: number;
}

function recordsOf(text: string, { firstLine, preview = 0, ...options }: ParseOptions) {
  const records: TableRecord[] = [];
  let [line, from] = [firstLine, 0];
  let openQuote: number | undefined;
  const hasFormulas = text.includes('="');
  Papa.parse<string[]>(text, {
    ...options,
    newline: "\n",
    preview,
    step({ data, errors, meta }) {
      if (errors.some(({ code }) => code === "MissingQuotes")) openQuote ??= line;
      if (data.some((field) => field.trim() !== ""))
        records.push({ line, fields: hasFormulas ? data.map(plainField) : data });
      for (let at = text.indexOf("\n", from); at >= 0 && at < meta.cursor; at = text.indexOf("\n", at + 1)) line++;
      from = meta.cursor;
    },
  });
  return { records, openQuote };
}

/** The text in `="01067"`, which programs write so that spreadsheets keep leading zeros. */
function plainField(field: string): string {
  return field.startsWith('="') && field.endsWith('"') ? field.slice(2, -1) : field;
}

/** The delimiter that gives most records the same number of fields. */
function likeliestDelimiter(text: string): string {
  let best = { delimiter: ",", score: 0 };
  for (const delimiter of DELIMITERS) {
    const { records } = recordsOf(text, { firstLine: 1, delimiter, quoteChar: '"', preview: SAMPLE_RECORDS });
    const counts = new Map<number, number>();
    for (const { fields } of records) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
    const [width = 1, count = 0] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [1, 0]);
    if (width < 2) continue;
    const isHeaderToo = records[0]?.fields.length === width ? 2 : 1;
    // a few more fields count less than more equal records
    const score = (count / records.length) * isHeaderToo * (1 + Math.min(width, 30) / 100);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/** Splits off the row of names. Portals put titles above it. */
function splitHeader(records: readonly TableRecord[]) {
  const [first] = records;
  if (!first) throw new TableError("the table has no lines: a row of column names and rows of values are expected");
  const at = headerIndex(records);
  const isData = first.fields.every((field) => isEmpty(field) || isValue(field)) || first.fields.some(isDecimal);
  if (at === 0 && isData)
    return { header: first.fields.map(() => ""), body: records, skipped: ["the table has no row of column names"] };
  const { fields: header } = records[at] ?? first;
  const last = records[at - 1];
  const lines = `line ${first.line}${at > 1 ? ` to ${last?.line}` : ""}`;
  const skipped = last ? [`${lines} skipped: a title above the column names`] : [];
  return { header, body: records.slice(at + 1), skipped };
}

/**
 * The row of names is the first that names coordinates and is wider than the rows before it. Without such a row, it is the
 * first wide row after a title of one cell. After other narrow rows its cells must be words, and those of the next row must
 * not all be words.
 */
function headerIndex([first, ...rest]: readonly TableRecord[]): number {
  const start = [first, ...rest.slice(0, MAX_TITLE_LINES - 1)];
  const usual = width(rest[Math.floor(rest.length / 2)]);
  const widest = (fits: Fits) =>
    start.findIndex(
      (record, at) =>
        start.slice(0, at).every((one) => width(one) < width(record)) && fits(namesOf(record?.fields ?? [])),
    );
  const placed = [coordinateColumns, geometryColumn].map((find) => widest((names) => find(names) !== undefined));
  for (const at of placed) if (at >= 0) return at;
  if (width(first) < 2 && usual > 2)
    return Math.max(
      0,
      start.findIndex((record) => width(record) > 2),
    );
  if (width(first) > usual / 2) return 0;
  const worded = start.findIndex((record) => width(record) >= usual);
  return isWords(start[worded]) && !isWords(rest[worded]) ? worded : 0;
}

const width = (record: TableRecord | undefined): number =>
  record?.fields.filter((field) => !isEmpty(field)).length ?? 0;

const isWords = (record: TableRecord | undefined): boolean =>
  record?.fields.every((field) => isEmpty(field) || (typeof field === "string" && /^\s*\p{L}/u.test(field))) === true;

/** Whether a field is a number such as a coordinate. Years and other integers may be names. */
const isDecimal = (field: unknown): boolean =>
  typeof field === "string" && /^\s*[-+]?\d{1,3}[.,]\d{3,}\s*$/.test(field);

/** Whether a field is a number, coordinates or a geometry, and so no name of a column. */
function isValue(field: unknown): boolean {
  if (typeof field !== "string") return true;
  return parsePair(field) !== undefined || parseDegrees(field) !== undefined || parseWkt(field.trim()) !== undefined;
}

type Fits = (names: readonly string[]) => boolean;

const namesOf = (fields: readonly unknown[]): string[] => fields.map((field) => String(field ?? ""));

/** Whether the fields are names of columns with coordinates or geometries. */
function namesPlaces(fields: readonly unknown[]): boolean {
  const names = namesOf(fields);
  return coordinateColumns(names) !== undefined || geometryColumn(names) !== undefined;
}

/** R writes row names without a name for their column. */
function columnNames(header: readonly unknown[], body: readonly TableRecord[]): string[] {
  const hasRowNames = body.length > 0 && body.every(({ fields }) => fields.length === header.length + 1);
  const hasTrailing = body.some(({ fields }) => !isEmpty(fields.at(-1)));
  const own = header.map((name) => (isEmpty(name) ? "" : String(name)));
  const names = hasRowNames && hasTrailing ? ["", ...own] : own;
  while (
    names.length > 1 &&
    names.at(-1)?.trim() === "" &&
    body.every(({ fields }) => isEmpty(fields[names.length - 1]))
  )
    names.pop();
  return names;
}
