import { readFile } from "node:fs/promises";
import type { Download, Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";

test.use({ hasMap: true });

const CSV = `name,lat,lng,land,category,note
<img src=x onerror=alert(1)>,40.0166,-105.2711,USA,,markup
Pearl Street Fountain,40.0180,-105.2790,US,Drinking water,water
Nowhere,91,0,,,not on the globe
Far Fountain,48.85,2.35,France,,in Paris
`;

const panelOf = (page: Page) => page.getByRole("dialog", { name: "Your files" });

/** Drops a file in the middle of the page. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  await page.evaluate(
    ([fileName, text]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], fileName));
      for (const type of ["dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    },
    [name, content] as const,
  );
}

test("a dropped file is searched together with the dataset, joins list and console, and can be saved", async ({
  page,
  home,
}) => {
  // Tests cannot control the file picker, so exports are downloads.
  await page.addInitScript(() => {
    for (const holder of [window, Window.prototype]) Reflect.deleteProperty(holder, "showSaveFilePicker");
  });
  await page.goto(home + BOULDER);
  const status = page.getByRole("status").first();
  await expect(status).toHaveText("2,413 places found");
  const scale = page.locator(".maplibregl-ctrl-scale");
  const near = /^(\d{3}\sm|1\skm)$/;
  await expect(scale).toHaveText(near);
  await drop(page, "fountains.csv", CSV);
  const panel = panelOf(page);
  await expect(panel).toContainText("3 rows · 1 row skipped");
  await expect(panel).toContainText("2 matches");
  await expect(panel).toContainText("Searched by Name (name), Country (land), Categories (category)");
  await expect(panel).toContainText("Not searched: note");
  const rows = panel.getByRole("list", { name: "Matches in fountains.csv" }).getByRole("button");
  await expect(rows).toHaveText([/^<img src=x onerror=alert\(1\)>\s*\d+ m$/, /^Pearl Street Fountain\s*[\d.]+ m$/]);

  // The map shows the complete file. The address still has the search, which is one step back.
  await expect(scale).toHaveText(/\d{3}\skm/);
  expect(page.url()).toContain(BOULDER);
  await panel.getByRole("button", { name: "Back to the search" }).click();
  await expect(scale).toHaveText(near);
  await expect(panel.getByRole("button", { name: "Back to the search" })).toHaveCount(0);

  // The user decides whether to save it. The other file is not saved.
  await panel.getByRole("button", { name: "Keep it" }).click();
  await expect(panel).toContainText("Kept on this device");
  await drop(page, "other.csv", "name,lat,lng\nOther,10,10\n");
  await panel.getByRole("button", { name: "Not now" }).click();
  await page.reload();

  // Its rows are sorted into the records by distance, with their names, and counted.
  await expect(status).toHaveText("2,413 places found · 2 rows of your files");
  const list = page.getByRole("list", { name: "Results" });
  const row = list.getByRole("button", { name: /<img src=x onerror=alert\(1\)>\s*fountains\.csv · Row 1\s*14 m/ });
  await expect(row).toBeVisible();
  const meters = (await list.locator(".result-distance").allTextContents()).map(Number.parseFloat);
  expect(meters).toHaveLength(26);
  expect(meters).toEqual([...meters].sort((a, b) => a - b));
  await row.click();
  await expect(panel.getByRole("heading", { name: "<img src=x onerror=alert(1)>" })).toBeVisible();
  await expect(panel.getByRole("definition").last()).toHaveText("markup");
  await panel.getByRole("button", { name: "Back to the list" }).click();
  await expect(rows.first()).toBeFocused();
  await expect(panel).toContainText("Kept on this device");
  await expect(panel.getByRole("heading", { name: "other.csv" })).toHaveCount(0);

  // An export has them after the records, and lists the file as a source.
  const saved: Download[] = [];
  page.on("download", (download) => saved.push(download));
  await panel.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export to a file" });
  await expect(dialog.getByLabel("Rows of your files too")).toBeChecked();
  await dialog.getByLabel("GeoJSON for map programs").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("status")).toContainText("Saved: 2,415 records");
  await expect.poll(() => saved.length).toBe(2);
  const [geojson = "", sources] = await Promise.all(saved.map(async (file) => readFile(await file.path(), "utf8")));
  expect(JSON.parse(geojson).features.at(-1)).toMatchObject({
    id: "fountains.csv#2",
    properties: { name: "Pearl Street Fountain", sources: [{ dataset: "fountains.csv", record_id: "2" }] },
  });
  expect(sources).toContain("fountains.csv: 2 records");
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Your files" }).click();

  // The same search by category, name, country, and area. Filters without a column in the file are reported.
  await page.goto(`${home}${BOULDER}&categories=drinking_water`);
  await expect(rows).toHaveText([/Pearl Street Fountain/]);
  await page.goto(`${home}${BOULDER}&min_confidence=0.5`);
  await expect(rows).toHaveCount(2);
  await expect(panel).toContainText("Not filtered by Minimum confidence: the file has no column for it.");
  await page.goto(`${home}#/places?country=FR&name=fountain`);
  await expect(rows).toHaveText([/Far Fountain/]);
  await page.goto(`${home}#/places?area=2,48,3,49&name=fountain`);
  await expect(rows).toHaveText([/Far Fountain/]);

  // A table in the console.
  await expect(panel).toContainText("In the SQL console: my_fountains");
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "SQL console" }).click();
  const console = page.getByRole("dialog", { name: "SQL console" });
  await expect(console.getByText("3 rows · fountains.csv")).toBeVisible();
  await console.getByRole("textbox").fill("SELECT name FROM my_fountains WHERE land = 'France'");
  await console.getByRole("button", { name: "Run" }).click();
  await expect(console.getByRole("cell", { name: "Far Fountain" })).toBeVisible();
  await page.keyboard.press("Escape");

  // Removed, restored, and removed permanently.
  await page.getByRole("button", { name: "Your files" }).click();
  await panel.getByRole("button", { name: "Remove fountains.csv" }).click();
  await expect(rows).toHaveCount(0);
  await panel.getByRole("button", { name: "Undo" }).click();
  await expect(rows).toHaveText([/Far Fountain/]);
  await expect(panel).toContainText("Kept on this device");
  await panel.getByRole("button", { name: "Remove fountains.csv" }).click();
  await expect(panel).toContainText("fountains.csv was removed.");
  await expect(status).not.toContainText("your files");
});

test("a map that loads after the file shows the file", async ({ page, context, home }) => {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route(/\/assets\/create-map-[^/]+\.js$/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status").first()).toHaveText("2,413 places found");
  await drop(page, "fountains.csv", CSV);
  await expect(panelOf(page)).toContainText("2 matches");
  release();
  const scale = page.locator(".maplibregl-ctrl-scale");
  await expect(scale).toHaveText(/\d{3}\skm/);
  // Moving back to the search would take 700 ms.
  await page.waitForTimeout(1500);
  await expect(scale).toHaveText(/\d{3}\skm/);
});

test("an unreadable file is reported with what is allowed", async ({ page, home }) => {
  await page.goto(home);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "Your files" }).click();
  const choose = panelOf(page).locator("input[type=file]");
  await choose.setInputFiles({ name: "photo.png", mimeType: "image/png", buffer: Buffer.from("\x89PNG") });
  const alert = panelOf(page).getByRole("alert");
  await expect(alert).toContainText("It is .png, not a table of places.");
  await expect(alert).toContainText("Allowed: CSV and other text tables, Excel, ODS, GeoJSON");
  await choose.setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from("name,street\nPort,Quai\n") });
  await expect(alert).toContainText("No columns of coordinates. Found: name, street");
});

test("a table with decimal commas and German column names is read, as the pipeline reads it", async ({
  page,
  home,
}) => {
  await page.goto(home + BOULDER);
  const table = await readFile(new URL("../../data/tables/testing/cases/csv-de2.csv", import.meta.url), "utf8");
  await drop(page, "tor.csv", table);
  await expect(panelOf(page)).toContainText("1 row");
  await expect(panelOf(page)).toContainText("Searched by Name (Name)");
});

/** Drops a file of the repository in the middle of the page. */
async function dropFile(page: Page, path: string): Promise<void> {
  const bytes = await readFile(new URL(`../../${path}`, import.meta.url));
  await page.evaluate(
    ([name, base64]) => {
      const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], name));
      for (const type of ["dragover", "drop"])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [path.split("/").at(-1) ?? "", bytes.toString("base64")] as const,
  );
}

test("a GeoPackage and extracts of OpenStreetMap are read, each by a reader that is loaded for it", async ({
  page,
  home,
}) => {
  await page.goto(home + BOULDER);
  const panel = panelOf(page);
  await dropFile(page, "data/tables/testing/formats/shops.gpkg");
  await expect(panel).toContainText("3 rows");
  await dropFile(page, "data/tables/testing/osm/town.osm.pbf");
  await expect(panel).toContainText("2,680 rows · 86 rows skipped");
  await dropFile(page, "data/tables/testing/osm/rings.osm");
  await expect(panel).toContainText("13 rows · 1 row skipped");
});
