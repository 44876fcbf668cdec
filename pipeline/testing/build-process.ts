/**
 * A build in a process of its own, to be killed: `<source> <dataset> [stage]`. With a stage it ends itself, as by a
 * signal that cannot be caught, when the first task of that stage is done. Tells its parent of every task.
 * @module
 */
import { buildDataset } from "../build/build.ts";

const [, , source = "", out = "", stage] = process.argv;

process.send?.("started");
await buildDataset({
  sources: [source],
  out,
  keep: true,
  taskRows: 250,
  // a few files, so that tasks publish
  shareBytes: 2 ** 20,
  onProgress: (progress) => {
    process.send?.(progress.stage);
    if (progress.stage === stage) process.kill(process.pid, "SIGKILL");
  },
});
