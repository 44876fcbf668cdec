/** Statements told apart, and the rows of the dataset that each can ask for, from DuckDB's own plan. @module */
import type { DuckDBBindings } from "@duckdb/duckdb-wasm/blocking";
import type { CollectionName } from "../../../../data/format/collections.ts";
import type { WantedRows } from "../../../engine/index.ts";
import { scanCondition } from "./scan-conditions.ts";

/** Off, since statistics of an empty table fold its scan to nothing, and late fetching scans without conditions. Set before the lock. */
export const PLAIN_PLANS = "disabled_optimizers = 'statistics_propagation,late_materialization'";

/** Statements that EXPLAIN does not take and that read no rows. */
const READS_NO_ROWS: ReadonlySet<string> = new Set([
  ...["ABORT", "ANALYZE", "ATTACH", "BEGIN", "COMMENT", "COMMIT", "DEALLOCATE", "DETACH", "END", "EXPORT", "IMPORT"],
  ...["INSTALL", "LOAD", "PRAGMA", "ROLLBACK", "START", "USE"],
]);

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const SEMICOLON = 0x3b;

/** The statements of the text, each from its first word on, told apart as DuckDB does. */
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

interface PlanNode {
  readonly name: string;
  readonly children: readonly PlanNode[];
  readonly extra_info: Readonly<Record<string, unknown>>;
}

/** Of each scan of a table of rows, what holds of every row of it; `plan` is EXPLAIN's JSON. */
export function neededRows(
  plan: string,
  collectionOf: (table: string) => CollectionName | undefined,
): readonly WantedRows[] {
  const wanted: WantedRows[] = [];
  const visit = ({ children, extra_info: told }: PlanNode): void => {
    const collection = typeof told.Table === "string" ? collectionOf(told.Table) : undefined;
    if (collection) wanted.push({ collection, condition: scanCondition(textsOf(told.Filters)) });
    children.forEach(visit);
  };
  (JSON.parse(plan) as readonly PlanNode[]).forEach(visit);
  return wanted;
}

function textsOf(filters: unknown): string[] {
  if (filters === undefined) return [];
  return Array.isArray(filters) ? filters.map(String) : [String(filters)];
}
