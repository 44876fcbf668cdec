/**
 * What the page's main thread does while a person moves: the browser's own long-task entries, by the clock, and the longest
 * task by the time that the thread itself worked. The two differ by what a task waits for: without a graphics card the
 * drawing is software on the same cores, and a task stands still until a shader is compiled or a core is free.
 * @module
 */
import type { Browser, Page } from "@playwright/test";

/** A task of the main thread that works for longer is felt. */
export const MOST_WORK_MS = 50;
/** Entries come a moment after their tasks. */
const ENTRIES_MS = 500;

declare global {
  /** Durations of long tasks, milliseconds. */
  var longTasks: number[];
}

export interface MainThread {
  /** The longest task, in milliseconds of the thread's own work. */
  readonly workMs: number;
  /** Milliseconds by the clock, of 50 and more. */
  readonly longTasks: readonly number[];
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Time that the thread worked, microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Before the page is opened. */
export async function observeLongTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longTasks.push(Math.round(duration));
    }).observe({ type: "longtask", buffered: true });
  });
}

/** Throws when the browser tells of no task, or not of one that works for longer than is allowed: all would look smooth. */
export async function measureMainThread(browser: Browser, page: Page, work: () => Promise<void>): Promise<MainThread> {
  const control = await trace(browser, page, () =>
    page.evaluate(
      (ms) =>
        new Promise<void>((resolve) => {
          // what the debugger runs itself is no task of the page; long, since others may have most of the processor
          setTimeout(() => {
            for (const end = performance.now() + 20 * ms; performance.now() < end; );
            resolve();
          });
        }),
      MOST_WORK_MS,
    ),
  );
  if (control.workMs < MOST_WORK_MS || control.longTasks.length === 0) {
    throw new Error(`the browser tells nothing of a task made long: ${JSON.stringify(control)}`);
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

/** For a line of its own in a report. */
export function toldOf({ workMs, longTasks }: MainThread): string {
  const entries = longTasks.length > 0 ? `${longTasks.length}, longest ${Math.max(...longTasks)} ms` : "0";
  return `longest task ${workMs.toFixed(0).padStart(3)} ms of work; long-task entries ${entries}`;
}
