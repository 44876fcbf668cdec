/**
 * The executors of a dataset: a loop over the distances, and one that uses its database.
 * @module
 */
import { EngineError, QueryError } from "../contract/errors.ts";
import type { Database } from "../contract/ports.ts";
import type { ExecutorName } from "../contract/query.ts";
import { countBelow } from "../plan/ranks.ts";
import { inTurn } from "../tasks/in-turn.ts";
import { createMemo } from "../tasks/memo.ts";
import type { Executor, MeasuredRow } from "./executor.ts";

/** Orders rows in TypeScript. */
export const scan: Executor = {
  name: "scan",
  async order({ lists, sorted }, { start, end }) {
    const first = sorted[start] ?? Number.POSITIVE_INFINITY;
    const last = sorted[Math.min(end, sorted.length) - 1] ?? Number.NEGATIVE_INFINITY;
    const rows: MeasuredRow[] = [];
    for (const [list, { distances }] of lists.entries()) {
      for (let row = 0; row < distances.length; row++) {
        const distanceMeters = distances[row] as number;
        if (distanceMeters >= first && distanceMeters <= last) rows.push({ list, row, distanceMeters });
      }
    }
    await inTurn(() => rows.sort((a, b) => a.distanceMeters - b.distanceMeters));
    return { rows, start: countBelow(sorted, first), sql: [] };
  },
};

/** Returns the finite distances in ascending order. */
export function sortedDistances(columns: readonly Float64Array[]): Float64Array {
  const matching = columns.map((column) => column.filter((meters) => meters !== Number.POSITIVE_INFINITY));
  const all = new Float64Array(matching.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const column of matching) {
    all.set(column, offset);
    offset += column.length;
  }
  return all.sort();
}

interface ExecutorOptions {
  /** Only for `sql`. */
  readonly database?: (() => Promise<Database>) | undefined;
  readonly executor?: ExecutorName;
}

interface Executors {
  run<T>(work: (executor: Executor) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Creates the executor of a dataset. The database starts on first use. */
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
        // it may be out of memory, which only a restart frees: the next search starts another
        if (error instanceof QueryError && memo.peek("sql") === sql) memo.delete("sql");
        throw error;
      }
    },
  };
}

/** Keeps the code that builds tables out of the first visit. */
async function startSql(database: () => Promise<Database>): Promise<Executor> {
  const { createSqlExecutor } = await import("./sql-executor.ts");
  return createSqlExecutor(await database());
}
