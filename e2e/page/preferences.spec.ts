import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";

test.use({ hasMap: true });

test("a chosen theme and a muted map stay after a reload", async ({ page, home }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(home);
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await colour();
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByText("Dark", { exact: true }).click();
  await expect.poll(colour).not.toBe(light);
  const dark = await colour();
  await expect(page.locator('meta[name="theme-color"]').first()).toHaveAttribute("content", dark);
  await page.getByText("Muted", { exact: true }).click();
  await page.reload();
  await expect.poll(colour).toBe(dark);
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(page.getByRole("group", { name: "Map" }).getByRole("radio", { name: "Muted" })).toBeChecked();
});

test("the page supports other languages, their numbers, and Arabic from right to left", async ({ page, home }) => {
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByLabel("Language").selectOption("Deutsch");
  await expect(page.getByRole("status")).toHaveText("2.413 Orte gefunden");
  await page.reload();
  await expect(page.getByRole("status")).toHaveText("2.413 Orte gefunden");

  await page.getByRole("button", { name: "Menü" }).click();
  await page.getByLabel("Sprache").selectOption("العربية");
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page.locator("html")).toHaveAttribute("lang", "ar");
  await expect(page.getByRole("combobox", { name: "بحث" })).toBeVisible();
  const sheet = await page.locator(".sheet").boundingBox();
  const width = await page.evaluate(() => innerWidth);
  expect((sheet?.x ?? 0) + (sheet?.width ?? 0), "the sheet stands at the right").toBeGreaterThan(width - 20);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test("the page can be installed", async ({ page, home, request }) => {
  await page.goto(home);
  const address = await page.locator('link[rel="manifest"]').evaluate((link: HTMLLinkElement) => link.href);
  const manifest = await (await request.get(address)).json();
  expect(new URL(manifest.start_url, address).href).toBe(home);
  expect(manifest.icons.map(({ purpose = "any" }) => purpose)).toContain("maskable");
  for (const { src, type } of manifest.icons) {
    const icon = await request.get(new URL(src, address).href);
    expect(icon.headers()["content-type"], src).toBe(type);
  }
});
