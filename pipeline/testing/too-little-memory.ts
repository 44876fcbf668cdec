import type { Executor } from "../builder/execute/executor.ts";
import type { StageName } from "../builder/plan/index.ts";

/** Too little for any task: DuckDB gets half of it. */
const TOO_LITTLE_BYTES = 2 ** 20;

/** An executor that gives tasks of a stage too little memory this many times. */
export function withTooLittleMemory(executor: Executor, stage: StageName, times: number): Executor {
  let left = times;
  return {
    ...executor,
    carryOut: (plan, work, onTask) => {
      const isFault = left > 0 && work.some(({ name }) => name === stage);
      if (isFault) left--;
      const given = work.map(({ name, tasks }) => ({
        name,
        tasks: tasks.map((each) => ({
          ...each,
          memoryBytes: isFault && name === stage ? TOO_LITTLE_BYTES : each.memoryBytes,
        })),
      }));
      return executor.carryOut(plan, given, onTask);
    },
  };
}
