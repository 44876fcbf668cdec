import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";

test.use({ hasMap: true });

/** Presses Tab, or Shift and Tab, until the focused element has this name. */
async function tabTo(page: Page, name: RegExp, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press(key);
    const label = await page.evaluate(() => {
      const { activeElement: element } = document;
      const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])].map((l) => l.textContent) : [];
      return `${labels.join()} ${element?.getAttribute("aria-label") ?? ""} ${element?.textContent ?? ""}`;
    });
    if (name.test(label)) return;
  }
  throw new Error(`${name} cannot be reached with ${key}`);
}

test("the keyboard alone searches, moves through results, opens a record, goes back and exports", async ({
  page,
  home,
}) => {
  await page.addInitScript(() => Reflect.deleteProperty(Window.prototype, "showSaveFilePicker"));
  await page.addInitScript(() => Reflect.deleteProperty(window, "showSaveFilePicker"));
  await page.goto(home);
  await tabTo(page, /^\s*Search\s*$/);
  await page.keyboard.type("monaco");
  await expect(page.getByRole("option").first()).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("option", { selected: true })).toHaveText(/Monaco/);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("option")).toHaveCount(0);
  await tabTo(page, /Type a point/);
  await page.keyboard.press("Enter");
  await tabTo(page, /Latitude/);
  await page.keyboard.type("43.7347");
  await tabTo(page, /Longitude/);
  await page.keyboard.type("7.4206");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toHaveText(/places found/);

  const results = page.getByRole("main").getByRole("listitem").getByRole("button");
  await tabTo(page, /^ {2}1\D/);
  await expect(results.first()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(results.nth(1)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /Back to the list/ })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(results.nth(1)).toBeFocused();

  await tabTo(page, /^ {2}Export$/, "Shift+Tab");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Export to a file" });
  await expect(dialog).toBeVisible();
  await tabTo(page, /Spreadsheet/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(dialog.getByLabel("CSV values unchanged")).toBeChecked();
  const download = page.waitForEvent("download");
  await tabTo(page, /^ {2}Save$/);
  await page.keyboard.press("Enter");
  expect((await download).suggestedFilename()).toMatch(/^Places-.*\.csv$/);
  await expect(dialog.getByRole("status")).toContainText("Saved:");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("the search box is near, and the results are one step away", async ({ page, home }) => {
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Skip to the results" })).toBeInViewport();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("combobox", { name: "Search" })).toBeFocused();
  await page.getByRole("button", { name: "Skip to the results" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await tabTo(page, /^ {2}1\D/);
});

test("Enter on the map searches its centre", async ({ page, home }) => {
  await page.goto(`${home}#/places?lat=43.7347&lng=7.4206&radius=500&view=15/40.0165/-105.271`);
  await expect(page.getByRole("status")).toHaveText(/places found/);
  await page.getByLabel(/Enter searches its centre/).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/lat=40\.0165&lng=-105\.271&radius=500/);
});

test("the menu opens and closes with the keyboard, and the focus returns", async ({ page, home }) => {
  await page.goto(home);
  const menu = page.getByRole("button", { name: "Menu" });
  await menu.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "About" }).focus();
  await page.keyboard.press("Enter");
  const about = page.getByRole("dialog", { name: "About" });
  await expect(about).toContainText("OpenStreetMap");
  await page.keyboard.press("Escape");
  await expect(about).toBeHidden();
  await expect(menu).toBeFocused();
});

test("text typed into a field as soon as it exists stays", async ({ page, home }) => {
  // A person cannot be that fast, but a busy machine can be that slow.
  await page.addInitScript(() => {
    const texts = { ".search-box input": "monaco", "#where input": "43.5" };
    new MutationObserver(() => {
      for (const [selector, text] of Object.entries(texts)) {
        const input = document.querySelector<HTMLInputElement>(`${selector}:not([data-typed])`);
        if (!input) continue;
        input.dataset.typed = "";
        input.value = text;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(home);
  await expect(page.getByRole("option").first()).toBeVisible();
  const search = page.getByRole("combobox", { name: "Search" });
  await expect(search).toHaveValue("monaco");
  // Suggestions cover what is below them.
  await search.press("Escape");
  await expect(page.getByRole("option")).toHaveCount(0);
  await page.getByRole("button", { name: /Type a point/ }).click();
  await expect(page.getByLabel("Latitude")).toHaveAttribute("data-typed");
  await page.getByLabel("Longitude").fill("7.5");
  await expect(page.getByLabel("Latitude")).toHaveValue("43.5");
});

for (const [locale, width] of [
  ["en-GB", 1280],
  ["de", 390],
  ["ar", 1280],
] as const) {
  test.describe(`kinds in ${locale}, ${width} pixels wide`, () => {
    test.use({ locale, viewport: { width, height: 800 }, hasMap: false });
    test("are one row, where arrow keys choose and bring into view", async ({ page, home }) => {
      await page.goto(home + BOULDER);
      const kinds = page.locator(".search-form > .chips");
      const tops = () =>
        kinds.locator(".chip").evaluateAll((chips) => chips.map((chip) => chip.getBoundingClientRect().top));
      await expect.poll(async () => (await tops()).length).toBeGreaterThan(5);
      expect(new Set(await tops()).size).toBe(1);
      // a group of radio buttons is one stop of Tab, and its ends meet
      await kinds.locator(":checked").focus();
      const first = await kinds.locator(":checked").getAttribute("value");
      await page.keyboard.press("ArrowUp");
      const last = kinds.locator(".chip").last();
      await expect(last.locator("input")).toBeChecked();
      await expect(last).toBeInViewport({ ratio: 1 });
      await page.keyboard.press("ArrowDown");
      await expect(kinds.locator(":checked")).toHaveAttribute("value", first ?? "");
      await expect(kinds.locator(".chip").first()).toBeInViewport({ ratio: 1 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    });
  });
}
