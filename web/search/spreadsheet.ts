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
