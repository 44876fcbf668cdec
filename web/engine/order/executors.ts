import { EngineError, QueryError } from "../contract/errors.ts";
import type { Database } from "../contract/ports.ts";
import type { ExecutorName } from "../contract/query.ts";
import { createMemo } from "../tasks/memo.ts";
import type { Executor } from "./executor.ts";
import { scan } from "./scan.ts";

export interface ExecutorOptions {
  /** What `sql` needs. */
  readonly database?: (() => Promise<Database>) | undefined;
  readonly executor?: ExecutorName;
}

export interface Executors {
  run<T>(work: (executor: Executor) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** The executor of a dataset. The database is started when first wanted. */
export function createExecutors({ database, executor = "scan" }: ExecutorOptions): Executors {
  const memo = createMemo<Executor>();
  return {
    async run(work, signal) {
      if (executor === "scan") return work(scan);
      if (!database) throw new EngineError("executor sql has no database, expected one");
      const sql = await memo.get("sql", () => startSql(database), signal);
      try {
        return await work(sql);
      } catch (error) {
        // it may be out of memory, and gives that back only by starting anew: the next search gets another
        if (error instanceof QueryError && memo.peek("sql") === sql) memo.delete("sql");
        throw error;
      }
    },
  };
}

/** What makes tables for it is no part of a first visit. */
async function startSql(database: () => Promise<Database>): Promise<Executor> {
  const { createSqlExecutor } = await import("./sql-executor.ts");
  return createSqlExecutor(await database());
}
