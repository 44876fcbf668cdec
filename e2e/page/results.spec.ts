import type { Page } from "@playwright/test";
import { distanceTo } from "../../web/engine/testing/oracle.ts";
import { readStoredRows } from "../../web/engine/testing/stored-rows.ts";
import { atRest } from "../support/duckdb.ts";
import { expect, test } from "../support/fixtures.ts";
import { DATASET_FOLDER } from "../support/folders.ts";
import { openPages, pagesOf } from "../support/pages.ts";
import { BOULDER } from "../support/searches.ts";
import type { StaticServer } from "../support/static-server.ts";

const rows = (page: Page) => page.getByRole("list", { name: "Results" }).getByRole("listitem");
const pager = (page: Page) => page.getByRole("navigation", { name: "Pages of results" });
const PLACE_FILE = /\/place\/.*\.(pack|parquet)$/;
const publishFiles = (host: StaticServer) => host.sent.filter(({ path }) => PLACE_FILE.test(path)).length;

test("a number of four digits fits next to its title", async ({ page, home }) => {
  await page.goto(`${home}${BOULDER}&limit=1000&page=1`);
  const row = page.getByRole("main").getByRole("listitem").first();
  await expect(row).toContainText("1,001");
  const [number, title] = await Promise.all(
    [".result-number", ".result-title"].map((part) => row.locator(part).boundingBox()),
  );
  expect((number?.x ?? 0) + (number?.width ?? 0)).toBeLessThan(title?.x ?? 0);
  // The badge shows the complete number.
  expect(await row.locator(".result-number").evaluate((badge) => badge.scrollWidth - badge.clientWidth)).toBe(0);
});

test("while waiting, the user sees how much map data has loaded", async ({ page, context, home }) => {
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  await context.route(/\/place\/_records\//, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(home + BOULDER);
  await expect(page.locator(".status")).toContainText(/Searching…\s*Map data: \d+(\.\d)? [kKM]B/);
  go();
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await expect(page.locator(".status")).not.toContainText("Map data");
});

test("the list grows at its end, and keeps its place", async ({ page, home, savesData }) => {
  await page.goto(home + BOULDER);
  await expect(rows(page)).toHaveCount(25);
  const more = page.getByRole("button", { name: "Show more (25 of 2,413)" });
  if (savesData) {
    await more.scrollIntoViewIfNeeded();
    await more.click();
  } else await rows(page).last().scrollIntoViewIfNeeded();
  await expect(rows(page)).toHaveCount(50);
  const titles = await rows(page).locator(".result-title").allTextContents();
  await expect(rows(page).nth(25)).toContainText("26");
  // The address is that of the first page, and a record of the second one opens.
  expect(page.url()).not.toContain("page=");
  await rows(page).nth(30).getByRole("button").click();
  await expect(page.getByRole("article")).toContainText("31 of 2,413");
  await page.getByRole("button", { name: "Back to the list" }).click();
  await expect(rows(page).nth(30).getByRole("button")).toBeFocused();
  await page.goto(`${home}${BOULDER}&page=1`);
  await expect(page.getByRole("main")).toContainText("26–50 of 2,413");
  expect(await rows(page).locator(".result-title").allTextContents()).toEqual(titles.slice(25, 50));
  await page.getByRole("button", { name: "First page" }).click();
  await expect(rows(page).first()).toHaveAttribute("aria-posinset", "1");
});

test("pages are consecutive, and back goes back", async ({ page, home }) => {
  await page.goto(home + BOULDER);
  await openPages(page);
  const main = pagesOf(page);
  await expect(main).toContainText("1–25 of 2,413");
  await expect(main.getByRole("link", { name: "API" })).toHaveAttribute("href", /places\?lat=40\.0165.*limit=25$/);
  await expect(pager(page)).toContainText("of 97");
  await expect(pager(page).getByRole("button", { name: "Previous page" })).toBeDisabled();
  await pager(page).getByRole("button", { name: "Next page" }).click();
  await expect(main).toContainText("26–50 of 2,413");
  await expect(rows(page).first()).toContainText("26");
  await pager(page).getByRole("button", { name: "Last page" }).click();
  await expect(main).toContainText("2,401–2,413 of 2,413");
  await expect(rows(page)).toHaveCount(13);
  await expect(pager(page).getByRole("button", { name: "Next page" })).toBeDisabled();
  await page.goBack();
  await expect(main).toContainText("26–50 of 2,413");
  await pager(page).getByLabel("Page", { exact: true }).fill("40");
  await page.keyboard.press("Enter");
  await expect(main).toContainText("976–1,000 of 2,413");
  await pager(page).getByLabel("Page", { exact: true }).fill("98");
  await page.keyboard.press("Enter");
  // A missing page is refused, and the list stays.
  await expect(pager(page).getByLabel("Page", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await expect(main).toContainText("976–1,000 of 2,413");
  await page.getByLabel("Results per page").selectOption("100");
  await expect(main).toContainText("901–1,000 of 2,413");
  await expect(rows(page)).toHaveCount(100);
  await expect(page.getByRole("main")).toContainText("901–1,000 of 2,413");
  await pager(page).getByRole("button", { name: "First page" }).click();
  await expect(main).toContainText("1–100 of 2,413");

  // By name: all records are read and sorted, and the next page continues.
  await page.getByLabel("Order").selectOption("By name");
  await expect(page).toHaveURL(/&sort=name/);
  await expect(rows(page).first()).toContainText("1st Pro Heating & A/C");
  await pager(page).getByRole("button", { name: "Next page" }).click();
  await expect(main).toContainText("101–200 of 2,413");
  const titles = await rows(page).locator(".result-title").allTextContents();
  expect(titles).toEqual(titles.toSorted(new Intl.Collator("en", { numeric: true }).compare));
  // Too many records to sort are reported.
  await page.goto(`${home}#/buildings?lat=40.0165&lng=-105.271&radius=5000&limit=25&sort=name`);
  await expect(page.getByRole("main")).toContainText("By name: for up to 5,000 results");
  await expect(page.getByLabel("Order")).toHaveValue("");
});

test("resting the pointer on a control loads what it opens", async ({ page, home, host, isMobile }) => {
  test.skip(isMobile, "a finger is on a button no longer than it takes to press it");
  await page.goto(home + BOULDER);
  await openPages(page);
  const main = pagesOf(page);
  await expect(main).toContainText("1–25 of 2,413");
  const before = publishFiles(host);
  await pager(page).getByRole("button", { name: "Last page" }).hover();
  await expect.poll(() => publishFiles(host)).toBeGreaterThan(before);
  await atRest(page, host);
  host.lose(PLACE_FILE);
  await pager(page).getByRole("button", { name: "Last page" }).click();
  await expect(main).toContainText("2,401–2,413 of 2,413");
});

test("moving to a page preloads the next one, unless the user saves data", async ({ page, home, host, savesData }) => {
  const at = (lat: number) => `${home}#/places?lat=${lat}&lng=-105.271&radius=300`;
  const found = page.getByRole("status");
  const answered = async () => {
    await expect(found).toHaveText(/^[\d,]+ places found/);
    return found.textContent();
  };
  await page.goto(at(40.0165));
  const first = await answered();
  await page.goto(at(40.0192));
  await expect(found).not.toHaveText(first ?? "");
  const second = await answered();
  await atRest(page, host);
  host.lose(PLACE_FILE);
  await page.goto(at(40.0219));
  if (savesData) {
    await expect(page.getByRole("alert")).toContainText("Part of the map data could not be loaded");
    return;
  }
  await expect(found).not.toHaveText(second ?? "");
  await answered();
});

test("a small index is loaded before the first search, unless the user saves data", async ({
  page,
  home,
  host,
  savesData,
}) => {
  const pages = () => host.sent.filter(({ path }) => path.includes("/_pages/")).map(({ path }) => path);
  const of = (collection: string) => pages().filter((path) => path.includes(`/${collection}/_pages/`)).length;
  await page.goto(home);
  // The number of requests depends on other requests.
  for (const name of savesData ? [] : ["segment", "division"]) await expect.poll(() => of(name)).toBeGreaterThan(0);
  await atRest(page, host);
  const ahead = pages();
  await page.goto(`${home}#/transportation?lat=40.0176&lng=-105.2797&radius=300&limit=25`);
  await expect(page.getByRole("status")).toContainText("segments found");
  // With a loaded index the search requests none of it; otherwise, only what it needs.
  if (savesData) expect([of("segment"), of("division")]).toEqual([1, 0]);
  else expect(pages()).toEqual(ahead);
});

test("a long list draws its visible part, and gives a screen reader all of it", async ({ page, home }) => {
  await page.goto(`${home}${BOULDER}&limit=1000`);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  const first = rows(page).first();
  await expect(first).toHaveAttribute("aria-setsize", "2413");
  await expect(first).toHaveAttribute("aria-posinset", "1");
  expect(await rows(page).count()).toBeLessThan(60);

  await first.getByRole("button").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("PageDown");
  const focused = () => page.evaluate(() => document.activeElement?.closest("li")?.getAttribute("aria-posinset"));
  expect(Number(await focused())).toBeGreaterThan(2);
  await page.keyboard.press("End");
  await expect.poll(focused).toBe("1000");
  await expect(page.locator("[aria-posinset='1000']")).toBeInViewport();
  await page.keyboard.press("ArrowUp");
  await expect.poll(focused).toBe("999");

  await page.keyboard.press("Enter");
  await expect(page.getByRole("article")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect.poll(focused).toBe("999");
  await expect(page.locator("[aria-posinset='999']")).toBeInViewport();
  await page.keyboard.press("Home");
  await expect.poll(focused).toBe("1");
  await page.keyboard.press("Tab");
  await expect(page.locator(".result-list :focus"), "Tab leaves the list").toHaveCount(0);
});

test("an empty answer offers the nearest record and towns with records", async ({ page, home, savesData }) => {
  await page.goto(`${home}#/places?lat=40.0165&lng=-105.271&radius=50&categories=fire_department`);
  const main = page.getByRole("main");
  await expect(main).toContainText("No results here");
  const { name, meters } = nearestOf(await readStoredRows<Place>(DATASET_FOLDER, "place"), (place) =>
    [place.categories?.primary, ...(place.categories?.alternate ?? [])].includes("fire_department"),
  );
  await expect(main).toContainText(`The nearest is “${name}”, `);
  await main.getByRole("button", { name: /^Search within/ }).click();
  await expect(page.getByRole("status")).toHaveText(/places? found/);
  const radius = Number(/radius=(\d+)/.exec(page.url())?.[1]);
  expect(radius).toBeGreaterThan(meters);
  expect(radius).toBeLessThan(meters * 1.11 + 1);
  await expect(main).toContainText(name);

  await page.goto(`${home}#/places?lat=35.68&lng=139.76&radius=1000`);
  const where = savesData ? "United States (3,545), Monaco (771), France (21)." : "Boulder (3,545), Monaco (792).";
  await expect(main).toContainText(`Places in this map data: ${where}`);
  // Nothing is read for them if the user saves data.
  if (savesData) return;
  await main.getByRole("link", { name: "Monaco", exact: true }).click();
  await expect(page.getByRole("button", { name: "1 km around Monaco" })).toBeVisible();
  await expect(page.getByRole("status")).toHaveText(/^[1-9]\d* places found/);
});

interface Place {
  readonly names?: { readonly primary?: string };
  readonly bbox: { readonly xmin: number; readonly ymin: number };
  readonly categories?: { readonly primary?: string; readonly alternate?: readonly string[] };
}

function nearestOf(places: readonly Place[], isWanted: (place: Place) => boolean): { name: string; meters: number } {
  const [best] = places
    .filter(isWanted)
    .map(({ names, bbox: { xmin, ymin } }) => ({
      name: names?.primary ?? "",
      meters: distanceTo([-105.271, 40.0165], { type: "Point", coordinates: [xmin, ymin] }),
    }))
    .sort((a, b) => a.meters - b.meters);
  if (!best) throw new Error("the sample has none");
  return best;
}

test("the chosen order is not cut off next to a count of two lines", async ({ page, home, isMobile }) => {
  test.skip(!isMobile, "the line is wide enough");
  for (const search of [BOULDER, "#/buildings?lat=40.0165&lng=-105.271&radius=3000"]) {
    await page.goto(home + search);
    await expect(page.getByRole("status").first()).toHaveText(/found$/);
    const order = page.getByRole("combobox", { name: "Order" });
    await expect(order).toBeVisible();
    const [shown, needed] = await order.evaluate((select) => {
      const width = () => select.getBoundingClientRect().width;
      const before = width();
      const { style } = select.parentElement as HTMLElement;
      style.flex = "none";
      const whole = width();
      style.flex = "";
      return [before, whole];
    });
    expect(shown, search).toBeCloseTo(needed ?? 0, 0);
  }
});
