import { MultiBar, Presets, type SingleBar } from "cli-progress";
import { beforeSignalEnd } from "./signals.ts";

export interface Bar {
  readonly done: number;
  readonly total: number;
  /** Behind the bar. */
  readonly text: string;
}

export interface Bars {
  /** Whether a terminal shows them. */
  readonly areShown: boolean;
  /** Draws the bar of that name, or the new state of it. */
  readonly draw: (name: string, bar: Bar) => void;
  /** Prints a line on stderr, above the bars. */
  readonly say: (line: string) => void;
}

/**
 * Shows bars on stderr, where that is a terminal, for as long as the work takes. They keep the process alive and change
 * how the terminal behaves, so they end with the work, also when it fails or a signal ends the process.
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
    // prints lines that wait: `stop` forgets them
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
