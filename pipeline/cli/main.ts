import { isClosedPipe, runProgram } from "./program.ts";
import { endAtOnceOnSignal } from "./signals.ts";

endAtOnceOnSignal();
// a reader that leaves, such as `head`, ends no work: what is still to be said is dropped
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error) => {
    if (!isClosedPipe(error)) throw error;
  });
process.exitCode = await runProgram(process.argv.slice(2));
