export { carryOut, type Executor, type TaskEvents } from "./executor.ts";
export { localExecutor } from "./local-executor.ts";
export { processExecutor } from "./process-executor.ts";
export { slurmExecutor } from "./slurm-executor.ts";
export { sparkExecutor } from "./spark-executor.ts";
export { runAskedTasks } from "./task-thread.ts";
export { runWorkerTask } from "./worker.ts";
