/** Tables of the user's own files in the SQL console. @module */
import type { DuckDBBindings } from "@duckdb/duckdb-wasm/blocking";
import { tableFromIPC } from "apache-arrow";
import { quoteIdentifier } from "../../../../data/format/sql.ts";
import type { FileTable } from "../protocol/index.ts";

/** Returns functions that load the tables of files over a DuckDB connection. */
export function fileTables(bindings: DuckDBBindings, connection: number) {
  const query = (sql: string) => tableFromIPC(bindings.runQuery(connection, sql));
  const filled = new Map<string, string>();
  const present = (): ReadonlySet<string> => {
    const names = query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'").toArray();
    return new Set(names.map((row) => String(row.table_name)));
  };
  return {
    /** Drops the tables of other files and returns the tables to load. A table made by the user is not touched. */
    missingFiles(tables: readonly FileTable[]): readonly FileTable[] {
      for (const [name, id] of filled) {
        if (tables.some((table) => table.name === name && table.id === id)) continue;
        query(`DROP TABLE IF EXISTS ${quoteIdentifier(name)}`);
        filled.delete(name);
      }
      const here = present();
      return tables.filter(({ name }) => !here.has(name));
    },
    fillFile({ name, id }: FileTable, stream: Uint8Array): void {
      bindings.insertArrowFromIPCStream(connection, stream, { name, create: true });
      filled.set(name, id);
    },
  };
}
