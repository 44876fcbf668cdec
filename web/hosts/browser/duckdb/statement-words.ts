import type { DuckDBBindings } from "@duckdb/duckdb-wasm/blocking";

/** Statements that EXPLAIN does not take and that read no rows. */
const READS_NO_ROWS: ReadonlySet<string> = new Set([
  ...["ABORT", "ANALYZE", "ATTACH", "BEGIN", "COMMENT", "COMMIT", "DEALLOCATE", "DETACH", "END", "EXPORT", "IMPORT"],
  ...["INSTALL", "LOAD", "PRAGMA", "ROLLBACK", "START", "USE"],
]);

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const SEMICOLON = 0x3b;

export function statementsOf(bindings: Pick<DuckDBBindings, "tokenize">, sql: string): string[] {
  const bytes = encoder.encode(sql);
  const { offsets } = bindings.tokenize(sql);
  const statements: string[] = [];
  let start: number | undefined;
  const end = (offset: number) => {
    if (start !== undefined) statements.push(decoder.decode(bytes.subarray(start, offset)).trimEnd());
    start = undefined;
  };
  for (const offset of offsets) {
    // a semicolon within a text or a name is no token of its own
    if (bytes[offset] === SEMICOLON) end(offset);
    else start ??= offset;
  }
  end(bytes.length);
  return statements;
}

/** What EXPLAIN is to be asked about: of a statement that explains, the one that it explains. Undefined when it reads no rows. */
export function explainable(statement: string): string | undefined {
  const asked = statement.replace(/^EXPLAIN\s+(ANALYZE\b|ANALYSE\b)?\s*(\([^)]*\))?/i, "").trimStart();
  const [word = ""] = /^\w*/.exec(asked) ?? [];
  return READS_NO_ROWS.has(word.toUpperCase()) ? undefined : asked;
}
