import { MultiBar, Presets, type SingleBar } from "cli-progress";
import { beforeSignalEnd } from "./signals.ts";

interface Bar {
  readonly done: number;
  readonly total: number;
  /** Text after the bar. */
  readonly text: string;
}

interface Bars {
  /** True if the output is a terminal. */
  readonly areShown: boolean;
  /** Draws or updates the bar of this name. */
  readonly draw: (name: string, bar: Bar) => void;
  /** Prints a line on stderr, above the bars. */
  readonly say: (line: string) => void;
}

/**
 * Shows progress bars on stderr while the work runs, if stderr is a terminal. Bars keep the process alive and change
 * the terminal, so they are removed when the work ends, fails, or a signal ends the process.
 */
export async function withBars<T>(work: (bars: Bars) => Promise<T>): Promise<T> {
  if (!process.stderr.isTTY)
    return work({ areShown: false, draw: () => undefined, say: (line) => console.error(line) });
  const multi = new MultiBar(
    { stream: process.stderr, format: "{bar} {text}", hideCursor: true, clearOnComplete: true },
    Presets.shades_classic,
  );
  const stop = (): void => {
    if (!multi.isActive) return;
    // Print queued lines: `stop` drops them.
    multi.update();
    multi.stop();
  };
  const bars = new Map<string, SingleBar>();
  const forget = beforeSignalEnd(stop);
  process.once("exit", stop);
  try {
    return await work({
      areShown: true,
      draw: (name, { done, total, text }) => {
        const bar = bars.get(name);
        bar?.setTotal(total);
        bar?.update(done, { text });
        if (!bar) bars.set(name, multi.create(total, done, { text }));
      },
      say: (line) => {
        if (multi.isActive) multi.log(`${line}\n`);
        else console.error(line);
      },
    });
  } finally {
    stop();
    process.off("exit", stop);
    forget();
  }
}
