import { MultiBar, Presets, type SingleBar } from "cli-progress";
import type { FetchProgress } from "../get/index.ts";
import { formatBytes } from "./figures.ts";

export interface FetchReport {
  readonly tell: (progress: FetchProgress) => void;
  /** Prints a line above the bars. */
  readonly say: (line: string) => void;
  readonly stop: () => void;
}

/** Shows a bar for each type on stderr when a person watches it: bytes, rate, time left. */
export function reportFetching(now: () => number = Date.now): FetchReport {
  if (!process.stderr.isTTY)
    return { tell: () => undefined, say: (line) => console.error(line), stop: () => undefined };
  const multi = new MultiBar(
    {
      stream: process.stderr,
      format: "{bar} {type} {size}, {rate}/s, {left} left",
      hideCursor: true,
      clearOnComplete: true,
      forceRedraw: true,
    },
    Presets.shades_classic,
  );
  process.once("exit", () => multi.stop());
  const bars = new Map<string, { bar: SingleBar; start: number; startBytes: number }>();
  return {
    tell: ({ type, bytes, total }) => {
      if (total === 0) return;
      const known = bars.get(type);
      if (!known) {
        bars.set(type, {
          bar: multi.create(total, bytes, payloadOf(type, { bytes, total, rate: 0 })),
          start: now(),
          startBytes: bytes,
        });
        return;
      }
      const rate = ((bytes - known.startBytes) * 1000) / Math.max(1, now() - known.start);
      known.bar.update(bytes, payloadOf(type, { bytes, total, rate }));
    },
    say: (line) => multi.log(`${line}\n`),
    stop: () => multi.stop(),
  };
}

function payloadOf(type: string, { bytes, total, rate }: { bytes: number; total: number; rate: number }) {
  return {
    type: type.padEnd(17),
    size: `${formatBytes(bytes)} of ${formatBytes(total)}`,
    rate: formatBytes(rate),
    left: timeLeft((total - bytes) / rate),
  };
}

function timeLeft(seconds: number): string {
  if (!Number.isFinite(seconds)) return "unknown time";
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
