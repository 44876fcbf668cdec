import { isMainThread } from "node:worker_threads";

// Each thread loads only what it needs.
if (isMainThread) {
  const { endAtOnceOnSignal } = await import("./signals.ts");
  endAtOnceOnSignal();
  const { isClosedPipe, runProgram } = await import("./program.ts");
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
