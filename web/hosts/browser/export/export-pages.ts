/**
 * Many pages of an answer as one file: the brackets, or the header line, of each page but the first are left out.
 * @module
 */
import { forSpreadsheets } from "./export-spreadsheet.ts";

/** Those of the interface, and CSV that no spreadsheet runs. */
export const EXPORT_FORMATS = ["json", "geojson", "csv", "spreadsheet"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The interface's format that it is made of, which is the file's extension too. */
export function restFormat(format: ExportFormat): "json" | "geojson" | "csv" {
  return format === "spreadsheet" ? "csv" : format;
}

/** The text of one page, in pieces cut anywhere. */
type PageText = AsyncIterable<string> | Iterable<string>;

interface Frame {
  readonly open: string;
  readonly separator: string;
  readonly close: string;
}

/** What stands around the records of a page. */
const FRAMES: Readonly<Record<"json" | "geojson", Frame>> = {
  json: { open: "[", separator: ",\n", close: "]\n" },
  geojson: { open: '{"type":"FeatureCollection","features":[', separator: ",\n", close: "]}\n" },
};

/**
 * Joins the bodies of consecutive pages to one valid body. At most a piece is held. Throws when a page is not whole or is
 * of another kind.
 */
export function joinPages(format: ExportFormat, pages: AsyncIterable<PageText>): AsyncGenerator<string> {
  if (format === "spreadsheet") return forSpreadsheets(joinTables(pages));
  return format === "csv" ? joinTables(pages) : joinLists(FRAMES[format], pages);
}

async function* joinLists({ open, separator, close }: Frame, pages: AsyncIterable<PageText>): AsyncGenerator<string> {
  let before = open;
  for await (const page of pages) {
    const pieces = withoutStart(page, open);
    let held = "";
    for await (const piece of pieces) {
      held += piece;
      // The end of the page cannot be told from its middle before it has come.
      const records = held.slice(0, -close.length);
      if (records === "") continue;
      yield before + records;
      before = "";
      held = held.slice(-close.length);
    }
    if (held !== close) throw new Error(`a page ends with ${quote(held)}, expected ${quote(close)}`);
    if (before === "") before = separator;
  }
  yield (before === open ? open : "") + close;
}

async function* withoutStart(page: PageText, start: string): AsyncGenerator<string> {
  let head: string | undefined = "";
  for await (const piece of page) {
    if (head === undefined) {
      yield piece;
      continue;
    }
    head += piece;
    if (head.length < start.length) continue;
    if (!head.startsWith(start)) break;
    yield head.slice(start.length);
    head = undefined;
  }
  if (head !== undefined) {
    throw new Error(`a page begins with ${quote(head.slice(0, start.length))}, expected ${quote(start)}`);
  }
}

const LINE_END = "\r\n";

async function* joinTables(pages: AsyncIterable<PageText>): AsyncGenerator<string> {
  let header: string | undefined;
  for await (const page of pages) {
    let head: string | undefined = "";
    for await (const piece of page) {
      if (head === undefined) {
        yield piece;
        continue;
      }
      head += piece;
      const end = head.indexOf(LINE_END);
      if (end < 0) continue;
      const line = head.slice(0, end + LINE_END.length);
      if (header !== undefined && line !== header) {
        throw new Error(`a page has the columns ${quote(line.trim())}, expected ${quote(header.trim())}`);
      }
      yield header === undefined ? head : head.slice(line.length);
      header = line;
      head = undefined;
    }
    if (head !== undefined) throw new Error(`a page begins with ${quote(head)}, expected a line of columns`);
  }
}

const QUOTED_CHARS = 60;

function quote(text: string): string {
  return JSON.stringify(text.length > QUOTED_CHARS ? `${text.slice(0, QUOTED_CHARS)}…` : text);
}
