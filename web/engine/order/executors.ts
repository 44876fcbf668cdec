/**
 * Which executor carries out a search.
 * @module
 */
import { EngineError, QueryError } from "../contract/errors.ts";
import type { Database } from "../contract/ports.ts";
import type { Partition } from "../store/partition.ts";
import { createMemo } from "../tasks/memo.ts";
import type { Executor } from "./executor.ts";
import { scan } from "./scan.ts";
import { createSqlExecutor } from "./sql-executor.ts";

/** Starting takes seconds and megabytes: `auto` does not try for ever, after failures of searches or of the start. */
const MAX_STARTS = 2;

/** The loop is several times as fast for a page of results; for more rows than this records take far longer than their order, whoever makes it. */
const MOST_LOOPED_ROWS = 16 * 1024;

export interface ExecutorOptions {
  readonly database?: (() => Promise<Database>) | undefined;
  readonly executor?: "auto" | "sql" | "scan";
  readonly mostLoopedRows?: number | undefined;
}

export interface Executors {
  /** Runs the work with the executor of the moment; under `auto`, with `scan` where the database fails. */
  run<T>(work: (executor: Executor) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** To be told of each partition that leaves memory. */
  forget(partition: Partition): void;
}

/** Leaves few rows to the loop. */
function bySize(large: Executor, mostLoopedRows: number): Executor {
  return {
    run(candidates, range, signal) {
      const rows = candidates.reduce((sum, { partition }) => sum + partition.rows, 0);
      return (rows > mostLoopedRows ? large : scan).run(candidates, range, signal);
    },
    forget: (partition) => large.forget(partition),
  };
}

/** The executors of a dataset. The database is started when first wanted. */
export function createExecutors({
  database,
  executor = "auto",
  mostLoopedRows = MOST_LOOPED_ROWS,
}: ExecutorOptions): Executors {
  const memo = createMemo<Executor>();
  let starts = 0;
  let isStarting = false;

  function startSql(signal?: AbortSignal): Promise<Executor> {
    if (!database) throw new EngineError("executor sql has no database, expected one");
    return memo.get("sql", async () => createSqlExecutor(await database()), signal);
  }

  function startInBackground(): void {
    if (!database || isStarting || starts >= MAX_STARTS) return;
    starts++;
    isStarting = true;
    startSql()
      // scan goes on answering
      .catch(() => {})
      .finally(() => {
        isStarting = false;
      });
  }

  /** A database that failed may be out of memory, and gives it back only by starting anew: the next search gets another. */
  async function runSql<T>(sql: Executor, work: (executor: Executor) => Promise<T>): Promise<T> {
    try {
      return await work(sql);
    } catch (error) {
      if (error instanceof QueryError && memo.peek("sql") === sql) memo.delete("sql");
      throw error;
    }
  }

  return {
    async run(work, signal) {
      if (executor === "scan") return work(scan);
      if (executor === "sql") return runSql(await startSql(signal), work);
      const sql = memo.peek("sql");
      if (!sql) {
        const result = work(scan);
        startInBackground();
        return result;
      }
      try {
        return await runSql(sql, (large) => work(bySize(large, mostLoopedRows)));
      } catch (error) {
        if (error instanceof QueryError) return work(scan);
        throw error;
      }
    },
    forget: (partition) => memo.peek("sql")?.forget(partition),
  };
}
