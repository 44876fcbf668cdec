/**
 * Pans and zooms the map over streets and buildings in Chromium, and prints the main thread's long tasks: the browser's own
 * entries, of 50 ms and more. The scripts of each long frame are told apart from the rest, which is drawing: without a graphics
 * card that is software on the same cores. Prints what the ground cost in bytes, too. Exits with 1 when a script runs for 50 ms.
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

interface Seen {
  readonly tasks: readonly number[];
  /** Scripts of the long frames: how long each ran, and what it was called from. */
  readonly scripts: readonly { readonly ms: number; readonly from: string }[];
}

declare global {
  var panning: { tasks: number[]; scripts: { ms: number; from: string }[] };
}

/** Runs in the page as it is: functions with names of their own would call a helper that is not there. */
function observe(): void {
  globalThis.panning = { tasks: [], scripts: [] };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.panning.tasks.push(Math.round(duration));
  }).observe({ type: "longtask" });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { scripts } = entry as PerformanceEntry & {
        scripts: { duration: number; invoker: string; sourceURL: string; sourceFunctionName: string }[];
      };
      for (const { duration, invoker, sourceURL, sourceFunctionName } of scripts) {
        const from = `${invoker} ${sourceFunctionName} ${sourceURL.split("/").at(-1)}`;
        globalThis.panning.scripts.push({ ms: Math.round(duration), from });
      }
    }
  }).observe({ type: "long-animation-frame" });
  // An observer that saw nothing would look like a smooth map.
  setTimeout(() => {
    for (const end = performance.now() + 100; performance.now() < end; );
  });
}

async function measured(page: Page, client: CDPSession, work: () => Promise<void>) {
  const metrics = async () => {
    const { metrics: all } = await client.send("Performance.getMetrics");
    return Object.fromEntries(all.map(({ name, value }) => [name, value * 1000]));
  };
  await page.evaluate(() => {
    globalThis.panning.tasks.length = 0;
    globalThis.panning.scripts.length = 0;
  });
  const before = await metrics();
  await work();
  await page.waitForTimeout(SETTLE_MS);
  const after = await metrics();
  const seen: Seen = await page.evaluate(() => globalThis.panning);
  const spent = (name: string) => Math.round((after[name] ?? 0) - (before[name] ?? 0));
  return { ...seen, taskMs: spent("TaskDuration"), scriptMs: spent("ScriptDuration") };
}

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
let longest = 0;
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
  const isObserved = await page.evaluate(() => globalThis.panning.tasks.length > 0);
  if (!isObserved) throw new Error("the browser tells of no long task, though there was one");
  const ground = host.sent.filter(({ path }) => /\/dataset\/(segment|building|land|water|division)/.test(path));
  const kilobytes = Math.round(ground.reduce((sum, { bytes }) => sum + bytes, 0) / 1000);
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  const { tasks, scripts, taskMs, scriptMs } = await measured(page, client, () => pan(page));
  const top = scripts.toSorted((a, b) => b.ms - a.ms)[0];
  longest = Math.max(longest, top?.ms ?? 0);
  console.log(
    `${name.padEnd(10)} zoom ${zoom}  ground ${kilobytes} KB in ${ground.length} files  ` +
      `${tasks.length} long tasks, longest ${Math.max(0, ...tasks)} ms  ` +
      `longest script ${top?.ms ?? 0} ms (${top?.from ?? "none"})  busy ${taskMs} ms, of it scripts ${scriptMs} ms`,
  );
  await page.close();
}
await browser.close();
await host.close();
if (longest >= LONG_MS) process.exitCode = 1;
