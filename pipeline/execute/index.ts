export { carryOut, type Executor, localExecutor } from "./executor.ts";
export { processExecutor } from "./process-executor.ts";
export { slurmExecutor } from "./slurm-executor.ts";
export { type SparkOptions, sparkExecutor } from "./spark-executor.ts";
export { runWorkerTask } from "./worker.ts";
