/** The pipeline's only code that quotes. @module */

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The path as an SQL string literal that reads this one file, even when its name looks like a pattern. */
export function quotePath(path: string): string {
  return quoteLiteral(path.replaceAll(/[*?[]/g, "[$&]"));
}
