import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";

test.use({ hasMap: true });

const MONACO = "#/places?lat=43.7384&lng=7.4246&radius=500";

/** Finds the middle of the uncovered part of the map, by a search there. */
async function middleOf(page: Page): Promise<{ lat: number; lng: number }> {
  const before = page.url();
  await page.getByRole("button", { name: "Search the centre of the map" }).click();
  await expect(page).not.toHaveURL(before);
  const [, lat, lng] = /lat=([\d.-]+)&lng=([\d.-]+)/.exec(page.url()) ?? [];
  return { lat: Number(lat), lng: Number(lng) };
}

/** The map stops moving within a second after an answer. */
async function restOf(page: Page): Promise<void> {
  const map = page.locator("section.map");
  await expect(map.locator("canvas")).toBeVisible();
  let before: Buffer | undefined;
  await expect
    .poll(
      async () => {
        const now = await map.screenshot();
        const isSame = before?.equals(now) ?? false;
        before = now;
        return isSame;
      },
      { intervals: [700] },
    )
    .toBe(true);
}

async function menu(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name, exact: true }).click();
  await expect(page.getByRole("dialog", { name })).toBeVisible();
}

test("the map moves to the searched country, from a circle and from the world", async ({ page, home }) => {
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await page.getByRole("combobox", { name: "Search" }).fill("monaco");
  await page.getByRole("option", { name: /Monaco Country/ }).click();
  await expect(page.getByRole("status")).toHaveText("771 places found");
  await restOf(page);
  const monaco = await middleOf(page);
  expect(monaco.lat).toBeCloseTo(43.74, 1);
  expect(monaco.lng).toBeCloseTo(7.42, 1);

  await page.goto(home);
  await page.getByRole("link", { name: /^Regions & towns · Japan/ }).click();
  await expect(page.getByRole("status")).toHaveText(/regions and towns found/);
  await restOf(page);
  const japan = await middleOf(page);
  expect(japan.lat).toBeGreaterThan(24);
  expect(japan.lat).toBeLessThan(46);
  expect(japan.lng).toBeGreaterThan(122);
  expect(japan.lng).toBeLessThan(154);
});

test("the map moves to the location of a failed search", async ({ page, home, host }) => {
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  host.lose(/\/place\/.*\.(pack|parquet)$/);
  await page.goto(home + MONACO);
  await expect(page.getByRole("alert")).toBeVisible();
  await restOf(page);
  const middle = await middleOf(page);
  expect(middle.lat).toBeCloseTo(43.7384, 2);
  expect(middle.lng).toBeCloseTo(7.4246, 2);
});

type Clip = NonNullable<NonNullable<Parameters<Page["screenshot"]>[0]>["clip"]>;

/** A picture after two in a row were the same: clusters load after the map rests. */
async function stillPicture(page: Page, clip: Clip): Promise<Buffer> {
  let last = await page.screenshot({ clip });
  const isStill = async (): Promise<boolean> => {
    const before = last;
    last = await page.screenshot({ clip });
    return last.equals(before);
  };
  await expect.poll(isStill, { intervals: [1000] }).toBe(true);
  return last;
}

test("a panel next to the map covers neither the circle nor the map's tools, and takes its outlines with it", async ({
  page,
  home,
  isMobile,
}) => {
  test.skip(isMobile, "there the panel is the page");
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await menu(page, "How this was answered");
  const panel = page.getByRole("dialog", { name: "How this was answered" });
  await restOf(page);
  const left = (await panel.boundingBox())?.x ?? 0;
  for (const tool of ["Search the centre of the map", "Zoom in"]) {
    const box = await page.getByRole("button", { name: tool }).boundingBox();
    expect((box?.x ?? left) + (box?.width ?? 0), tool).toBeLessThanOrEqual(left);
  }
  const middle = await middleOf(page);
  expect(middle.lng).toBeCloseTo(-105.271, 3);
  await expect(page.getByRole("status")).toHaveText(/places found/);

  await panel.getByRole("button", { name: "Close" }).click();
  await page.goto(`${home}${BOULDER}&view=12/40.0165/-105.271`);
  await restOf(page);
  const clip = { x: 430, y: 300, width: 300, height: 300 };
  const plain = await stillPicture(page, clip);
  await menu(page, "How this was answered");
  await page.getByRole("checkbox", { name: /Show the partitions/ }).check();
  await expect.poll(async () => (await page.screenshot({ clip })).equals(plain)).toBe(false);
  await panel.getByRole("button", { name: "Close" }).click();
  await expect.poll(async () => (await page.screenshot({ clip })).equals(plain)).toBe(true);
});

test("a right-to-left language moves the circle out of the sheet", async ({ page, home, isMobile }) => {
  test.skip(isMobile, "there the sheet stays at the foot");
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await restOf(page);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByLabel("Language").selectOption("ar");
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await page.keyboard.press("Escape");
  await restOf(page);
  const before = page.url();
  await page.locator(".centre-button").click();
  await expect(page).not.toHaveURL(before);
  expect(Number(/lng=([\d.-]+)/.exec(page.url())?.[1])).toBeCloseTo(-105.271, 3);
});

test("on a phone the content of a low sheet is visible, and so is the chosen kind", async ({
  page,
  home,
  isMobile,
}) => {
  test.skip(!isMobile, "wide screens have no sheet");
  await page.goto(`${home}#/divisions?country=JP`);
  await expect(page.getByRole("status")).toHaveText(/regions and towns found/);
  await expect(page.locator(".chip", { hasText: "Regions & towns" })).toBeInViewport({ ratio: 1 });
  const handle = page.getByRole("button", { name: /Show more of the (list|map)/ });
  await handle.tap();
  await handle.tap();
  await expect(page.locator(".sheet")).toHaveAttribute("data-stop", "low");
  await page.getByRole("button", { name: "Filters" }).tap();
  await expect(page.getByRole("region", { name: "Filters" }).locator("input[type=text]").first()).toBeInViewport();
});

test("a group of records opens where no panel covers it", async ({ page, home, isMobile }) => {
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  // All matches are one group there. A click next to its centre does not hit the circle.
  const at = isMobile ? { x: 195, y: 228 } : { x: (416 + size.width) / 2, y: size.height / 2 };
  const degrees = 360 / (512 * 2 ** 10);
  const lat = 40.0165 - (size.height / 2 - at.y) * degrees * Math.cos((40.0165 * Math.PI) / 180);
  const view = `10/${lat.toFixed(6)}/${(-105.271 - (at.x - size.width / 2) * degrees).toFixed(6)}`;
  await page.goto(`${home}#/places?lat=40.0165&lng=-105.271&radius=300&limit=25&view=${view}`);
  await expect(page.getByRole("status")).toHaveText(/places found/);
  await restOf(page);
  const scale = page.locator(".maplibregl-ctrl-scale");
  const before = (await scale.textContent()) ?? "";
  await page.mouse.click(at.x, at.y - 11);
  await expect(scale).not.toHaveText(before);
  await restOf(page);
  expect(page.url(), "a click beside the group would search there").toContain("lat=40.0165&lng=-105.271&radius=300");
  const middle = await middleOf(page);
  expect(middle.lat).toBeCloseTo(40.0165, 2);
  expect(middle.lng).toBeCloseTo(-105.271, 2);
});
