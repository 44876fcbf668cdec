import { Presets, SingleBar } from "cli-progress";
import type { BuildProgress } from "../build/index.ts";

/** Shows progress on stderr when a person watches it. */
export function reportProgress(): ((progress: BuildProgress) => void) | undefined {
  if (!process.stderr.isTTY) return undefined;
  const bar = new SingleBar(
    {
      stream: process.stderr,
      format: "{bar} {value}/{total} {collection}: {stage}",
      clearOnComplete: true,
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  process.once("exit", () => bar.stop());
  let isStarted = false;
  return ({ collection, stage, done, total }) => {
    const payload = { collection, stage };
    if (isStarted) bar.update(done, payload);
    else bar.start(total, done, payload);
    isStarted = true;
  };
}
