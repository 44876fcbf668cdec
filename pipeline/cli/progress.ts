import { MultiBar, Presets, SingleBar } from "cli-progress";
import type { BuildProgress } from "../build/index.ts";

/** Bytes of one kind that have come or gone. */
interface BytesProgress {
  readonly type: string;
  readonly bytes: number;
  readonly total: number;
}

export interface FetchReport {
  readonly tell: (progress: BytesProgress) => void;
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

const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** With at most three figures, in powers of a thousand. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  for (; value >= 999.5 && unit < UNITS.length - 1; unit++) value /= 1000;
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

/** `1 file`, `2,000 files`. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

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
