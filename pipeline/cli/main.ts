import { isMainThread } from "node:worker_threads";
import { isClosedPipe, runProgram } from "./program.ts";
import { endAtOnceOnSignal } from "./signals.ts";

if (isMainThread) {
  endAtOnceOnSignal();
  // A reader that closes the pipe, such as `head`, does not end the work. Further output is dropped.
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error) => {
      if (!isClosedPipe(error)) throw error;
    });
  process.exitCode = await runProgram(process.argv.slice(2));
} else {
  // A build started this thread for its tasks.
  const { runAskedTasks } = await import("../builder/execute/index.ts");
  runAskedTasks();
}
