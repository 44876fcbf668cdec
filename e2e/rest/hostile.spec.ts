import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import Papa from "papaparse";
import { test as base, expect } from "../support/fixtures.ts";
import { PAGE_FOLDER } from "../support/folders.ts";
import { buildHostileDataset, HOSTILE_NAMES, PLACE_COUNT } from "../support/hostile-data.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";
import { startStaticServer } from "../support/static-server.ts";

/** The page with a malicious dataset. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  host: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "cairn-hostile-"));
    const dataset = await buildHostileDataset(folder);
    const host = await startStaticServer({ folders: { "/maps/": PAGE_FOLDER, "/maps/dataset/": dataset } });
    await use(host);
    await host.close();
    await rm(folder, { recursive: true, force: true });
  },
  home: async ({ host }, use) => use(`${host.url}maps/`),
});

const SEARCH = "places?lat=43.7384&lng=7.4246&radius=2000";
/** Opened records: markup, a script, a reversed direction, a NUL, and ten thousand characters. */
const OPENED = 5;
const sorted = (names: readonly string[]) => [...names].sort();
/** Text as displayed: white space is collapsed, and invisible characters are not compared. */
const shown = (text: string) => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();

interface Place {
  readonly properties: { readonly names: { readonly primary: string } };
}
const namesOf = (places: readonly Place[]) => sorted(places.map(({ properties }) => properties.names.primary));

function ask(page: Page, address: string): Promise<string> {
  return page.evaluate(async (address) => (await fetch(address)).text(), address);
}

/** No data became an element of the page. */
async function expectTextAlone(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    ran: "ran" in window,
    // the page has one script of its own in the body
    elements: document.querySelectorAll(
      "img[src='x'], svg[onload], [onerror], body script:not([src^='./assets/first-land-'])",
    ).length,
    schemes: [...document.querySelectorAll("a")].map(({ protocol }) => protocol),
  }));
  expect(found.ran).toBe(false);
  expect(found.elements).toBe(0);
  expect(found.schemes.filter((scheme) => !["http:", "https:", "mailto:", "tel:", "geo:"].includes(scheme))).toEqual(
    [],
  );
}

test("names from data are text: in the list, the record, suggestions, the map, and every export", async ({
  page,
  home,
  host,
}) => {
  test.slow();
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  // Then an export is a download, which the test can read.
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "showSaveFilePicker");
    Reflect.deleteProperty(Window.prototype, "showSaveFilePicker");
  });
  await page.goto(`${home}#/${SEARCH}`);
  await expect(page.getByRole("status")).toHaveText(`${PLACE_COUNT} places found`);
  const titles = page.locator(".result-title");
  await expect(titles.first()).toHaveText(HOSTILE_NAMES[0] ?? "");
  await expectTextAlone(page);

  const box = page.getByRole("combobox").first();
  await box.fill("img src");
  await expect(page.getByRole("option").filter({ hasText: "<img src=x" }).first()).toBeVisible();
  await expectTextAlone(page);
  await box.fill("");
  await page.keyboard.press("Escape");

  // The worst of them, each with all of its data.
  await page.getByRole("list", { name: "Results" }).getByRole("button").first().click();
  const detail = page.getByRole("article");
  for (const [index, name] of HOSTILE_NAMES.slice(0, OPENED).entries()) {
    await expect(detail).toContainText(`${index + 1} of ${PLACE_COUNT}`);
    const heading = await detail.getByRole("heading", { level: 2 }).textContent();
    expect(shown(heading ?? "")).toBe(shown(name));
    await detail.evaluate((article) => {
      for (const details of article.querySelectorAll("details")) details.open = true;
    });
    await expect(detail.getByRole("link", { name: "example.com" })).toHaveAttribute("href", "https://example.com/");
    await expectTextAlone(page);
    if (index + 1 < OPENED) await detail.getByRole("button", { name: "Next record" }).click();
  }
  // The longest name, ten thousand characters, does not widen the panel.
  const panel = await detail.boundingBox();
  expect(panel?.width).toBeLessThan(600);
  await detail.getByRole("button", { name: "Back to the list" }).click();

  await serviceWorkerReady(page);
  expect(namesOf(JSON.parse(await ask(page, SEARCH)) as Place[])).toEqual(sorted(HOSTILE_NAMES));
  const collection = JSON.parse(await ask(page, `${SEARCH}&format=geojson`)) as { features: Place[] };
  expect(namesOf(collection.features)).toEqual(sorted(HOSTILE_NAMES));

  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export to a file" });
  await dialog.getByLabel("CSV values unchanged").check();
  const downloads: Promise<string>[] = [];
  page.on("download", (download) => downloads.push(download.path().then((path) => readFile(path, "utf8"))));
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => downloads.length).toBe(2);
  const [table = "", sources = ""] = await Promise.all(downloads);
  const { data } = Papa.parse<{ name: string }>(table, { header: true, skipEmptyLines: true });
  expect(sorted(data.map(({ name }) => name))).toEqual(sorted(HOSTILE_NAMES));
  // Each source has its lines, and adds no others.
  expect(sources.split("\n").filter((line) => /^\s*(evil|none)$/.test(line))).toEqual([]);
  expect(sources).toContain("evil <img src=x");

  await expectTextAlone(page);
  expect(dialogs).toEqual([]);
  expect(host.sent.filter(({ path }) => /\/x$|evil/.test(path))).toEqual([]);
});
