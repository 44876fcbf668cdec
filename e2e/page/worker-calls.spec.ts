/** What the page asks its worker: the first search at once. @module */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";

declare global {
  /** Names of calls to workers in their order, and `answer` for the first message from one. */
  var workerCalls: string[];
}

/** Records calls of the page to its workers. Its functions must be anonymous, because names add a helper that pages lack. */
async function recordCalls(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.workerCalls = [];
    const post = Worker.prototype.postMessage as (message: unknown, transfer?: unknown) => void;
    Worker.prototype.postMessage = function (message: unknown, transfer?: unknown) {
      const { kind, name = "" } = message as { readonly kind?: string; readonly name?: string };
      if (globalThis.workerCalls.length === 0)
        this.addEventListener("message", () => globalThis.workerCalls.push("answer"), { once: true });
      if (kind === "call") globalThis.workerCalls.push(name);
      post.call(this, message, transfer);
    };
  });
}

test("the first search is sent before the worker has answered anything", async ({ page, home }) => {
  await recordCalls(page);
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  const calls = await page.evaluate(() => globalThis.workerCalls);
  expect(calls.slice(0, calls.indexOf("answer"))).toContain("search");
});

test("going back shows the list as it was left, without another search", async ({ page, home }) => {
  await recordCalls(page);
  await page.goto(home + BOULDER);
  const status = page.getByRole("status");
  await expect(status).toHaveText("2,413 places found");
  const list = page.getByRole("list", { name: "Results" });
  await list.getByRole("button").last().scrollIntoViewIfNeeded();
  await expect(page.locator("[aria-posinset='50']")).toBeAttached();
  const shown = await list.getByRole("listitem").first().getAttribute("aria-posinset");

  await page.evaluate((hash) => {
    location.hash = hash;
  }, `${BOULDER}&name=library`);
  await expect(status).not.toHaveText("2,413 places found");
  await expect(page.locator(".is-stale")).toHaveCount(0);
  const before = await page.evaluate(() => globalThis.workerCalls.length);
  await page.goBack();
  await expect(status).toHaveText("2,413 places found");
  await expect(list.getByRole("listitem").first()).toHaveAttribute("aria-posinset", String(shown));
  const calls = await page.evaluate((from) => globalThis.workerCalls.slice(from), before);
  expect(calls.filter((name) => name === "search")).toEqual([]);
});
