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

test("SQL queries the dataset, draws results, and cannot leave the page", async ({ page, context, home, host }) => {
  test.slow();
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  expect(await countDuckdbs(page)).toBe(0);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "SQL console" }).click();
  const panel = consoleOf(page);

  // A query before DuckDB is ready.
  await panel.getByRole("textbox", { name: "SQL" }).fill("SELECT 6 * 7 AS early");
  await panel.getByRole("textbox", { name: "SQL" }).press("Control+Enter");
  await expect(panel.getByRole("cell")).toHaveText(["42"]);

  // An example and its result.
  await panel.getByRole("button", { name: "Places with the highest confidence, on the map" }).click();
  await expect(panel).toContainText(/[\d,]+ on the map, from geometry/);
  await expect(panel).toContainText(/partitions? read/);
  await expect(panel.getByRole("textbox", { name: "SQL" })).toHaveValue(/FROM found/);
  await expect(panel.getByRole("columnheader")).toHaveText(["name", "confidence", "geometry"]);
  await panel.getByText("place", { exact: true }).click();
  await expect(panel.getByRole("definition").first()).toHaveText("VARCHAR");

  // Pasted SQL from the page, opened from there. On a phone the console covers the page.
  await panel.getByRole("button", { name: "Close" }).click();
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
    await expect(panel.getByRole("cell")).toHaveText(["1"]);
  }
  await run(page, copied.replace("SELECT *", "SELECT geometry::VARCHAR"));
  await expect(panel.getByRole("alert")).toContainText("reads geometry from the dataset’s files");

  // Downloads the result.
  await run(page, "SELECT count(*) AS n, 'a,b' AS t FROM place WHERE country = 'MC'");
  await panel.getByRole("button", { name: "Copy as CSV" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^n,t\r?\n\d+,"a,b"\r?\n$/);
  const saved = page.waitForEvent("download");
  await panel.getByRole("button", { name: "Save as CSV" }).click();
  expect((await saved).suggestedFilename()).toBe("result.csv");

  // A large query needs consent.
  const much = ["segment", "division", "division_area"].map((name) => `(SELECT count(*) FROM ${name})`).join(" + ");
  for (const answer of ["Do not read", "Read and run"]) {
    await run(page, `SELECT ${much} > 40000 AS is_all`);
    await expect(panel.getByRole("alert")).toHaveText(
      /^This statement needs \d+ partitions more: [\d,]+ rows, [\d.]+ MB/,
    );
    await panel.getByRole("button", { name: answer }).click();
    if (answer === "Do not read") await expect(panel.getByRole("alert")).toContainText("was not run");
  }
  await expect(panel.getByRole("cell")).toHaveText(["true"]);

  // Empty text, and text that is not a statement.
  await run(page, " ");
  await expect(panel.getByRole("alert")).toContainText("Type a statement, or choose an example.");
  await run(page, "SELECT * FORM place");
  await expect(panel.getByRole("alert")).toContainText(/^Parser Error: syntax error at or near "place"/);

  // DuckDB's own message.
  await run(page, "SELECT nope FROM place");
  await expect(panel.getByRole("alert")).toContainText('Binder Error: Referenced column "nope" not found');

  // No network access, and the dataset's rows are unchanged.
  host.forget();
  for (const [sql, refusal] of [
    ["SELECT * FROM read_csv('https://example.org/a.csv')", "a.csv"],
    ["ATTACH 'https://example.org/a.db'", "a.db"],
    ["INSTALL spatial; LOAD spatial", "external extensions"],
    [`COPY place TO '${home}stolen.csv'`, "stolen.csv"],
  ] as const) {
    await run(page, sql);
    await expect(panel.getByRole("alert")).toHaveText(new RegExp(`^Permission Error: .*${refusal}`));
  }
  expect(host.sent.filter(({ path }) => !path.includes("/dataset/"))).toEqual([]);
  await run(page, "SELECT 1 AS first; DELETE FROM place");
  await expect(panel.getByRole("alert")).toContainText("Binder Error: Can only delete from base table");

  // An endless query can be stopped, and the console continues.
  await run(page, "SELECT count(*) FROM range(1000000000000) WHERE range % 7 = 3");
  await panel.getByRole("button", { name: "Stop" }).click();
  await expect(panel.getByRole("alert")).toContainText("Stopped. The console restarts");
  await run(page, "SELECT count(*) > 2000 AS is_back FROM place");
  await expect(panel.getByRole("cell")).toHaveText(["true"]);
  expect(await countDuckdbs(page)).toBe(1);

  // A query ends after a minute. The clock also runs by itself: 30 s are left for that.
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

test("without a network SQL runs over complete local data, or lists what is missing", async ({
  page,
  context,
  home,
}) => {
  test.slow();
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "SQL console" }).click();
  const panel = consoleOf(page);
  const near = "within_circle(bbox, -105.271, 40.0165, 1000)";
  await run(page, `SELECT count(*) AS n FROM building WHERE ${near}`);
  await expect(panel.getByRole("cell")).toHaveText([/^\d+$/]);
  const buildings = (await panel.getByRole("cell").textContent()) ?? "";
  expect(Number(buildings)).toBeGreaterThan(100);

  await context.setOffline(true);
  await run(page, `SELECT count(*) AS again, 1 AS one FROM building WHERE ${near}`);
  await expect(panel.getByRole("cell")).toHaveText([buildings, "1"]);
  await run(page, "SELECT count(*) FROM building");
  await expect(panel.getByRole("alert")).toHaveText(
    /^Not run: the host does not answer, and \d+ partitions? of building/,
  );
  await context.setOffline(false);
  await run(page, `SELECT count(*) > ${buildings} AS is_more FROM building`);
  await expect(panel.getByRole("cell")).toHaveText(["true"]);
});
