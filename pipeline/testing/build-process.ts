/**
 * A build in its own process, to be killed: `<source> <dataset> [stage]`. With a stage it kills itself after the first
 * task of that stage. Reports each task to its parent.
 * @module
 */
import { buildDataset } from "../builder/dataset/build.ts";

const [, , source = "", out = "", stage] = process.argv;

process.send?.("started");
await buildDataset({
  sources: [source],
  out,
  keep: true,
  taskRows: 250,
  // Small, so that tasks publish.
  shareBytes: 2 ** 20,
  onProgress: (progress) => {
    process.send?.(progress.stage);
    if (progress.stage === stage) process.kill(process.pid, "SIGKILL");
  },
});
