import type { Page } from "@playwright/test";
import { countDuckdbs } from "../support/duckdb.ts";
import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";

const panelOf = (page: Page) => page.getByRole("dialog", { name: "How this was answered" });

async function openPanel(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name }).click();
}

test("all rows of a search are counted on request, a bar sets its filter, and there is one DuckDB", async ({
  page,
  home,
  host,
}) => {
  test.slow();
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status").first()).toHaveText("2,413 places found");
  await openPanel(page, "How this was answered");
  const panel = panelOf(page);
  expect(host.sent.filter(({ path }) => /duckdb-.*wasm/.test(path))).toEqual([]);
  expect(await countDuckdbs(page)).toBe(0);

  await panel.getByText("Statistics", { exact: true }).click();
  await expect(panel).toContainText(/DuckDB counts 2,413 rows\. It downloads about [\d.]+ [kM]B/);
  await expect(panel).toContainText("2,413 rows counted by DuckDB");
  expect(await countDuckdbs(page)).toBe(1);
  for (const name of ["Categories", "Brand", "Operating status", "Confidence"]) {
    await expect(panel.getByRole("table", { name })).toBeVisible();
  }
  const first = panel.getByRole("table", { name: "Categories" }).getByRole("row").first();
  const counted = Number(await first.getByRole("cell").textContent());
  expect(counted).toBeGreaterThan(10);

  // A bar sets the filter, the counts follow, and a second click removes the filter.
  await first.getByRole("button").click();
  await expect(panel).not.toContainText("2,413 rows");
  await expect(panel).toContainText(`${counted} rows counted by DuckDB`);
  await expect(first.getByRole("button")).toHaveAttribute("aria-pressed", "true");
  expect(page.url()).toContain("categories=");
  await first.getByRole("button").click();
  await expect(panel).toContainText("2,413 rows counted by DuckDB");
  expect(page.url()).not.toContain("categories=");

  // The console uses the same DuckDB.
  await panel.getByRole("button", { name: "Close" }).click();
  await openPanel(page, "SQL console");
  await expect(page.getByText("Ctrl + Enter runs it")).toBeVisible();
  expect(await countDuckdbs(page)).toBe(1);
});
