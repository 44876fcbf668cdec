/**
 * Reports an HTTP load test.
 * @module
 */
import { markdownTable } from "../peers/statistics.ts";
import type { Asked } from "./http-clients.ts";

/** Maximum difference of the last quarter's mean from the second's. */
const MOST_CHANGE = 0.03;

export interface HostSample {
  readonly host: string;
  /** Since the start of the load. */
  readonly minute: number;
  /** Duration of the sample. */
  readonly seconds: number;
  readonly asked: readonly Asked[];
  readonly cpuSeconds: number;
  /** Mean of the process's memory in the sample. */
  readonly residentMiB: number;
  /** Parts at the end of the sample, by name. */
  readonly parts: Readonly<Record<string, number>>;
}

/** Compares the mean memory of the last quarter with the second quarter's. */
export function judgeQuarters(samples: readonly HostSample[]): { readonly isFlat: boolean; readonly text: string } {
  const quarter = Math.floor(samples.length / 4);
  if (quarter === 0) throw new Error(`quarters need four samples, got ${samples.length}`);
  const mean = (some: readonly HostSample[]) => some.reduce((sum, each) => sum + each.residentMiB, 0) / some.length;
  const [second, last] = [mean(samples.slice(quarter, 2 * quarter)), mean(samples.slice(-quarter))];
  const change = last / second - 1;
  const isFlat = Math.abs(change) <= MOST_CHANGE;
  const text = `Resident memory: ${second.toFixed(0)} MiB in the second quarter, ${last.toFixed(0)} MiB in the last, ${change < 0 ? "" : "+"}${(change * 100).toFixed(1)} %: ${isFlat ? "flat" : "not flat"}.`;
  return { isFlat, text };
}

/** One line per sample. Times are of answers that were read at once. */
export function tableOf(samples: readonly HostSample[]): string {
  const head =
    "host, minute, answers/s, 503, cut off, MB/s, median ms, 99 % ms, processor, resident MiB, JS heap MiB, buffers MiB";
  return markdownTable(
    head.split(", "),
    samples.map(({ host, minute, seconds, asked, cpuSeconds, residentMiB, parts }) => {
      const answered = asked.filter(({ status }) => status === 200);
      const waits = answered.flatMap(({ manner, milliseconds }) => (manner === "reads" ? milliseconds : []));
      const sorted = waits.sort((a, b) => a - b);
      const at = (part: number) => sorted[Math.floor(sorted.length * part)]?.toFixed(0) ?? "-";
      const cutOff = asked.filter(({ isCutOff }) => isCutOff).length;
      return [
        host,
        minute.toFixed(minute < 10 ? 1 : 0),
        (answered.length / seconds).toFixed(1),
        String(asked.filter(({ status }) => status === 503).length),
        String(cutOff),
        (asked.reduce((sum, { bytes }) => sum + bytes, 0) / seconds / 1e6).toFixed(1),
        at(0.5),
        at(0.99),
        `${((cpuSeconds / seconds) * 100).toFixed(0)} %`,
        residentMiB.toFixed(0),
        parts.heapMiB?.toFixed(0) ?? "-",
        parts.buffersMiB?.toFixed(0) ?? "-",
      ];
    }),
  );
}
