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
