/**
 * A DuckDB for SQL that a reader types: locked, and apart from the engine's. A long result is counted, not kept.
 * @module
 */
import type { DuckDBBindings } from "@duckdb/duckdb-wasm/blocking";
import { type Table, Type, tableFromIPC } from "apache-arrow";
import type { Geometry } from "../../../../data/format/geometry.ts";
import { quoteIdentifier, quoteLiteral } from "../../../../data/format/sql.ts";
import { QueryError } from "../../../engine/index.ts";
import {
  type ConsoleResult,
  type ConsoleTable,
  MOST_COUNTED_ROWS,
  MOST_DRAWN_ROWS,
  MOST_SHOWN_ROWS,
} from "../protocol/index.ts";
import { LOCKED_SETTINGS } from "./duckdb-bindings.ts";
import { rowTexts } from "./result-cells.ts";
import { findDrawn } from "./result-geometry.ts";

/** Half of what a phone's browser gives a page; more ends in DuckDB's own error rather than in the tab's. */
const MEMORY_LIMIT = "memory_limit = '768MB'";
const INCOMING = "incoming rows";

export interface Console {
  /** Makes the rows of an Arrow stream the table of this name, in place of what it was; each id once. */
  fill(name: string, stream: Uint8Array): void;
  tables(): readonly ConsoleTable[];
  /** Gives the work a table of the rows of an Arrow stream, which is gone after it. Errors are DuckDB's. */
  over<T>(stream: Uint8Array, work: (query: (sql: string) => Table, table: string) => T): T;
  /** Runs one statement or several. Throws `QueryError` with DuckDB's own words. */
  run(sql: string): ConsoleResult;
}

/** Opens a database in memory with the bindings, which have been instantiated. It works on the caller's thread. */
export function openConsole(bindings: DuckDBBindings): Console {
  bindings.open({ path: ":memory:", maximumThreads: 1 });
  const connect = () => bindings.connect().useUnsafe((_, id) => id);
  const connection = connect();
  // the reader's own transaction, left open or broken, is not this one's
  const own = connect();
  const query = (sql: string): Table => tableFromIPC(bindings.runQuery(own, sql));
  for (const setting of [MEMORY_LIMIT, ...LOCKED_SETTINGS]) query(`SET ${setting}`);

  function drop(name: string): void {
    const found = query(`SELECT table_type FROM information_schema.tables WHERE table_name = ${quoteLiteral(name)}`);
    for (const row of found) query(`DROP ${row.table_type === "VIEW" ? "VIEW" : "TABLE"} ${quoteIdentifier(name)}`);
  }

  /** Chunks of the result, as they come. */
  function* chunks(sql: string): Generator<Table> {
    let header = bindings.startPendingQuery(connection, sql, true);
    while (header === null) header = bindings.pollPendingQuery(connection);
    // the bindings take their buffers back
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
    fill(name, stream) {
      drop(INCOMING);
      bindings.insertArrowFromIPCStream(own, stream, { name: INCOMING, create: true });
      drop(name);
      query(`CREATE TABLE ${quoteIdentifier(name)} AS SELECT DISTINCT ON (id) * FROM ${quoteIdentifier(INCOMING)}`);
      drop(INCOMING);
    },

    over(stream, work) {
      drop(INCOMING);
      bindings.insertArrowFromIPCStream(own, stream, { name: INCOMING, create: true });
      try {
        return work(query, INCOMING);
      } finally {
        drop(INCOMING);
      }
    },

    tables() {
      const columns = query(
        `SELECT table_name, column_name, data_type FROM duckdb_columns()
         WHERE NOT internal AND database_name = 'memory' AND schema_name = 'main' ORDER BY table_name, column_index`,
      ).toArray();
      const names = [...new Set(columns.map((row) => String(row.table_name)))];
      return names.map((name) => ({
        name,
        rows: Number(
          query(`SELECT count(*) AS rows FROM ${quoteIdentifier(name)}`)
            .getChild("rows")
            ?.get(0),
        ),
        columns: columns
          .filter((row) => row.table_name === name)
          .map((row) => ({ name: String(row.column_name), type: String(row.data_type) })),
      }));
    },

    run(sql) {
      const start = performance.now();
      try {
        const rows: (string | null)[][] = [];
        const body: Geometry[] = [];
        let columns: readonly string[] = [];
        let drawn: ReturnType<typeof findDrawn>;
        let [totalRows, hasMore] = [0, false];
        for (const chunk of chunks(sql)) {
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
      } catch (cause) {
        throw new QueryError(cause instanceof Error ? cause.message : String(cause), { sql, cause });
      }
    },
  };
}

/** The bindings leave the names of an ENUM out when a result comes in pieces: to show nothing would be untrue. */
function refuseEnums({ schema }: Table): void {
  const column = schema.fields.find(({ type }) => type.typeId === Type.Dictionary);
  if (column) throw new Error(`column ${column.name} is an ENUM, which cannot be shown: add ::VARCHAR to it`);
}
