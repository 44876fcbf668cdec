/**
 * Pans the map over streets, buildings and addresses in Chromium. Prints long tasks (elapsed time), the longest task in
 * processor time, and the bytes of the base map. Exits with 1 if a task used more than 50 ms.
 *
 * npm run bench:panning
 * @module
 */
import type { Page } from "@playwright/test";
import { readOptions } from "../support/options.ts";
import { withBuiltPage } from "./built-page.ts";
import { countOf, MOST_WORK_MS, measureMainThread, observeLongTasks, summaryOf } from "./main-thread.ts";
import { writeResult } from "./results.ts";

const VIEWS = { streets: "13.2", buildings: "14.6", entrances: "16.5" };
const ADDRESS = "#/places?lat=40.0165&lng=-105.271&radius=1000";
const DRAGS = 6;
/** Tiles arrive for a while after the last move. */
const SETTLE_MS = 4000;

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

const { values } = readOptions({
  usage: "npm run bench:panning -- [--write]",
  options: { write: { type: "boolean" } },
});
let isSmooth = true;
const rows = ["| dragged over | long tasks | longest task, ms of work | base map |", "|---|---|---|---|"];
await withBuiltPage(async (browser, host) => {
  for (const [name, zoom] of Object.entries(VIEWS)) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await observeLongTasks(page);
    host.forget();
    await page.goto(`${host.url}${ADDRESS}&view=${zoom}/40.0165/-105.271`);
    await page.getByText(/^[\d,]+ places found$/).waitFor();
    let sent = -1;
    while (sent !== host.sent.length) {
      sent = host.sent.length;
      await page.waitForTimeout(2 * SETTLE_MS);
    }
    const ground = host.sent.filter(({ path }) => /\/dataset\/(segment|building|land|water|division)/.test(path));
    const kilobytes = Math.round(ground.reduce((sum, { bytes }) => sum + bytes, 0) / 1000);
    const thread = await measureMainThread(browser, page, async () => {
      await pan(page);
      await page.waitForTimeout(SETTLE_MS);
    });
    isSmooth &&= thread.workMs <= MOST_WORK_MS;
    const cost = `${kilobytes.toLocaleString("en")} KB in ${ground.length} files`;
    rows.push(`| ${name}, zoom ${zoom} | ${countOf(thread)} | ${Math.round(thread.workMs)} | ${cost} |`);
    console.log(`${name.padEnd(10)} zoom ${zoom}  ${summaryOf(thread)}; base map ${cost}`);
    await page.close();
  }
});
if (values.write) await writeResult({ name: "panning", command: "npm run bench:panning" }, rows.join("\n"));
if (!isSmooth) process.exitCode = 1;
