import type { Page } from "@playwright/test";
import { countDuckdbs } from "../support/duckdb.ts";
import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";

const consoleOf = (page: Page) => page.getByRole("dialog", { name: "SQL console" });

async function run(page: Page, sql: string): Promise<void> {
  const editor = consoleOf(page).getByRole("textbox", { name: "SQL" });
  await editor.fill(sql);
  await expect(consoleOf(page).getByRole("button", { name: "Run" })).toBeEnabled();
  await editor.press("Control+Enter");
}

test("SQL asks the loaded rows, draws what it finds, and cannot leave the page", async ({
  page,
  context,
  home,
  host,
}) => {
  test.slow();
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  expect(await countDuckdbs(page)).toBe(0);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "SQL console" }).click();
  const panel = consoleOf(page);

  // asked before DuckDB is there
  await panel.getByRole("textbox", { name: "SQL" }).fill("SELECT 6 * 7 AS early");
  await panel.getByRole("textbox", { name: "SQL" }).press("Control+Enter");
  await expect(panel.getByRole("cell")).toHaveText("42");

  // an example, and what it gives
  await panel.getByRole("button", { name: "Surest places, on the map" }).click();
  await expect(panel).toContainText(/[\d,]+ on the map, from geometry/);
  await expect(panel.getByRole("columnheader")).toHaveText(["name", "confidence", "geometry"]);
  await panel.getByText("place", { exact: true }).click();
  await expect(panel.getByRole("definition").first()).toHaveText("VARCHAR");

  // what the page copies, pasted here and opened from there
  await page.getByRole("button", { name: "Export" }).click();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "SQL", exact: true }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("button", { name: "Open in the SQL console" }).click();
  await expect(panel.getByRole("textbox", { name: "SQL" })).toHaveValue(/FROM place WHERE list_contains/);
  for (const sql of [undefined, copied]) {
    if (sql !== undefined) await panel.getByRole("textbox", { name: "SQL" }).fill(sql);
    await panel.getByRole("button", { name: "Run" }).click();
    await expect(panel).toContainText("25 rows");
    await expect(panel.getByRole("row").nth(1)).toContainText("8e7f4543-67ae-41fd-81bd-a4aeb962eb5e");
    await run(page, "SELECT 1 AS between");
    await expect(panel.getByRole("cell")).toHaveText("1");
  }
  await run(page, copied.replace("WHERE", "WHERE country = 'US' AND"));
  await expect(panel.getByRole("alert")).toContainText("reads the dataset’s files");

  // nothing to run, and words that are no statement
  await run(page, " ");
  await expect(panel.getByRole("alert")).toContainText("There is nothing to run");
  await run(page, "SELECT * FORM place");
  await expect(panel.getByRole("alert")).toContainText(/^Parser Error: syntax error at or near "place"/);

  // DuckDB's own words
  await run(page, "SELECT nope FROM place");
  await expect(panel.getByRole("alert")).toContainText('Binder Error: Referenced column "nope" not found');

  // no way out, and the searches' own rows stay whole
  host.forget();
  for (const [sql, told] of [
    ["SELECT * FROM read_csv('https://example.org/a.csv')", "a.csv"],
    ["ATTACH 'https://example.org/a.db'", "a.db"],
    ["INSTALL spatial; LOAD spatial", "external extensions"],
    [`COPY place TO '${home}stolen.csv'`, "stolen.csv"],
  ] as const) {
    await run(page, sql);
    await expect(panel.getByRole("alert")).toHaveText(new RegExp(`^Permission Error: .*${told}`));
  }
  expect(host.sent.filter(({ path }) => !path.includes("/dataset/"))).toEqual([]);
  await run(page, "DELETE FROM place; SELECT count(*) AS left_over FROM place");
  await expect(panel.getByRole("cell")).toHaveText("0");

  // a query without an end can be stopped, and the console goes on
  await run(page, "SELECT count(*) FROM range(1000000000000) WHERE range % 7 = 3");
  await panel.getByRole("button", { name: "Stop" }).click();
  await expect(panel.getByRole("alert")).toContainText("Stopped. The console starts afresh");
  await run(page, "SELECT count(*) > 2000 AS is_back FROM place");
  await expect(panel.getByRole("cell")).toHaveText("true");
  expect(await countDuckdbs(page)).toBe(1);

  // and one that nobody stops is ended after a minute (the clock also runs by itself: 30 s are left for that)
  await page.clock.install();
  await run(page, "SELECT count(*) FROM range(1000000000000) WHERE range % 7 = 3");
  await expect(panel.getByRole("button", { name: "Stop" })).toBeVisible();
  await page.clock.fastForward(30_000);
  await expect(panel.getByRole("alert")).toHaveCount(0);
  await page.clock.fastForward(31_000);
  await expect(panel.getByRole("alert")).toContainText("Stopped after 60 s");
  await page.clock.resume();

  await page.keyboard.press("Escape");
  await page.goto(`${home}#/places?lat=40.0165&lng=-105.271&radius=500`);
  await expect(page.getByRole("status")).toHaveText(/^\d+ places found/);
});
