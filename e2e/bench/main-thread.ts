/**
 * Measures the page's main thread: long-task entries of the browser (elapsed time), and the longest task in processor
 * time of the thread. They differ by waiting: without a graphics card, drawing uses the same cores, and a task waits
 * for shader compilation or a free core.
 * @module
 */
import type { Browser, Page } from "@playwright/test";

/** Users notice a task with more processor time than this. */
export const MOST_WORK_MS = 50;
/** Entries arrive a moment after their tasks. */
const ENTRIES_MS = 500;

declare global {
  /** Durations of long tasks, milliseconds. */
  var longTasks: number[];
}

export interface MainThread {
  /** The longest task, milliseconds of processor time. */
  readonly workMs: number;
  /** Elapsed milliseconds of tasks from 50 ms. */
  readonly longTasks: readonly number[];
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time of the thread, microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Call before the page is opened. */
export async function observeLongTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longTasks.push(Math.round(duration));
    }).observe({ type: "longtask", buffered: true });
  });
}

/** Throws if the browser reports no task, or not the long control task: then all results would look good. */
export async function measureMainThread(browser: Browser, page: Page, work: () => Promise<void>): Promise<MainThread> {
  const control = await trace(browser, page, () =>
    page.evaluate(
      (ms) =>
        new Promise<void>((resolve) => {
          // Code run by the debugger is not a task of the page. Long, because other programs may use most of the
          // processor.
          setTimeout(() => {
            for (const end = performance.now() + 20 * ms; performance.now() < end; );
            resolve();
          });
        }),
      MOST_WORK_MS,
    ),
  );
  if (control.workMs < MOST_WORK_MS || control.longTasks.length === 0) {
    throw new Error(`the browser does not report the long control task: ${JSON.stringify(control)}`);
  }
  return trace(browser, page, work);
}

async function trace(browser: Browser, page: Page, work: () => Promise<void>): Promise<MainThread> {
  await page.evaluate(() => globalThis.longTasks.splice(0));
  await browser.startTracing(page, { categories: ["toplevel"] });
  await work();
  await page.waitForTimeout(ENTRIES_MS);
  const workMs = longestWorkMs(await browser.stopTracing());
  return { workMs, longTasks: await page.evaluate(() => globalThis.longTasks.splice(0)) };
}

function longestWorkMs(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`;
  const mainThreads = new Set(
    traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(threadOf),
  );
  const tasks = traceEvents.filter((event) => event.name.endsWith("RunTask") && mainThreads.has(threadOf(event)));
  if (tasks.length === 0) throw new Error("the trace holds no task of the main thread");
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0);
}

/** Formats the result as one line. */
export function summaryOf(thread: MainThread): string {
  return `longest task ${thread.workMs.toFixed(0).padStart(3)} ms of work; long-task entries ${countOf(thread)}`;
}

/** Formats the number of long tasks, and the longest. */
export function countOf({ longTasks }: MainThread): string {
  return longTasks.length > 0 ? `${longTasks.length}, the longest ${Math.max(...longTasks)} ms` : "0";
}
