/** The database interface over the blocking bindings of DuckDB-WASM, for browsers and, in tests, for Node. @module */
import type { DuckDBBindings } from "@duckdb/duckdb-wasm/blocking";
import { type Table, tableFromIPC, tableToIPC } from "apache-arrow";
import { quoteIdentifier } from "../../../../../data/format/sql.ts";
import { type Database, QueryError, type SqlValue } from "../../../../engine/index.ts";
import { LOCKED_SETTINGS } from "../console-database.ts";

/**
 * It stores only ids and row numbers, a seventh of the partitions in memory. Above the limit a statement fails
 * instead of the tab.
 */
const MEMORY_MEGABYTES = 512;

/** Opens a database with a memory limit. */
export function openDuckdb(bindings: DuckDBBindings, memoryMegabytes = MEMORY_MEGABYTES): Database {
  bindings.open({ path: ":memory:", maximumThreads: 1 });
  const connection = bindings.connect().useUnsafe((_, id) => id);

  function attempt<T>(sql: string, work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw new QueryError(cause instanceof Error ? cause.message : String(cause), { sql, cause });
    }
  }

  function run(sql: string, values: readonly SqlValue[] = []): Uint8Array {
    return attempt(sql, () => {
      if (values.length === 0) return bindings.runQuery(connection, sql);
      const statement = bindings.createPrepared(connection, sql);
      try {
        return bindings.runPrepared(connection, statement, [...values]);
      } finally {
        bindings.closePrepared(connection, statement);
      }
    });
  }

  run(`SET memory_limit = '${memoryMegabytes}MB'`);
  for (const setting of LOCKED_SETTINGS) run(`SET ${setting}`);
  return {
    async insert(name, table: Table) {
      attempt(`INSERT INTO ${name}`, () =>
        bindings.insertArrowFromIPCStream(connection, tableToIPC(table, "stream"), { name, create: true }),
      );
    },
    async drop(name) {
      run(`DROP TABLE ${quoteIdentifier(name)}`);
    },
    async query(sql, values) {
      const stream = run(sql, values);
      return attempt(sql, () => tableFromIPC(stream));
    },
  };
}
