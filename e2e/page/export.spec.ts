import { readFile } from "node:fs/promises";
import type { Download, Page } from "@playwright/test";
import Papa from "papaparse";
import { FORMATS } from "../../web/search/index.ts";
import { readFormat } from "../../web/search/testing/read-format.ts";
import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";

/** All segments of the sample: more than one answer of the interface can contain. */
const EVERYWHERE = "#/transportation?lat=40.0165&lng=-105.271&radius=20000000";
const SEGMENTS = 25_635;

/** Firefox and Safari have no file picker for pages. */
async function withoutFilePicker(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "showSaveFilePicker");
    Reflect.deleteProperty(Window.prototype, "showSaveFilePicker");
  });
}

/** Replaces the file picker, which tests cannot control. The file itself is real. */
async function withChosenFile(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(window, {
      showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) =>
        (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }),
    });
  });
}

/** Name and text of each chosen file. */
function chosenFiles(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const files: Record<string, string> = {};
    const folder = await navigator.storage.getDirectory();
    for await (const entry of folder.values()) {
      const file = await (entry as FileSystemFileHandle).getFile();
      files[file.name] = await file.text();
    }
    return files;
  });
}

function nextDownloads(page: Page, count: number): Promise<Download[]> {
  return new Promise((resolve) => {
    const downloads: Download[] = [];
    page.on("download", (download) => {
      downloads.push(download);
      if (downloads.length === count) resolve(downloads.toSorted((a, b) => isSources(a) - isSources(b)));
    });
  });
}

const isSources = (download: Download) => Number(download.suggestedFilename().endsWith("-sources.txt"));
const textOf = async (download: Download | undefined) => readFile((await download?.path()) ?? "", "utf8");

const dialog = (page: Page) => page.getByRole("dialog", { name: "Export to a file" });

test("all matching records are saved as CSV, with a file of their sources", async ({ page, home }) => {
  await withoutFilePicker(page);
  await page.goto(home + BOULDER);
  await page.getByRole("button", { name: "Export" }).click();
  await dialog(page).getByLabel("CSV values unchanged").check();
  const downloads = nextDownloads(page, 2);
  await dialog(page).getByRole("button", { name: "Save" }).click();
  const [table, sources] = await downloads;
  await expect(dialog(page).getByRole("status")).toContainText("Saved: 2,413 records");
  expect(table?.suggestedFilename()).toBe("Places-1-km-around-40.0165-105.271.csv");
  expect(sources?.suggestedFilename()).toBe("Places-1-km-around-40.0165-105.271-sources.txt");
  const { data } = Papa.parse<{ id: string }>(await textOf(table), { header: true, skipEmptyLines: true });
  expect(new Set(data.map(({ id }) => id)).size).toBe(2413);
  const attribution = await textOf(sources);
  expect(attribution).toContain("2,413 records");
  expect(attribution).toMatch(/meta: [\d,]+ records\n {2}Licence: CDLA-Permissive-2\.0/);
  expect(attribution).toContain(`${home}#/places?lat=40.0165`);
});

test("for spreadsheets no cell starts like a formula, and a mark tells Excel that the text is UTF-8", async ({
  page,
  home,
}) => {
  await withoutFilePicker(page);
  await page.goto(home + BOULDER);
  await page.getByRole("button", { name: "Export" }).click();
  await dialog(page).getByLabel("Spreadsheet").check();
  const downloads = nextDownloads(page, 2);
  await dialog(page).getByRole("button", { name: "Save" }).click();
  const [table] = await downloads;
  expect(table?.suggestedFilename()).toBe("Places-1-km-around-40.0165-105.271.csv");
  const text = await textOf(table);
  expect(text.startsWith("\uFEFFid,longitude,latitude,distance_meters,name,")).toBe(true);
  const { data } = Papa.parse<Record<string, string>>(text, { header: true, newline: "\r\n", skipEmptyLines: true });
  expect(data.length).toBe(2413);
  const cells = data.flatMap((row) => Object.values(row));
  expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell) && Number.isNaN(Number(cell)))).toEqual([]);
  expect(data.filter(({ phones }) => phones?.startsWith("'+1")).length).toBeGreaterThan(100);
  expect(data.every(({ longitude }) => longitude?.startsWith("-105."))).toBe(true);
});

for (const [format, label] of [
  ["geoparquet", "GeoParquet"],
  ["flatgeobuf", "FlatGeobuf"],
  ["gpx", "GPX"],
] as const) {
  test(`formats whose code loads on demand write complete files: ${label}`, async ({ page, home }) => {
    await withoutFilePicker(page);
    await page.goto(home + BOULDER);
    await page.getByRole("button", { name: "Export" }).click();
    await dialog(page).getByLabel(label).check();
    const downloads = nextDownloads(page, 2);
    await dialog(page).getByRole("button", { name: "Save" }).click();
    const [file] = await downloads;
    await expect(dialog(page).getByRole("status")).toContainText(/Saved: 2,413 records, [\d.]+ [kM]B/);
    expect(file?.suggestedFilename()).toBe(`Places-1-km-around-40.0165-105.271.${FORMATS[format].extension}`);
    const read = await readFormat(format, new Uint8Array(await readFile((await file?.path()) ?? "")));
    expect(new Set(read.map(({ id }) => id)).size).toBe(2413);
  });
}

test("several answers are joined directly into the chosen file", async ({ page, home, isMobile }) => {
  test.skip(isMobile, "the same worker does it on every screen");
  test.slow();
  await withChosenFile(page);
  await page.goto(home + EVERYWHERE);
  await page.getByRole("button", { name: "Export" }).click();
  await dialog(page).getByLabel("GeoJSON for map programs").check();
  const downloads = nextDownloads(page, 1);
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page)).toContainText(/[\d,]+ of 25,635 records, [\d.]+ [kM]B/, { timeout: 120_000 });
  await expect(dialog(page).getByRole("status")).toContainText("Saved: 25,635 records", { timeout: 120_000 });
  expect((await downloads).map((download) => download.suggestedFilename())).toEqual([
    "Roads-rail-20-000-km-around-40.0165-105.271-sources.txt",
  ]);
  const [text = ""] = Object.values(await chosenFiles(page));
  const { type, features } = JSON.parse(text) as { type: string; features: { id: string }[] };
  expect(type).toBe("FeatureCollection");
  expect(features.length).toBe(SEGMENTS);
  expect(new Set(features.map(({ id }) => id)).size).toBe(SEGMENTS);
});

test("a cancelled export leaves no file", async ({ page, home }) => {
  test.slow();
  await withChosenFile(page);
  await page.goto(home + EVERYWHERE);
  await page.getByRole("button", { name: "Export" }).click();
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page)).toContainText(/[1-9][\d,]* of 25,635 records/, { timeout: 120_000 });
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await expect(dialog(page).getByRole("status")).toHaveText("Cancelled. Nothing was saved.");
  // Retry: a file may disappear while it is read.
  await expect(async () => expect(await chosenFiles(page)).toEqual({})).toPass();
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("button", { name: "Export" })).toBeFocused();
});

test("an error is shown, and a second attempt saves everything", async ({ page, home, host }) => {
  await withoutFilePicker(page);
  await page.goto(`${home}#/addresses?country=US`);
  await page.getByRole("button", { name: "Export" }).click();
  // The page has read what its first 25 records need. All matching records need more.
  const find = host.lose(/\/address\/.*\.(pack|parquet)$/);
  await dialog(page).getByLabel("JSON the answer of the API").check();
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("Nothing was saved.");
  await expect(dialog(page).getByRole("alert")).toContainText(/\.(pack|parquet)/);
  find();
  const downloads = nextDownloads(page, 2);
  await dialog(page).getByRole("button", { name: "Try again" }).click();
  const [file] = await downloads;
  expect(JSON.parse(await textOf(file)).length).toBe(10_332);
});

test("the keyboard alone is enough from the search to a result, its detail and an export", async ({ page, home }) => {
  await withoutFilePicker(page);
  await page.goto(home);
  const isFocused = (name: string | RegExp) =>
    page
      .evaluate(() => {
        const element = document.activeElement;
        const labels =
          element instanceof HTMLInputElement ? Array.from(element.labels ?? [], (l) => l.textContent) : [];
        return `${labels.join()} ${element?.getAttribute("aria-label") ?? ""} ${element?.textContent ?? ""}`;
      })
      .then((label) => new RegExp(name).test(label));
  const press = async (key: string, name: string | RegExp) => {
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press(key);
      if (await isFocused(name)) return;
    }
    throw new Error(`${name} cannot be reached with ${key}`);
  };
  await press("Tab", /^ Search $/);
  await page.keyboard.type("43.7347, 7.4206");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("list", { name: "Results" })).toBeVisible();
  await press("Tab", /^\s*1\S/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("article")).toBeVisible();
  await press("Tab", "Next record");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("article")).toContainText("3 of ");
  await page.keyboard.press("Escape");
  await expect.poll(() => isFocused(/^\s*3\S/)).toBe(true);
  await press("Shift+Tab", /^\s*Export\s*$/);
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toBeVisible();
  await press("Tab", /^\s*Spreadsheet/);
  await page.keyboard.press("ArrowDown");
  expect(await isFocused(/GeoJSON/)).toBe(true);
  const downloads = nextDownloads(page, 2);
  await page.keyboard.press("Enter");
  const [table] = await downloads;
  expect(table?.suggestedFilename()).toMatch(/^Places-1-km-around-43\.7347-7\.4206\.geojson$/);
  await expect(dialog(page).getByRole("button", { name: "Close" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect.poll(() => isFocused(/^\s*Export\s*$/)).toBe(true);
});
