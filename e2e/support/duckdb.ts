import { expect, type Page } from "@playwright/test";
import type { StaticServer } from "./static-server.ts";

/** Opens the SQL console, which starts DuckDB, and closes it when DuckDB is ready. */
export async function startDuckdb(page: Page, timeout = 60_000): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "SQL console" }).click();
  await expect(page.getByText("Ctrl + Enter runs it")).toBeVisible({ timeout });
  await page.getByRole("dialog", { name: "SQL console" }).getByRole("button", { name: "Close" }).click();
}

/** Workers of the page that run DuckDB. */
export async function countDuckdbs(page: Page): Promise<number> {
  const running = page.workers().map((worker) => worker.evaluate(() => "DUCKDB_RUNTIME" in globalThis));
  return (await Promise.all(running)).filter(Boolean).length;
}

/** Waits until the page has sent no requests for a while. */
export async function atRest(page: Page, host: StaticServer): Promise<void> {
  for (let sent = -1; sent !== host.sent.length; await page.waitForTimeout(3000)) sent = host.sent.length;
}
