import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";

test.use({ hasMap: true });

const found = (page: Page) => page.getByRole("status").first();

test("a record can be opened elsewhere, shared, and searched around; the title shows the content", async ({
  page,
  home,
}) => {
  await page.addInitScript(() => {
    const share = async (data: ShareData) => void Object.assign(window, { shared: data });
    Object.defineProperty(Navigator.prototype, "share", { value: share, configurable: true });
  });
  await page.goto(home + BOULDER);
  await expect(found(page)).toHaveText("2,413 places found");
  await expect(page).toHaveTitle(/^2,413 places found · 1 km around .*40\.0165, -105\.271.* · Cairn$/);
  await page.getByRole("button", { name: /Boulder Community Hospital/ }).click();
  const record = page.getByRole("article", { name: "Boulder Community Hospital" });
  await expect(page).toHaveTitle("Boulder Community Hospital · Cairn");
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute("content", await page.title());
  await record.getByText("Nearby", { exact: true }).click();
  await expect(record.getByRole("link", { name: "OpenStreetMap", exact: true })).toHaveAttribute(
    "href",
    /^https:\/\/www\.openstreetmap\.org\/\?mlat=40\.01\d+&mlon=-105\.2\d+#map=18/,
  );
  await expect(record.getByRole("link", { name: "An app on this device" })).toHaveAttribute("href", /^geo:40\.01/);
  await record.getByRole("button", { name: "Share" }).click();
  await expect
    .poll(() => page.evaluate(() => (window as Window & { shared?: ShareData }).shared))
    .toEqual({
      title: "Boulder Community Hospital",
      url: expect.stringMatching(/#\/place\/8e7f4543-67ae-41fd-81bd-a4aeb962eb5e\?at=40\.01\d*,-105\.2\d*$/),
    });
  await record.getByRole("button", { name: "Search around this" }).click();
  await expect(page).toHaveURL(/#\/places\?.*radius=1000.*around=Boulder%20Community%20Hospital$/);
  await expect(page.getByRole("button", { name: "1 km around Boulder Community Hospital" })).toBeVisible();
});

test("the last searches are suggested before typing, stay after a reload, and can be deleted", async ({
  page,
  home,
}) => {
  await page.goto(home + BOULDER);
  await expect(found(page)).toHaveText("2,413 places found");
  await page.goto(`${home}${BOULDER}&categories=cafe`);
  await expect(page).toHaveTitle(/^Cafe · 1 km around .* · Cairn$/);
  await expect(page.getByRole("button", { name: /Ozo|Coffee/ }).first()).toBeVisible();
  await page.goto(home);
  await page.reload();
  const box = page.getByRole("combobox", { name: "Search" });
  await box.click();
  // One can be removed with its button or with the key.
  await expect(page.getByRole("option")).toHaveCount(3);
  await page.getByRole("option", { name: /Cafe/ }).getByTitle("Forget this search").click();
  await expect(page.getByRole("option")).toHaveCount(2);
  await page.getByRole("option", { name: /^1 km around .40\.0165.* Places/ }).click();
  await expect(found(page)).toHaveText("2,413 places found");
  await page.goto(home);
  await box.click();
  await box.press("ArrowDown");
  await box.press("Delete");
  await expect(page.getByRole("option")).toHaveCount(0);
  await page.reload();
  await box.click();
  await expect(page.getByRole("option")).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem("cairn-recent"))).toBe("[]");
});

test("after the map was moved, the user can search its view", async ({ page, home }) => {
  await page.goto(`${home}${BOULDER}&view=14/40.0300/-105.2600`);
  await expect(found(page)).toHaveText("2,413 places found");
  await page.getByRole("button", { name: "Search this area" }).click();
  await expect(page).not.toHaveURL(/lat=40\.0165/);
  const [, lat, radius] = /lat=([\d.]+)&lng=[\d.-]+&radius=(\d+)/.exec(page.url()) ?? [];
  // At zoom 14 a pixel is about 3.7 m here, and the circle fits into the uncovered part.
  expect(Number(lat)).toBeGreaterThan(40.02);
  expect(Number(radius)).toBeGreaterThan(300);
  expect(Number(radius)).toBeLessThan(1500);
  await expect(found(page)).toHaveText(/places? found/);
  await expect(page.getByRole("button", { name: "Search this area" })).toHaveCount(0);
});

test("a dot shows the user's position", async ({ page, home, context, isMobile }) => {
  await context.grantPermissions(["geolocation"]);
  await context.setGeolocation({ latitude: 40.0165, longitude: -105.271 });
  await page.goto(home);
  await page.getByRole("button", { name: "Search around my location" }).click();
  await expect(found(page)).toHaveText("2,413 places found");
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  const middle = isMobile ? { x: 195, y: 218 } : { x: (416 + size.width) / 2, y: size.height / 2 };
  const clip = { x: middle.x - 30, y: middle.y - 30, width: 60, height: 60 };
  const ownPixels = async () => {
    const png = (await page.screenshot({ clip })).toString("base64");
    return page.evaluate(async (data) => {
      const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      context?.drawImage(image, 0, 0);
      const { data: pixels = [] } = context?.getImageData(0, 0, image.width, image.height) ?? {};
      const isDark = document.documentElement.dataset.theme === "dark";
      const own = isDark ? [0x56, 0xc8, 0xe0] : [0x0b, 0x6b, 0x83];
      let count = 0;
      for (let i = 0; i < pixels.length; i += 4) {
        if (own.every((value, channel) => Math.abs(value - (pixels[i + channel] ?? 0)) < 12)) count += 1;
      }
      return count;
    }, png);
  };
  await expect.poll(ownPixels).toBeGreaterThan(60);
});

test("on a small screen the map's tools and an open section can be reached, in both text directions", async ({
  page,
  home,
}) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto(home + BOULDER);
  await expect(found(page)).toHaveText("2,413 places found");
  const covered = () =>
    page.locator(".map-buttons button").evaluateAll((buttons) =>
      buttons
        .filter((button) => button.checkVisibility())
        .filter((button) => {
          const { x, y, width, height } = button.getBoundingClientRect();
          return document.elementFromPoint(x + width / 2, y + height / 2) !== button;
        })
        .map((button) => button.getAttribute("aria-label")),
    );
  expect(await covered()).toEqual([]);
  await expect(page.locator(".map-buttons button:visible")).toHaveCount(3);
  await page.evaluate(() => {
    document.documentElement.dir = "rtl";
  });
  expect(await covered()).toEqual([]);
  await page.getByRole("button", { name: /^Filters/ }).click();
  await expect(page.getByLabel("Name", { exact: true })).toBeInViewport({ ratio: 1 });
});
