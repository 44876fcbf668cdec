/**
 * The program of a simulated process: the builder, bundled into one script.
 * @module
 */
export { codeOf } from "../../../pipeline/base/errors/index.ts";
export { buildDataset } from "../../../pipeline/builder/dataset/index.ts";
export {
  localExecutor,
  processExecutor,
  runWorkerTask,
  slurmExecutor,
} from "../../../pipeline/builder/execute/index.ts";
