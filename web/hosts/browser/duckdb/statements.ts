/** Splits SQL into statements, and finds the rows that each needs from DuckDB's query plan. @module */
import type { DuckDBBindings } from "@duckdb/duckdb-wasm/blocking";
import type { CollectionName } from "../../../../data/format/collections.ts";
import type { WantedRows } from "../../../engine/index.ts";
import { scanCondition } from "./scan-conditions.ts";

/**
 * A setting that disables two optimizers: one removes the scan of an empty table, the other scans without conditions. Apply it
 * before the settings are locked.
 */
export const PLAIN_PLANS = "disabled_optimizers = 'statistics_propagation,late_materialization'";

/** Statements that EXPLAIN does not accept and that read no rows. */
const READS_NO_ROWS: ReadonlySet<string> = new Set([
  ...["ABORT", "ANALYZE", "ATTACH", "BEGIN", "COMMENT", "COMMIT", "DEALLOCATE", "DETACH", "END", "EXPORT", "IMPORT"],
  ...["INSTALL", "LOAD", "PRAGMA", "ROLLBACK", "START", "USE"],
]);

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const SEMICOLON = 0x3b;

/** Splits the text into statements with DuckDB's tokenizer. Each begins at its first word and has no semicolon. */
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
    // a semicolon within a text or a quoted name is not a token
    if (bytes[offset] === SEMICOLON) end(offset);
    else start ??= offset;
  }
  end(bytes.length);
  return statements;
}

/**
 * Returns the statement to pass to EXPLAIN; for an EXPLAIN statement, the one that it explains. Undefined for a statement that
 * reads no rows, such as COMMIT.
 */
export function explainable(statement: string): string | undefined {
  const asked = statement.replace(/^EXPLAIN\s+(ANALYZE\b|ANALYSE\b)?\s*(\([^)]*\))?/i, "").trimStart();
  const [word = ""] = /^\w*/.exec(asked) ?? [];
  return READS_NO_ROWS.has(word.toUpperCase()) ? undefined : asked;
}

interface PlanNode {
  readonly name: string;
  readonly children: readonly PlanNode[];
  readonly extra_info: Readonly<Record<string, unknown>>;
}

/** Returns for each scan of a collection's table a condition that all scanned rows meet. `plan` is the JSON of EXPLAIN. */
export function neededRows(
  plan: string,
  collectionOf: (table: string) => CollectionName | undefined,
): readonly WantedRows[] {
  const wanted: WantedRows[] = [];
  const visit = ({ children, extra_info: info }: PlanNode): void => {
    const collection = typeof info.Table === "string" ? collectionOf(info.Table) : undefined;
    if (collection) wanted.push({ collection, condition: scanCondition(textsOf(info.Filters)) });
    children.forEach(visit);
  };
  (JSON.parse(plan) as readonly PlanNode[]).forEach(visit);
  return wanted;
}

function textsOf(filters: unknown): string[] {
  if (filters === undefined) return [];
  return Array.isArray(filters) ? filters.map(String) : [String(filters)];
}
