import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet";
import { countDuckdbs } from "../support/duckdb.ts";
import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";

const panelOf = (page: Page) => page.getByRole("dialog", { name: "How this was answered" });
const runOf = (page: Page) => panelOf(page).getByRole("button", { name: "Run this search in DuckDB" });

async function openPanel(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "How this was answered" }).click();
}

async function savedFile(page: Page, format: string): Promise<string> {
  const download = page.waitForEvent("download");
  await panelOf(page).getByRole("button", { name: format, exact: true }).click();
  return (await download).path();
}

test("the search runs in DuckDB with the same rows, pages and saves them", async ({ page, home }) => {
  test.slow();
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status").first()).toHaveText("2,413 places found");
  await openPanel(page);
  const panel = panelOf(page);
  expect(await countDuckdbs(page)).toBe(0);
  await runOf(page).click();
  await expect(panel.getByText("Same 25 of 2,413 rows")).toBeVisible();
  expect(await countDuckdbs(page)).toBe(1);

  // Its SQL, its cost, its rows.
  await expect(panel.locator("pre")).toContainText(
    "distance_metres(geometry, bbox, -105.271, 40.0165) AS ext_distance",
  );
  await expect(panel.locator("pre")).toContainText("LIMIT 25 OFFSET 0");
  const costs = panel.getByRole("table").filter({ hasText: "DuckDB" });
  await expect(costs.getByRole("row", { name: /^Data/ })).toContainText(/\d files.*\d partitions?/);
  await expect(costs.getByRole("row", { name: /^Time/ })).toContainText(/ sec.* sec/);
  const rows = panel.getByRole("list", { name: "Rows" }).getByRole("listitem");
  await expect(rows).toHaveCount(25);
  await expect(rows.first()).toContainText("Boulder Community");

  // The next page is compared too.
  await panel.getByRole("button", { name: "Next page" }).last().click();
  await expect(panel).toContainText("Page 2 of 97");
  await expect(panel.getByText("Same 25 of 2,413 rows")).toBeVisible();
  await expect(panel.locator("pre")).toContainText("OFFSET 25");

  // Files of all rows.
  const csv = await readFile(await savedFile(page, "CSV"), "utf8");
  expect(csv.trimEnd().split("\r\n").length).toBeGreaterThanOrEqual(2414);
  const records = JSON.parse(await readFile(await savedFile(page, "JSON"), "utf8"));
  expect(records).toHaveLength(2413);
  expect(records[0].properties.ext_distance).toBeGreaterThan(0);
  const parquet = await asyncBufferFromFile(await savedFile(page, "GeoParquet"));
  expect(Number((await parquetMetadataAsync(parquet)).num_rows)).toBe(2413);

  // The statement runs in the console.
  await panel.getByRole("button", { name: "Open in the SQL console" }).click();
  const sqlConsole = page.getByRole("dialog", { name: "SQL console" });
  await sqlConsole.getByRole("button", { name: "Run", exact: true }).click();
  await expect(sqlConsole).toContainText("25 rows");
  expect(await countDuckdbs(page)).toBe(1);
});

test("lines, names and countries run too, and a refused order is named", async ({ page, home }) => {
  test.slow();
  for (const [search, said] of [
    ["#/transportation?lat=40.0165&lng=-105.271&radius=300", /Same 25 of [\d,]+ rows/],
    ["#/places?lat=43.7384&lng=7.4246&radius=2000&name=monte carlo", /Same \d+ of \d+ rows?/],
    ["#/addresses?country=MC&name=zzzz", "Same 0 of 0 rows"],
  ] as const) {
    await page.goto(home + search);
    await openPanel(page);
    await runOf(page).click();
    await expect(panelOf(page).getByText(said)).toBeVisible();
    await panelOf(page).getByRole("button", { name: "Close" }).click();
  }
  await page.goto(`${home}#/places?country=MC`);
  await openPanel(page);
  await expect(runOf(page)).toHaveAttribute("aria-disabled", "true");
  await expect(panelOf(page)).toContainText("SQL cannot express the order of the list");
});

test("a difference is named", async ({ page, home }) => {
  test.slow();
  await page.goto(home + BOULDER);
  await openPanel(page);
  await runOf(page).click();
  await expect(panelOf(page).getByText("Same 25 of 2,413 rows")).toBeVisible();
  // The user's own table in place of the dataset's.
  await panelOf(page).getByRole("button", { name: "Open in the SQL console" }).click();
  const sqlConsole = page.getByRole("dialog", { name: "SQL console" });
  await sqlConsole
    .getByRole("textbox", { name: "SQL" })
    .fill(
      'CREATE OR REPLACE VIEW place AS SELECT * FROM partitions."rows of place" WHERE confidence > 0.5; SELECT 1 AS made',
    );
  await sqlConsole.getByRole("button", { name: "Run", exact: true }).click();
  await expect(sqlConsole.getByRole("cell")).toHaveText(["1"]);
  await sqlConsole.getByRole("button", { name: "Close" }).click();
  await openPanel(page);
  await runOf(page).click();
  await expect(panelOf(page)).toContainText(/Different: this page counts 2,413 rows, DuckDB [\d,]+ rows\./);
});
