/**
 * The one place that quotes.
 * @module
 */

/** The name as an SQL identifier. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The text as an SQL string literal. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The path as an SQL string literal that reads this one file, even when its name looks like a pattern. */
export function quotePath(path: string): string {
  return quotePattern(path, "");
}

/** The folder as it is, with a pattern of files below it, as an SQL string literal. */
export function quotePattern(folder: string, pattern: string): string {
  return quoteLiteral(folder.replaceAll(/[*?[]/g, "[$&]") + pattern);
}
