import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, type Page, type Route, test } from "@playwright/test";
import Papa from "papaparse";
import { LANGUAGES } from "../../data/format/languages.ts";
import { buildDataset } from "../../pipeline/builder/dataset/build.ts";
import { makeSite } from "../../pipeline/cli/commands/make-site.ts";
import { parseSettings } from "../../pipeline/cli/map/settings.ts";
import { seriousFaults } from "../support/axe.ts";
import { PAGE_FOLDER } from "../support/folders.ts";
import { type StaticServer, startStaticServer } from "../support/static-server.ts";
import { type ExamplesServer, startExamples } from "./examples-server.ts";

const TABLE = "docs/examples/bike-shops.csv";
const GALWAY = { latitude: 53.2743, longitude: -9.0514 };
/** Compressed, before the visitor's first click. */
const MOST_BYTES = 60_000;

let folder: string;
let site: StaticServer;
let examples: ExamplesServer;

/** The site of a map project, whose `map.json` has two filters. */
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-locator-"));
  const [dataset, out] = [join(folder, "dataset"), join(folder, "site")];
  await buildDataset({ sources: [TABLE], out: dataset });
  const map = parseSettings({ title: "Shops", table: "bike-shops.csv", filters: ["Cargo bikes", "Town"] });
  await makeSite({ dataset, out, page: PAGE_FOLDER, map });
  site = await startStaticServer({ folders: { "/": out } });
  examples = await startExamples(site.url);
});
test.afterAll(async () => {
  await examples.close();
  await site.close();
  await rm(folder, { recursive: true });
});

test.use({ geolocation: GALWAY, permissions: ["geolocation"], timezoneId: "Europe/Dublin", locale: "en-GB" });

interface Shop {
  readonly Name: string;
  readonly Category: string;
  readonly Town: string;
}

async function shopsOf(): Promise<readonly Shop[]> {
  return Papa.parse<Shop>((await readFile(TABLE, "utf8")).trim(), { header: true }).data;
}

async function openLocator(page: Page) {
  await page.goto(`${examples.url}html/locator.html`);
  const element = page.locator("cairn-map");
  await element.getByRole("button", { name: "Show our shops" }).click();
  const list = element.getByRole("list", { name: "Results" });
  return { element, list, rows: list.getByRole("button"), status: element.getByRole("status") };
}

test("before the click the page loads the element's script only, in at most 60 KB", async ({ page }) => {
  const bodies: Promise<Buffer>[] = [];
  page.on("response", (response) => {
    if (response.url().startsWith(site.url)) bodies.push(response.body());
  });
  await page.goto(`${examples.url}html/locator.html`);
  await expect(page.getByRole("button", { name: "Show our shops" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  const bytes = (await Promise.all(bodies)).map((body) => gzipSync(body).byteLength);
  expect(bytes.length).toBeGreaterThan(0);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(MOST_BYTES);
});

test("the list has all shops by name, filters with counts, and the nearest first on request", async ({ page }) => {
  const shops = await shopsOf();
  const { element, rows, status } = await openLocator(page);
  await expect(status).toHaveText("40 found");
  const names = shops.map(({ Name }) => Name).sort((a, b) => a.localeCompare(b, "en"));
  await expect(rows.locator(".title")).toHaveText(names);

  await element.getByText("Filters").click();
  const workshops = shops.filter(({ Category }) => Category === "Workshop").length;
  await element.getByLabel("Category").selectOption({ label: `Workshop (${workshops})` });
  await expect(rows).toHaveCount(workshops);
  await expect(status).toHaveText(`${workshops} found`);
  // the counts of a filter do not depend on the filter itself
  await expect(element.getByLabel("Category").locator("option")).toHaveCount(
    new Set(shops.map(({ Category }) => Category)).size + 1,
  );
  await element.getByRole("group", { name: "Open since" }).getByLabel("From").fill("2015-01-01");
  await element.getByRole("group", { name: "Open since" }).getByLabel("From").blur();
  await expect.poll(() => rows.count()).toBeLessThan(workshops);
  await element.getByRole("button", { name: "Clear all filters" }).click();
  await expect(rows).toHaveCount(40);

  const near = element.getByRole("button", { name: "Near me" });
  await near.click();
  await expect(near).toHaveAttribute("aria-pressed", "true");
  await expect(rows.first()).toContainText("Galway");
  const meters = (await rows.locator(".distance").allTextContents()).map(
    (text) => Number.parseFloat(text) * (text.endsWith("km") ? 1000 : 1),
  );
  expect(meters).toEqual(meters.toSorted((a, b) => a - b));
  await near.click();
  await expect(rows.locator(".title")).toHaveText(names);
  expect(await seriousFaults(page)).toEqual([]);
});

test("a shop has its hours, contacts and directions, with the keyboard alone", async ({ page }) => {
  // a Saturday at 12:30 in Ireland
  await page.clock.setFixedTime(new Date("2026-11-28T12:30:00Z"));
  const { element, rows, status } = await openLocator(page);
  await expect(status).toHaveText("40 found");
  await rows.first().focus();
  await page.keyboard.press("End");
  await expect(rows.last()).toBeFocused();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await expect(rows.nth(1)).toBeFocused();
  await expect(rows.and(page.locator("[tabindex='0']"))).toHaveCount(1);
  await element.evaluate((map) =>
    map.addEventListener("cairn-select", (event) => {
      map.dataset.chosen = String((event as CustomEvent).detail.properties.Name);
    }),
  );
  const name = (await rows.nth(1).locator(".title").textContent()) ?? "";
  await page.keyboard.press("Enter");
  const detail = element.getByRole("article", { name });
  await expect(detail.getByRole("button", { name: "Back to the list" })).toBeFocused();
  await expect(element).toHaveAttribute("data-chosen", name);
  await expect(detail.getByRole("link", { name: "Directions" })).toHaveAttribute(
    "href",
    /openstreetmap\.org\/directions\?to=5\d\.\d+%2C-\d\.\d+/,
  );
  await expect(detail.getByRole("link", { name: /^\+353/ })).toHaveAttribute("href", /^tel:\+353/);
  await expect(detail.locator("dt")).toHaveText(["Cargo bikes", "Rental per day", "Open since"]);
  await detail.getByText("Opening hours").click();
  await expect(detail.getByRole("row")).toHaveCount(7);
  await expect(detail.locator("[aria-current=date]")).toContainText("Saturday");
  expect(await seriousFaults(page)).toEqual([]);
  await detail.getByRole("button", { name: "Back to the list" }).focus();
  await page.keyboard.press("Escape");
  await expect(rows.nth(1)).toBeFocused();

  // on Sunday at 7 only the workshop that never closes is open
  await page.clock.setFixedTime(new Date("2026-11-29T07:00:00Z"));
  await element.getByLabel("Open now").check();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Open now");
  await expect(status).toHaveText("1 found");
});

test("filters come from map.json, and conditions of the page's owner always hold", async ({ page }) => {
  const shops = await shopsOf();
  const { element, rows, status } = await openLocator(page);
  await expect(status).toHaveText("40 found");
  await element.getByText("Filters").click();
  const fields = element.locator(".field > :first-child:is(span, legend)");
  await expect(fields).toHaveText(["Category", "Town", "Open since"]);
  await element.evaluate((map) => map.removeAttribute("filters"));
  await expect(fields).toHaveText(["Cargo bikes", "Town"]);
  await element.evaluate((map) => map.setAttribute("filter", "Town=Galway"));
  await expect(fields).toHaveText(["Cargo bikes"]);
  await expect(rows).toHaveCount(shops.filter(({ Town }) => Town === "Galway").length);
  await element.evaluate((map) => map.setAttribute("filters", "Category, Colour"));
  await expect(status).toContainText("filters: no column Colour; the table has Name, Category");
});

test("map.json that cannot be read is asked for again, by the next search", async ({ page }) => {
  let isRefused = false;
  const refuse = async (route: Route) => {
    await route.fulfill({ status: 503 });
    isRefused = true;
  };
  await page.route("**/embed/map.json", refuse, { times: 1 });
  const { element, status } = await openLocator(page);
  await expect(status).toHaveText("40 found");
  await element.evaluate((map) => map.removeAttribute("filters"));
  await element.getByText("Filters").click();
  const fields = element.locator(".field > :first-child:is(span, legend)");
  await expect(fields.first()).toBeVisible();
  // a search that starts earlier shares the refused request
  await expect.poll(() => isRefused).toBe(true);
  expect(await fields.allTextContents()).not.toEqual(["Cargo bikes", "Town"]);
  await element.evaluate((map) => map.setAttribute("filter", "Town=Galway"));
  await expect(fields).toHaveText(["Cargo bikes"]);
});

test("the list is below the map in a narrow container, and beside it in a wide one", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { element, list, status } = await openLocator(page);
  await expect(status).toHaveText("40 found");
  const boxes = async () => {
    const [map, rows] = [await element.locator(".stage").boundingBox(), await list.locator("..").boundingBox()];
    if (!map || !rows) throw new Error("not drawn");
    return { map, rows };
  };
  const narrow = await boxes();
  expect(narrow.rows.y).toBeGreaterThanOrEqual(narrow.map.y + narrow.map.height);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.setViewportSize({ width: 1280, height: 800 });
  const wide = await boxes();
  expect(wide.rows.x + wide.rows.width).toBeLessThanOrEqual(wide.map.x + 1);
  // the container counts, not the window
  await element.evaluate((map) => {
    map.style.width = "390px";
  });
  const inner = await boxes();
  expect(inner.rows.y).toBeGreaterThanOrEqual(inner.map.y + inner.map.height);
});

test("texts are in the language of the page around the element", async ({ page }) => {
  const { element, status } = await openLocator(page);
  await expect(status).toHaveText("40 found");
  const texts = new Set<string>();
  for (const language of LANGUAGES) {
    await page.evaluate((code) => {
      document.documentElement.lang = code;
      const map = document.querySelector("cairn-map");
      map?.replaceWith(map);
    }, language);
    const near = element.locator(".tools button");
    const messages = JSON.parse(await readFile(`web/app/text/messages/${language}.json`, "utf8"));
    await expect(near).toHaveText(messages["shop.near"]);
    await expect(element.locator(".frame")).toHaveAttribute("dir", language === "ar" ? "rtl" : "ltr");
    texts.add((await status.textContent()) ?? "");
  }
  expect(texts.size).toBeGreaterThan(7);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`texts have enough contrast on a ${colorScheme} device`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    const { element, rows, status } = await openLocator(page);
    await expect(status).toHaveText("40 found");
    await element.getByText("Filters").click();
    await element.getByRole("button", { name: "Near me" }).click();
    await expect(rows.first()).toContainText("Galway");
    expect(await seriousFaults(page)).toEqual([]);
    await rows.first().click();
    await expect(element.getByRole("article")).toBeVisible();
    expect(await seriousFaults(page)).toEqual([]);
  });
}
