/**
 * Scrolls and hovers a page of 25,000 results in Chromium. Prints long tasks from 50 ms (elapsed time) and the
 * longest task in
 * processor time, because on a busy machine elapsed time includes other programs. Exits with 1 if a task used more
 * than 50 ms.
 *
 * npm run bench:scrolling
 * @module
 */
import type { Browser, Page } from "@playwright/test";
import { readOptions } from "../support/options.ts";
import { withBuiltPage } from "./built-page.ts";
import { countOf, MOST_WORK_MS, measureMainThread, observeLongTasks, summaryOf } from "./main-thread.ts";
import { writeResult } from "./results.ts";

/** Every segment of the sample, large because of connectors and rules: 25,635, of which a page has 25,000. */
const ADDRESS = "#/transportation?lat=40.0165&lng=-105.271&radius=20000000&limit=25000";
const ROWS = 25_000;
const WHEEL_TURNS = 60;
const HOVERED_ROWS = 60;

const rows = ["| 25,000 results | long tasks | longest task, ms of work |", "|---|---|---|"];

/** Runs the work, prints its tasks, and returns the longest in milliseconds of processor time. */
async function measured(browser: Browser, page: Page, name: string, work: () => Promise<void>): Promise<number> {
  const thread = await measureMainThread(browser, page, work);
  console.log(`${name.padEnd(26)} ${summaryOf(thread)}`);
  rows.push(`| ${name} | ${countOf(thread)} | ${Math.round(thread.workMs)} |`);
  return thread.workMs;
}

async function middleOf(page: Page): Promise<{ x: number; y: number }> {
  const scroller = await page.getByRole("main").boundingBox();
  if (!scroller) throw new Error("the list is not there");
  return { x: scroller.x + scroller.width / 2, y: scroller.y + scroller.height / 2 };
}

async function scroll(page: Page, pixels: number): Promise<void> {
  for (let turn = 0; turn < WHEEL_TURNS; turn++) {
    await page.mouse.wheel(0, pixels);
    await page.waitForTimeout(16);
  }
}

async function hover(page: Page): Promise<void> {
  const { x, y } = await middleOf(page);
  for (let i = 0; i < HOVERED_ROWS; i++) {
    await page.mouse.move(x, y + ((i * 61) % 180) - 90);
    await page.waitForTimeout(16);
  }
}

/** Drags the scroll bar from end to end, so that every drawn row is new. */
async function jump(page: Page): Promise<void> {
  for (let step = 1; step <= 60; step++) {
    await page.getByRole("main").evaluate((main, share) => {
      main.scrollTop = main.scrollHeight * share;
    }, step / 60);
    await page.waitForTimeout(16);
  }
}

async function walk(page: Page): Promise<void> {
  await page.getByRole("list", { name: "Results" }).locator("button[tabindex='0']").focus();
  for (let i = 0; i < 40; i++) await page.keyboard.press("ArrowDown");
}

const { values } = readOptions({
  usage: "npm run bench:scrolling -- [--write]",
  options: { write: { type: "boolean" } },
});
await withBuiltPage(async (browser, host) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-GB" });
  await observeLongTasks(page);
  await page.goto(host.url);
  await page.waitForTimeout(5000);
  const tell = (name: string, work: () => Promise<void>) => measured(browser, page, name, work);
  const longest = [
    await tell("open 25,000 results", async () => {
      await page.evaluate((address) => {
        location.hash = address;
      }, ADDRESS);
      await page.getByText(`1–${ROWS.toLocaleString("en-GB")} of`).waitFor({ timeout: 180_000 });
      // Until the map has also drawn them.
      await page.waitForTimeout(8000);
    }),
    await tell("scroll by wheel", async () => {
      const { x, y } = await middleOf(page);
      await page.mouse.move(x, y);
      await scroll(page, 400);
    }),
    await tell("scroll from end to end", () => jump(page)),
    await tell("hover", () => hover(page)),
    await tell("walk with the arrow keys", () => walk(page)),
  ];
  if (values.write) await writeResult({ name: "scrolling", command: "npm run bench:scrolling" }, rows.join("\n"));
  if (Math.max(...longest) > MOST_WORK_MS) process.exitCode = 1;
});
