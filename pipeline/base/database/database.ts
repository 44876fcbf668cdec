import { availableParallelism } from "node:os";
import { join } from "node:path";
import {
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBScalarFunction,
  type DuckDBType,
  type DuckDBValue,
} from "@duckdb/node-api";
import { quoteLiteral } from "../../../data/format/sql.ts";
import { allEnded } from "../disk/index.ts";

/** A DuckDB database in a temporary folder. */
export interface Database {
  readonly run: (sql: string) => Promise<void>;
  /**
   * Returns all rows of a small result as objects by column. 64-bit integers become numbers. `Row` is not checked
   * against the SQL.
   */
  readonly rows: <Row>(sql: string) => Promise<Row[]>;
  /**
   * Yields a large result in order, in chunks of up to some thousand rows: for each column the values of its rows. Run
   * no other query meanwhile.
   */
  readonly stream: (sql: string) => AsyncGenerator<readonly (readonly DuckDBValue[])[]>;
  /** Returns names and types of the columns of a query without running it. */
  readonly columns: (sql: string) => Promise<DescribedColumn[]>;
  /** Makes a function of `sqlFunction` known to SQL. */
  readonly register: (fn: DuckDBScalarFunction) => void;
  /**
   * Runs `task` for each item, for several items at the same time, each on its own connection. Queries in it use one
   * thread. Throws an error of a task when all have ended.
   */
  readonly each: <Item>(
    items: readonly Item[],
    task: (connection: Database, item: Item, index: number) => Promise<void>,
  ) => Promise<void>;
  readonly connection: DuckDBConnection;
  readonly close: () => void;
}

export interface DescribedColumn {
  readonly name: string;
  readonly type: DuckDBType;
}

interface DatabaseOptions {
  readonly folder: string;
  readonly memoryBytes?: number | undefined;
  readonly threads?: number | undefined;
}

/** Node runs this many queries in parallel by default (UV_THREADPOOL_SIZE). */
const MOST_CONNECTIONS = 4;

/**
 * Opens an in-memory DuckDB database that writes to the folder `spill` in `folder` if memory is short. `memoryBytes`
 * limits DuckDB's memory. The caller must close the database.
 */
export async function openDatabase({
  folder,
  memoryBytes,
  threads = availableParallelism(),
}: DatabaseOptions): Promise<Database> {
  const instance = await DuckDBInstance.create(":memory:", { threads: String(threads) });
  const first = await instance.connect();
  const pool = [first];
  while (pool.length < Math.min(MOST_CONNECTIONS, threads + 1)) pool.push(await instance.connect());
  const database = wrap(pool, threads, () => {
    for (const connection of pool) connection.closeSync();
    instance.closeSync();
  });
  await database.run(`SET temp_directory = ${quoteLiteral(join(folder, "spill"))}`);
  // Geometry stays as bytes, so that a damaged geometry is one reject and not a failed read.
  await database.run("SET enable_geoparquet_conversion = false");
  await database.run("SET autoinstall_known_extensions = false");
  // DuckDB's file cache is outside its memory limit and grows to gigabytes with 100,000 files. The system caches
  // files.
  await database.run("SET enable_external_file_cache = false");
  if (memoryBytes !== undefined) await database.run(`SET memory_limit = '${Math.floor(memoryBytes / 1024)}KiB'`);
  return database;
}

function wrap(pool: readonly DuckDBConnection[], threads: number, close: () => void): Database {
  const connection = pool[0] as DuckDBConnection;
  return {
    connection,
    close,
    run: async (sql) => {
      await connection.run(sql);
    },
    rows: async <Row>(sql: string) => {
      const reader = await connection.runAndReadAll(sql);
      return reader.getRowObjectsJS().map((row) => withNumbers(row) as Row);
    },
    stream: async function* (sql) {
      const result = await connection.stream(sql);
      for (;;) {
        const chunk = await result.fetchChunk();
        if (!chunk || chunk.rowCount === 0) return;
        yield chunk.getColumns();
      }
    },
    columns: async (sql) => {
      const statement = await connection.prepare(sql);
      const columns = Array.from({ length: statement.columnCount }, (_, i) => ({
        name: statement.columnName(i),
        type: statement.columnType(i),
      }));
      statement.destroySync();
      return columns;
    },
    register: (fn) => connection.registerScalarFunction(fn),
    each: async (items, task) => {
      let next = 0;
      const work = async (mine: DuckDBConnection): Promise<void> => {
        const own = wrap([mine], 1, () => undefined);
        while (next < items.length) {
          const index = next++;
          await task(own, items[index] as (typeof items)[number], index);
        }
      };
      await connection.run("SET threads = 1");
      try {
        await allEnded(pool.map(work));
      } finally {
        await connection.run(`SET threads = ${threads}`);
      }
    },
  };
}

function withNumbers(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]),
  );
}

/** Returns the number of rows of a FROM clause, given without the word FROM. */
export async function countRows(database: Database, from: string): Promise<number> {
  const [counted] = await database.rows<{ rows: number }>(`SELECT count(*) AS rows FROM ${from}`);
  return counted?.rows ?? 0;
}

export { quoteIdentifier, quoteLiteral } from "../../../data/format/sql.ts";

/** Returns a path as a SQL literal that names exactly one file, even if the name looks like a pattern. */
export function quotePath(path: string): string {
  return quoteLiteral(path.replaceAll(/[*?[]/g, "[$&]"));
}

/**
 * Appends a row: texts as VARCHAR, numbers as BIGINT, bigints as UBIGINT, bytes as BLOB. Numbers must be whole, and
 * bigints must not be negative.
 */
export function appendRow(
  appender: DuckDBAppender,
  ...values: readonly (string | number | bigint | Uint8Array | null)[]
): void {
  for (const value of values) {
    if (value === null) appender.appendNull();
    else if (typeof value === "string") appender.appendVarchar(value);
    else if (typeof value === "number") appender.appendBigInt(BigInt(value));
    else if (typeof value === "bigint") appender.appendUBigInt(value);
    else appender.appendBlob(value);
  }
  appender.endRow();
}
