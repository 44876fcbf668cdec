/**
 * CSV that spreadsheets open without running any of it.
 * @module
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
import Papa from "papaparse";

/** By it Excel tells UTF-8 from the system's own encoding. */
const BYTE_ORDER_MARK = "\uFEFF";
const LINE_END = "\r\n";

const PLAIN_NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
/** What begins a formula; East Asian versions take the wide forms too, and control characters are left out. */
const AT_START = /^(?=[=+\-@\t\r\n＝＋－＠])/;
/** Where the list separator is `;`, quotes within a line mean nothing: a cell begins after these too. */
const WITHIN = /([;\t\r\n])(?=[=+\-@＝＋－＠])/g;

/** The table with a byte order mark, an apostrophe before whatever could be taken for a formula. Throws when a row is cut short. */
export async function* forSpreadsheets(table: AsyncIterable<string>): AsyncGenerator<string> {
  let held = "";
  let isQuoted = false;
  yield BYTE_ORDER_MARK;
  for await (const piece of table) {
    let end = 0;
    for (const { 0: mark, index } of piece.matchAll(/["\n]/g)) {
      if (mark === '"') isQuoted = !isQuoted;
      else if (!isQuoted) end = held.length + index + 1;
    }
    held += piece;
    if (end === 0) continue;
    yield guardRows(held.slice(0, end));
    held = held.slice(end);
  }
  if (held !== "") throw new Error(`the table ends in the middle of a row: ${JSON.stringify(held.slice(0, 60))}`);
}

/** Whole rows, each with its line's end. */
function guardRows(rows: string): string {
  const { data } = Papa.parse<string[]>(rows.slice(0, -LINE_END.length), { delimiter: ",", newline: LINE_END });
  return `${Papa.unparse(
    data.map((cells) => cells.map(guard)),
    { newline: LINE_END },
  )}${LINE_END}`;
}

function guard(cell: string): string {
  return PLAIN_NUMBER.test(cell) ? cell : cell.replace(AT_START, "'").replace(WITHIN, "$1'");
}
