/**
 * Pans the map over streets, buildings and doors in Chromium, and prints the main thread's tasks of 50 ms and more, twice
 * over: by the clock, as the browser's own long-task entries have it, and by the processor time that the task itself took.
 * The two differ by what a task waits for: without a graphics card the drawing is software on the same cores, and a task
 * stands still until a shader is compiled or a core is free. Prints what the ground cost in bytes, too. Exits with 1 when
 * a task of the page takes 50 ms of the processor.
 *
 *     npm run bench:panning
 * @module
 */
import type { CDPSession, Page } from "@playwright/test";
import { ensureDataset, ensurePage } from "../../pipeline/cli/freshness.ts";
import { DATASET_FOLDER, PAGE_FOLDER, SAMPLE_FOLDER } from "../support/folders.ts";
import { DRAWN_IN_SOFTWARE, launchBrowser } from "../support/launch-browser.ts";
import { startStaticServer } from "../support/static-server.ts";

const VIEWS = { streets: "13.2", buildings: "14.6", doors: "16.5" };
const ADDRESS = "#/places?lat=40.0165&lng=-105.271&radius=1000";
const LONG_MS = 50;
const DRAGS = 6;
/** Tiles come for a while after the last move. */
const SETTLE_MS = 4000;

interface Task {
  readonly clockMs: number;
  readonly processorMs: number;
}

/** One event of Chromium's trace; times are microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

declare global {
  var longTasks: number[];
}

/** Runs in the page as it is: functions with names of their own would call a helper that is not there. */
function observe(): void {
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longTasks.push(Math.round(duration));
  }).observe({ type: "longtask" });
  // An observer that saw nothing would look like a smooth map.
  setTimeout(() => {
    for (const end = performance.now() + 100; performance.now() < end; );
  });
}

/** Tasks of the page's main thread while `work` runs. */
async function tasksOf(client: CDPSession, work: () => Promise<void>): Promise<readonly Task[]> {
  const events: TraceEvent[] = [];
  client.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await client.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel", "__metadata"] },
  });
  await work();
  const isWhole = new Promise<void>((resolve) => client.once("Tracing.tracingComplete", () => resolve()));
  await client.send("Tracing.end");
  await isWhole;
  const thread = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;
  const isMain = ({ name, args }: TraceEvent) => name === "thread_name" && args.name === "CrRendererMain";
  const mains = new Set(events.filter(isMain).map(thread));
  const tasks = events.filter((event) => event.name.endsWith("RunTask") && mains.has(thread(event)));
  if (!tasks.some(({ tdur }) => tdur)) throw new Error("the browser's trace tells of no task on the main thread");
  return tasks.map(({ dur = 0, tdur = 0 }) => ({ clockMs: dur / 1000, processorMs: tdur / 1000 }));
}

const longest = (tasks: readonly Task[], key: keyof Task): string => {
  const { clockMs, processorMs } = tasks.reduce((most, task) => (task[key] > most[key] ? task : most));
  return `${clockMs.toFixed(0)} ms, ${processorMs.toFixed(0)} ms of it working`;
};

async function pan(page: Page): Promise<void> {
  for (let i = 0; i < DRAGS; i++) {
    const sign = i % 2 === 0 ? 1 : -1;
    await page.mouse.move(850 + sign * 200, 400);
    await page.mouse.down();
    await page.mouse.move(850 - sign * 150, 400 + sign * 120, { steps: 30 });
    await page.mouse.up();
    await page.waitForTimeout(300);
  }
}

await ensureDataset(SAMPLE_FOLDER, DATASET_FOLDER);
await ensurePage(PAGE_FOLDER);
const host = await startStaticServer({ folders: { "/": PAGE_FOLDER, "/dataset/": DATASET_FOLDER } });
const browser = await launchBrowser(DRAWN_IN_SOFTWARE);
let isSmooth = true;
for (const [name, zoom] of Object.entries(VIEWS)) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript(observe);
  host.forget();
  await page.goto(`${host.url}${ADDRESS}&view=${zoom}/40.0165/-105.271`);
  await page.getByText(/^[\d,]+ places found$/).waitFor();
  let sent = -1;
  while (sent !== host.sent.length) {
    sent = host.sent.length;
    await page.waitForTimeout(2 * SETTLE_MS);
  }
  const isObserved = await page.evaluate(() => globalThis.longTasks.length > 0);
  if (!isObserved) throw new Error("the browser tells of no long task, though there was one");
  const ground = host.sent.filter(({ path }) => /\/dataset\/(segment|building|land|water|division)/.test(path));
  const kilobytes = Math.round(ground.reduce((sum, { bytes }) => sum + bytes, 0) / 1000);
  await page.evaluate(() => {
    globalThis.longTasks.length = 0;
  });
  const tasks = await tasksOf(await page.context().newCDPSession(page), async () => {
    await pan(page);
    await page.waitForTimeout(SETTLE_MS);
  });
  const entries = await page.evaluate(() => globalThis.longTasks);
  const busy = tasks.filter(({ processorMs }) => processorMs >= LONG_MS);
  isSmooth &&= busy.length === 0;
  console.log(
    `${name.padEnd(10)} zoom ${zoom}  ground ${kilobytes} KB in ${ground.length} files  ` +
      `${busy.length} tasks that work for ${LONG_MS} ms; busiest ${longest(tasks, "processorMs")}; ` +
      `by the clock ${entries.length} long tasks, longest ${longest(tasks, "clockMs")}`,
  );
  await page.close();
}
await browser.close();
await host.close();
if (!isSmooth) process.exitCode = 1;
