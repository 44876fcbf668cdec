import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";

const alertOf = (page: Page, text: string) => page.getByRole("alert").filter({ hasText: text });
const LOST = "This part could not be loaded";

async function openBoulder(page: Page, home: string): Promise<void> {
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
}

test("each panel that fails to load is reported, and a retry opens it with its styles", async ({
  page,
  home,
  host,
}) => {
  await openBoulder(page, home);
  const names = await page.locator("#menu li button").allTextContents();
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) {
    const find = host.lose(/\/assets\/[\w-]+\.(js|css)$/);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.locator("#menu").getByRole("button", { name, exact: true }).click();
    const alert = alertOf(page, "Check the connection, then try again.");
    await expect(alert).toBeVisible();
    find();
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect(alert).toBeHidden();
    const dialog = page.getByRole("dialog", { name: name === "Export" ? "Export to a file" : name });
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  }
  // A failed stylesheet is removed, so it does not count as loaded.
  expect(
    await page
      .locator("link[rel=stylesheet]")
      .evaluateAll((links) => links.every((link) => "sheet" in link && link.sheet)),
  ).toBe(true);
});

test("a language that fails to load is reported, the page keeps its language, and a retry changes it", async ({
  page,
  home,
  host,
}) => {
  await page.goto(home);
  const find = host.lose(/\/assets\/de-[\w-]+\.js$/);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByLabel("Language").selectOption("de");
  const alert = alertOf(page, `Deutsch: ${LOST}`);
  await expect(alert).toBeVisible();
  await expect(page.getByLabel("Language")).toHaveValue("en");
  find();
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", /^de/);
  await expect(alert).toBeHidden();
});

test("an export whose code fails to load is reported, and a retry saves it", async ({ page, home, host }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "showSaveFilePicker");
    Reflect.deleteProperty(Window.prototype, "showSaveFilePicker");
  });
  await openBoulder(page, home);
  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export to a file" });
  const save = dialog.getByRole("button", { name: /^Save/ });
  await expect(save).toBeVisible();
  const find = host.lose(/\/assets\/[\w-]+\.js$/);
  await save.click();
  await expect(dialog.getByRole("alert")).toContainText("a part of the program could not be loaded");
  find();
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: /again/ }).click();
  await download;
});

test("a console whose code fails to load is reported, and another run starts it", async ({ page, home, host }) => {
  await openBoulder(page, home);
  await page.getByRole("button", { name: "Menu" }).click();
  const find = host.lose(/\/assets\/duckdb-blocking-[\w-]+\.js$/);
  await page.getByRole("button", { name: "SQL console" }).click();
  const panel = page.getByRole("dialog", { name: "SQL console" });
  const editor = panel.getByRole("textbox", { name: "SQL" });
  await expect(editor).toBeVisible();
  await editor.fill("SELECT 6 * 7 AS answer");
  await editor.press("Control+Enter");
  await expect(panel.getByRole("alert")).toContainText("a part of the program could not be loaded", {
    timeout: 60_000,
  });
  find();
  await editor.press("Control+Enter");
  await expect(panel.getByRole("cell", { name: "42" })).toBeVisible({ timeout: 60_000 });
});

test("a user's file whose reader fails to load is reported, and a retry adds it", async ({ page, home, host }) => {
  await openBoulder(page, home);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "Your files" }).click();
  const panel = page.getByRole("dialog", { name: "Your files" });
  const choose = panel.locator("input[type=file]").first();
  const file = { name: "a.csv", mimeType: "text/csv", buffer: Buffer.from("name,lat,lon\nPort,40.01,-105.27\n") };
  await expect(choose).toBeAttached();
  const find = host.lose(/\/assets\/held-file-[\w-]+\.js$/);
  await choose.setInputFiles(file);
  await expect(panel.getByRole("alert")).toContainText("the map data’s host does not answer");
  find();
  await choose.setInputFiles(file);
  await expect(panel.getByText("1 row")).toBeVisible();
});

test("tools of agents whose code fails to load are offered when the network is back", async ({
  page,
  context,
  home,
  host,
}) => {
  await page.addInitScript(() => {
    const offered: unknown[] = [];
    const modelContext = { registerTool: (tool: unknown) => offered.push(tool) };
    Object.assign(globalThis, { offered });
    for (const owner of [document, navigator]) Object.defineProperty(owner, "modelContext", { value: modelContext });
  });
  const offered = () => page.evaluate(() => (Reflect.get(globalThis, "offered") as unknown[]).length);
  const find = host.lose(/\/assets\/agents-[\w-]+\.js$/);
  await openBoulder(page, home);
  await expect.poll(() => host.sent.filter(({ path }) => path.includes("/agents-")).length).toBeGreaterThan(1);
  expect(await offered()).toBe(0);
  find();
  await context.setOffline(true);
  await expect(page.getByRole("button", { name: /^No network/ })).toBeVisible();
  await context.setOffline(false);
  await expect.poll(offered).toBeGreaterThan(0);
});

test("the panel of a point is loaded again after its code failed to load", async ({ page, home, host }) => {
  await openBoulder(page, home);
  await page.getByRole("button", { name: /^1 km around/ }).click();
  const find = host.lose(/\/assets\/geocode-[\w-]+\.js$/);
  await page.getByText("What is here?").click();
  await expect(alertOf(page, "The lookup failed.")).toBeVisible();
  find();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Nearest address")).toBeVisible();
});

test.describe("with a map", () => {
  test.use({ hasMap: true });

  test("a map that cannot be loaded is reported next to the list, and a retry draws it", async ({
    page,
    home,
    host,
  }) => {
    const find = host.lose(/\/assets\/(create-map|maplibre-gl|open-cluster)-[\w-]+\.js$/);
    await openBoulder(page, home);
    const alert = alertOf(page, "The map could not be loaded");
    await expect(alert).toBeVisible();
    await expect(page.getByText("This browser cannot draw the map")).toHaveCount(0);
    find();
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect(page.locator("section.map canvas")).toBeVisible();
    await expect(alert).toBeHidden();
  });

  test("a retry loads code that draws the base map or an area", async ({ page, home, host }) => {
    const findTiles = host.lose(/\/assets\/basemap-[\w-]+\.js$/);
    await openBoulder(page, home);
    const alert = alertOf(page, LOST);
    await expect(alert).toBeVisible();
    findTiles();
    host.forget();
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => host.sent.some(({ path, status }) => /basemap-/.test(path) && status === 200)).toBe(true);
    await expect(alert).toBeHidden();

    const findDrawing = host.lose(/\/assets\/draw-area-[\w-]+\.js$/);
    await page.getByRole("button", { name: "Draw a box to search in" }).click();
    await expect(alert).toBeVisible();
    findDrawing();
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByText("Choose two opposite corners on the map.")).toBeVisible();
  });
});
