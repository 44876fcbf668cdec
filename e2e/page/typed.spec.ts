import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { openPages } from "../support/pages.ts";
import { BOULDER } from "../support/searches.ts";

const box = (page: Page) => page.getByRole("combobox", { name: "Search" });
const status = (page: Page) => page.getByRole("status");

test("a page or radius out of range is refused with the allowed values", async ({ page, home }) => {
  await page.goto(home + BOULDER);
  await expect(status(page)).toHaveText("2,413 places found");
  await openPages(page);
  const field = page.getByRole("spinbutton", { name: "Page" });
  await field.fill("9999");
  await field.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("There is no page 9999: pages go from 1 to 97.");
  await field.fill("2");
  await field.press("Enter");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page).toHaveURL(/&page=1$/);
  await page.getByRole("dialog", { name: "How this was answered" }).getByRole("button", { name: "Close" }).click();

  await page.getByRole("button", { name: /1 km around/ }).click();
  const metres = page.getByLabel("Metres");
  for (const typed of ["-5", "1000000000"]) {
    await metres.fill(typed);
    await metres.press("Tab");
    await expect(page.getByRole("alert")).toHaveText(`“${typed}” is not a valid radius. Allowed: 1 to 20,015,086 m.`);
    await expect(page).toHaveURL(/radius=1000&/);
  }
  await page.goto(`${home}#/places?lat=40.0165&lng=-105.271&radius=1000000000`);
  await expect(page.getByRole("alert").last()).toContainText("radius=1000000000 (1–20015086)");
});

test("a name without results and without a chosen place offers a way to continue and keeps the chosen kind", async ({
  page,
  home,
}) => {
  await page.goto(home);
  await box(page).fill("zzqqzz");
  await box(page).press("Enter");
  await expect(page.getByRole("main")).toContainText("No country, region or town is called “zzqqzz”.");
  await box(page).fill("monaco");
  await page.getByRole("option", { name: /Monaco Country/ }).click();
  await expect(page).toHaveURL(/#\/places\?country=MC&/);
});

test("the search box uses the country on the map before the first search", async ({ page, home }) => {
  await page.goto(`${home}#/?view=14/43.7384/7.4246`);
  await box(page).fill("grimaldi");
  await expect(page.getByRole("option", { name: /grimaldi/i }).nth(1)).toBeVisible();
  await box(page).press("Enter");
  await expect(page).toHaveURL(/#\/places\?country=MC&name=grimaldi/);
  await expect(status(page)).toHaveText(/places? found/);
});

test("a purpose leads to a category", async ({ page, home }) => {
  await page.goto(`${home}#/?view=14/40.0165/-105.271`);
  await box(page).fill("i have toothache");
  await expect(page.getByRole("option", { name: /^Dentist|^dentist/ })).toBeVisible();
  await box(page).press("Enter");
  await expect(page).toHaveURL(/#\/places\?lat=40\.01.*&categories=dentist/);
  await expect(status(page)).toHaveText(/places? found/);
});

test("a code or a link of a map is a point", async ({ page, home }) => {
  await page.goto(home);
  for (const text of [
    "85GP2P8C+22",
    "2P8C+22 Boulder",
    "https://www.openstreetmap.org/#map=15/40.015/-105.28",
    "40 0.9 -105 16.8",
    "-105.28, 40.015",
    "13T 476103 4429530",
    "8a2681a33c27fff",
  ]) {
    await page.goto(`${home}#/`);
    await box(page).fill(text);
    await expect(page.getByRole("option"), text).toHaveCount(1);
    await box(page).press("Enter");
    await expect(page, text).toHaveURL(/#\/places\?lat=40\.01[45]\d*&lng=-105\.(28|27999|27994|279|2807)/);
  }
});

test("Enter follows a category in a place, keeps the text, and says which word it ignores", async ({ page, home }) => {
  await page.goto(home);
  await box(page).fill("cafes near Pearl Street Boulder");
  await expect(page.getByRole("option", { name: /^Cafe Search this category in Pearl Street/ })).toBeVisible();
  await box(page).press("Enter");
  await expect(page).toHaveURL(/#\/places\?lat=40\.01.*&categories=cafe&.*around=Pearl%20Street/);
  await expect(box(page)).toHaveValue("cafes near Pearl Street Boulder");

  await page.goto(`${home}#/`);
  await box(page).fill("vegan restaurants boulder cheap");
  await box(page).press("Enter");
  await expect(page).toHaveURL(/categories=vegan_restaurant/);
  await expect(page.getByText("Ignored: cheap.")).toBeVisible();
  await page.getByRole("button", { name: "Search names for “vegan restaurants boulder cheap”" }).click();
  await expect(page).toHaveURL(/name=vegan%20restaurants%20boulder%20cheap/);
  await expect(page.getByText("Ignored: cheap.")).toHaveCount(0);

  await page.goto(`${home}#/`);
  await box(page).fill("starbucks");
  await box(page).press("Enter");
  await expect(page).toHaveURL(/#\/places\?country=US&name=Starbucks/);
  await expect(status(page)).toHaveText("6 places found");
});

test("a category is found by its name in the page's language", async ({ page, home }) => {
  await page.goto(`${home}#/?view=14/43.7384/7.4246`);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByLabel("Language").selectOption("Deutsch");
  await page.keyboard.press("Escape");
  await page.getByRole("combobox").first().fill("apothe");
  await page
    .getByRole("option", { name: /^Apotheke/ })
    .first()
    .click();
  await expect(page).toHaveURL(/#\/places\?.*categories=pharmacy/);
  await expect(status(page)).toHaveText(/^\d+ Orte gefunden/);
  const first = page.getByRole("main").getByRole("listitem").first();
  await expect(first).toContainText("Apotheke");
  await first.getByRole("button").click();
  await expect(page.getByRole("article")).toContainText("Apotheke");
});

test("a place's name stays with its circle after reload, by link and with another radius, but not with another centre", async ({
  page,
  home,
  context,
}) => {
  await page.goto(home);
  await box(page).fill("boulder");
  await page.getByRole("option", { name: /^Boulder United States/ }).click();
  const where = page.getByRole("button", { name: "3 km around Boulder" });
  await expect(where).toBeVisible();
  await page.reload();
  await expect(where).toBeVisible();
  await expect(box(page)).toHaveValue("Boulder");
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole("button", { name: "3 km around Boulder" })).toBeVisible();
  await where.click();
  await page.getByLabel("Metres").fill("500");
  await page.getByLabel("Metres").press("Tab");
  await expect(page.getByRole("button", { name: "500 m around Boulder" })).toBeVisible();
  await page.getByLabel("Latitude").fill("40.02");
  await page.getByLabel("Latitude").press("Enter");
  await expect(page.getByRole("button", { name: /500 m around .40\.02/ })).toBeVisible();
  await expect(page).not.toHaveURL(/around=/);
});

test("the search box shows what it cannot look up while the host is unreachable", async ({ page, home, host }) => {
  await page.goto(home + BOULDER);
  await expect(status(page)).toHaveText("2,413 places found");
  host.lose(/\/dataset\//);
  await box(page).fill("quito");
  await expect(page.locator(".suggestions")).toContainText("Towns, places and streets need the network");
});

test("a street is all of its segments, not only the first", async ({ page, home }) => {
  await page.goto(home + BOULDER);
  await expect(status(page)).toHaveText("2,413 places found");
  await box(page).fill("pearl st");
  await page.getByRole("option", { name: "Pearl Street Street" }).click();
  await expect(page).toHaveURL(
    /#\/transportation\?.*types=segment.*name=Pearl%20Street|#\/transportation\?.*name=Pearl%20Street.*types=segment/,
  );
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows.nth(3)).toContainText("Pearl Street");
  expect(await rows.filter({ hasNotText: "Pearl Street" }).count()).toBe(0);
  await rows.first().getByRole("button").click();
  const record = page.getByRole("article");
  await expect(record.getByText("Class", { exact: true })).toBeVisible();
  await expect(record.getByText("Connectors", { exact: true })).toHaveCount(0);
});

test("all filters can be removed at once", async ({ page, home }) => {
  await page.goto(`${home}${BOULDER}&categories=dentist&has_contact=phone`);
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await expect(status(page)).toHaveText("2,413 places found");
  await expect(page.getByRole("button", { name: "Clear all filters" })).toHaveCount(0);
});

test("an address is suggested while typing, and a missing number leads to one near it", async ({ page, home }) => {
  await page.goto(`${home}#/?view=14/40.0165/-105.271`);
  await box(page).fill("1600 pearl");
  await page
    .getByRole("option", { name: /^1600 PEARL ST/i })
    .first()
    .click();
  await expect(page).toHaveURL(/#\/address\//);
  await expect(page.getByRole("article", { name: /1600 PEARL ST/i })).toBeVisible();
  await page.goto(`${home}#/?view=14/43.7384/7.4246`);
  await box(page).fill("999 rue grimaldi");
  await expect(page.getByRole("option", { name: /Rue Grimaldi/ }).first()).toBeVisible();
});
