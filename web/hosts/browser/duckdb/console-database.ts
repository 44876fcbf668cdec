/**
 * A DuckDB for SQL that a user types, without network and files. Of a long result only the first rows are kept; the others are
 * counted. @module
 */
import type { DuckDBBindings } from "@duckdb/duckdb-wasm/blocking";
import { type Table, Type, tableFromIPC } from "apache-arrow";
import type { Geometry } from "../../../../data/format/geometry.ts";
import { quoteIdentifier } from "../../../../data/format/sql.ts";
import { QueryError, type WantedRows } from "../../../engine/index.ts";
import {
  type ConsoleResult,
  type ConsoleTable,
  type DuckdbAnswer,
  type DuckdbExport,
  type DuckdbStatements,
  MOST_COUNTED_ROWS,
  MOST_DRAWN_ROWS,
  MOST_KEPT_ROWS,
  MOST_OF_CONSOLE,
  MOST_SHOWN_ROWS,
} from "../protocol/index.ts";
import { collectionTables } from "./collection-tables.ts";
import { fileTables } from "./file-tables.ts";
import { findDrawn, resultCsv, rowTexts } from "./result-rows.ts";
import { recordsOf, writeRecords } from "./search-records.ts";
import { explainable, neededRows, PLAIN_PLANS, statementsOf } from "./statements.ts";

/** Settings that forbid network, extensions and files: rows come from the engine. The lock must be the last one. */
const LOCKED_SETTINGS = [
  "autoinstall_known_extensions = false",
  "autoload_known_extensions = false",
  "enable_external_access = false",
  "lock_configuration = true",
];
const INCOMING = "incoming rows";

export type Console = ReturnType<typeof openConsole>;

/** Opens the database with this limit of memory in mebibytes. A statement that needs more fails with DuckDB's own error. */
export function openConsole(bindings: DuckDBBindings, mebibytes = MOST_OF_CONSOLE) {
  bindings.open({ path: ":memory:", maximumThreads: 1 });
  const connect = () => bindings.connect().useUnsafe((_, id) => id);
  const connection = connect();
  // separate from a transaction that the user left open or broken
  const own = connect();
  const query = (sql: string): Table => tableFromIPC(bindings.runQuery(own, sql));
  for (const setting of [`memory_limit = '${mebibytes}MiB'`, PLAIN_PLANS, ...LOCKED_SETTINGS]) query(`SET ${setting}`);
  const { collectionOf, ...tables } = collectionTables(bindings, connection);
  let kept: Table[] = [];

  function attempt<T>(sql: string, work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw queryError(cause, sql);
    }
  }

  function planOf(statement: string, asked: string): string {
    try {
      const plan = tableFromIPC(bindings.runQuery(connection, `EXPLAIN (FORMAT json) ${asked}`));
      return String(plan.getChild("explain_value")?.get(0));
    } catch (cause) {
      // reports the error for the original statement
      bindings.closePrepared(connection, bindings.createPrepared(connection, statement));
      throw cause;
    }
  }

  function* chunks(sql: string): Generator<Table> {
    let header = bindings.startPendingQuery(connection, sql, true);
    while (header === null) header = bindings.pollPendingQuery(connection);
    // the bindings reuse their buffers
    const schema = header.slice();
    yield tableFromIPC(schema);
    for (;;) {
      const batch = bindings.fetchQueryResults(connection);
      const chunk = batch && batch.byteLength > 0 ? tableFromIPC([schema, batch.slice()]) : undefined;
      if (!chunk || chunk.numRows === 0) return;
      yield chunk;
    }
  }

  return {
    ...tables,
    ...fileTables(bindings, own),

    over<T>(stream: Uint8Array, work: (query: (sql: string) => Table, table: string) => T): T {
      const drop = () => query(`DROP TABLE IF EXISTS ${quoteIdentifier(INCOMING)}`);
      drop();
      bindings.insertArrowFromIPCStream(own, stream, { name: INCOMING, create: true });
      try {
        return work(query, INCOMING);
      } finally {
        drop();
      }
    },

    tables(): readonly ConsoleTable[] {
      const columns = query(
        `SELECT table_name, column_name, data_type, table_oid IN (SELECT table_oid FROM duckdb_tables()) AS has_rows
         FROM duckdb_columns() WHERE NOT internal AND database_name = 'memory' AND schema_name = 'main'
         ORDER BY table_name, column_index`,
      ).toArray();
      const names = [...new Set(columns.map((row) => String(row.table_name)))];
      return names.map((name) => {
        const ownColumns = columns.filter((row) => row.table_name === name);
        const count = () =>
          query(`SELECT count(*)::INTEGER AS rows FROM ${quoteIdentifier(name)}`)
            .getChild("rows")
            ?.get(0);
        return {
          name,
          ...(ownColumns.some((row) => row.has_rows) ? { rows: Number(count()) } : {}),
          columns: ownColumns.map((row) => ({ name: String(row.column_name), type: String(row.data_type) })),
        };
      });
    },

    statements: (sql: string): readonly string[] => attempt(sql, () => statementsOf(bindings, sql)),

    /**
     * Returns the rows that the statement can need. Call it after the statements before it have run. Throws
     * `QueryError` like `run`.
     */
    needs(statement: string): readonly WantedRows[] {
      const asked = explainable(statement);
      if (asked === undefined) return [];
      return attempt(statement, () => neededRows(planOf(statement, asked), collectionOf));
    },

    /** Makes `found` a view of this SELECT, or removes it. A table of that name made by the user is not touched. */
    nameFound(select: string | undefined): void {
      const [kind] = query("SELECT table_type FROM information_schema.tables WHERE table_name = 'found'").toArray();
      if (kind && kind.table_type !== "VIEW") return;
      if (select !== undefined) query(`CREATE OR REPLACE VIEW found AS ${select}`);
      else if (kind) query("DROP VIEW found");
    },

    /** Runs one statement. Throws `QueryError` with the message of DuckDB. */
    run(sql: string): ConsoleResult {
      const start = performance.now();
      return attempt(sql, () => {
        const rows: (string | null)[][] = [];
        const body: Geometry[] = [];
        let columns: readonly string[] = [];
        let drawn: ReturnType<typeof findDrawn>;
        let [totalRows, hasMore] = [0, false];
        kept = [];
        for (const chunk of chunks(sql)) {
          if (totalRows < MOST_KEPT_ROWS) kept.push(chunk);
          columns = chunk.schema.fields.map(({ name }) => name);
          refuseEnums(chunk);
          if (totalRows === 0) drawn = findDrawn(chunk);
          for (let row = 0; row < chunk.numRows && totalRows + row < MOST_DRAWN_ROWS; row++) {
            if (totalRows + row < MOST_SHOWN_ROWS) rows.push(rowTexts(chunk, row));
            const geometry = drawn?.read(chunk, row);
            if (geometry) body.push(geometry);
          }
          totalRows += chunk.numRows;
          hasMore = totalRows >= MOST_COUNTED_ROWS;
          if (hasMore) {
            bindings.cancelPendingQuery(connection);
            break;
          }
        }
        const milliseconds = performance.now() - start;
        const column = body.length > 0 && drawn ? { drawnColumn: drawn.name } : {};
        return { columns, rows, totalRows, hasMore, ...column, body, milliseconds };
      });
    },

    /** Runs a search. The last result of the user stays. Throws `QueryError` with the message of DuckDB. */
    search({ count, rows, only, dataset }: DuckdbStatements): DuckdbAnswer {
      const start = performance.now();
      const read = (sql: string): Table => attempt(sql, () => tableFromIPC(bindings.runQuery(connection, sql).slice()));
      const total = Number(read(count).getChildAt(0)?.get(0));
      const body = [...recordsOf(read(rows), { only, dataset })];
      return { total, body, milliseconds: performance.now() - start };
    },

    /** All rows of a search as a file. */
    export: ({ sql, ...wanted }: DuckdbExport) => attempt(sql, () => writeRecords(chunks(sql), wanted)),

    /** The first rows of the last result as CSV, at most `MOST_KEPT_ROWS`. */
    csv: (): Uint8Array => resultCsv(kept, MOST_KEPT_ROWS),
  };
}

/** The bindings lose the names of an ENUM in streamed results. An error is better than a wrong result. */
function refuseEnums({ schema }: Table): void {
  const column = schema.fields.find(({ type }) => type.typeId === Type.Dictionary);
  if (column) throw new Error(`column ${column.name} is an ENUM, which cannot be shown: add ::VARCHAR to it`);
}

/** Returns the error with DuckDB's message. Some calls report parser errors as JSON, and others repeat a line. */
function queryError(cause: unknown, sql: string): QueryError {
  return new QueryError(withoutRepeat(wordsOf(cause instanceof Error ? cause.message : String(cause))), { sql, cause });
}

function wordsOf(message: string): string {
  if (!message.startsWith("{")) return message;
  try {
    const { exception_type: kind, exception_message: words } = JSON.parse(message) as Readonly<Record<string, unknown>>;
    return typeof kind === "string" && typeof words === "string" ? `${kind} Error: ${words}` : message;
  } catch {
    return message;
  }
}

function withoutRepeat(message: string): string {
  const parts = message.split("\n\n");
  return parts.filter((part, index) => index === 0 || part.trimEnd() !== parts[index - 1]?.trimEnd()).join("\n\n");
}
