import { MultiBar, Presets, type SingleBar } from "cli-progress";
import { beforeSignalEnd } from "./signals.ts";

interface Bar {
  readonly done: number;
  readonly total: number;
  /** Text to the right of the bar. */
  readonly text: string;
}

interface Bars {
  /** True if stderr is a terminal. */
  readonly areShown: boolean;
  /** Draws the bar with this name, or updates it. Does nothing if stderr is not a terminal. */
  readonly draw: (name: string, bar: Bar) => void;
  /** Prints a line on stderr; the line stays above the bars. */
  readonly say: (line: string) => void;
}

/**
 * Runs `work` and returns its result. `work` gets functions that draw progress bars on stderr, if stderr is a terminal.
 * The bars are removed when `work` ends or fails, and when a signal ends the process.
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
