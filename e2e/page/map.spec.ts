import type { Page, Route } from "@playwright/test";
import { openAreas } from "../support/areas.ts";
import { expect, test } from "../support/fixtures.ts";
import { ask } from "../support/rest.ts";
import { BOULDER } from "../support/searches.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";

// Two of these use the REST interface of the page.
test.use({ hasServiceWorker: true, hasMap: true });

test("a click on the map searches there, and shows the nearest address unless the user saves data", async ({
  page,
  home,
  isMobile,
  savesData,
}) => {
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  const map = page.getByRole("region", { name: "Map", exact: true });
  await expect(map.locator("canvas")).toBeVisible();
  const position = isMobile ? { x: 195, y: 330 } : { x: 844, y: 560 };
  if (isMobile) await map.tap({ position });
  else await map.click({ position });
  await expect(page).not.toHaveURL(/lat=40\.0165/);
  await expect(page).toHaveURL(/#\/places\?lat=40\.0\d+&lng=-105\.2\d+&radius=1000/);
  await expect(page.getByRole("status")).toHaveText(/places found/);
  const address = page.getByRole("link", { name: /^\d+ / });
  await expect(address).toHaveCount(savesData ? 0 : 1);
  if (savesData) return;
  await serviceWorkerReady(page);
  const asked = new URLSearchParams(page.url().replace(/.*\?/, ""));
  const nearest = { lat: asked.get("lat") ?? "", lng: asked.get("lng") ?? "", nearest: "1" };
  const answer = await ask(page, `addresses?${new URLSearchParams(nearest)}`);
  const [{ id }] = JSON.parse(answer.body) as [{ id: string }];
  await expect(address).toHaveAttribute("href", new RegExp(`^#/address/${id}\\?at=\\d`));
});

const CENTRE = { lon: -105.271, lat: 40.0165 };
const ZOOM = 15;
const EARTH_CIRCUMFERENCE_METERS = 40_075_016.686;
const TILE_PIXELS = 512;
/** Not covered by panels, on wide screens and on phones. */
const MIDDLE = { wide: { x: 844, y: 400 }, phone: { x: 195, y: 210 } };

interface Position {
  readonly lon: number;
  readonly lat: number;
}
interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** Web Mercator, in pixels of the world at the zoom. */
function worldPixel({ lon, lat }: Position, zoom: number): Pixel {
  const size = TILE_PIXELS * 2 ** zoom;
  const sin = Math.sin((lat * Math.PI) / 180);
  return { x: (lon / 360 + 0.5) * size, y: (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * size };
}

function pixelsPerMeter(zoom: number): number {
  const { lat } = CENTRE;
  return (TILE_PIXELS * 2 ** zoom) / (EARTH_CIRCUMFERENCE_METERS * Math.cos((lat * Math.PI) / 180));
}

/** The page's address with the centre at the pixel, and the positions of others in that view. */
function lookAt(page: Page, isMobile: boolean, zoom = ZOOM, { phone, wide } = MIDDLE) {
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  const middle = isMobile ? phone : wide;
  const centre = worldPixel(CENTRE, zoom);
  const pixels = TILE_PIXELS * 2 ** zoom;
  const x = (centre.x + size.width / 2 - middle.x) / pixels;
  const y = (centre.y + size.height / 2 - middle.y) / pixels;
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
  return {
    middle,
    view: `view=${zoom}/${lat.toFixed(6)}/${((x - 0.5) * 360).toFixed(6)}`,
    pixelOf(position: Position): Pixel {
      const at = worldPixel(position, zoom);
      return { x: middle.x + at.x - centre.x, y: middle.y + at.y - centre.y };
    },
  };
}

const search = (radius: number) => `places?lat=${CENTRE.lat}&lng=${CENTRE.lon}&radius=${radius}&limit=25`;
const found = (page: Page) => page.getByText(/^[\d,]+ places? found$/);

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(found(page)).toBeVisible();
  await expect(page.getByRole("button", { name: "Draw a box to search in" })).toBeVisible();
}

async function drag(page: Page, from: Pixel, to: Pixel): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

const radiusOf = (page: Page) => Number(/radius=(\d+)/.exec(page.url())?.[1]);

/** Red, green and blue of the pixels of a part of the page. */
async function coloursIn(page: Page, clip: Pixel & { width: number; height: number }): Promise<number[][]> {
  const shot = (await page.screenshot({ clip })).toString("base64");
  return page.evaluate(
    async ({ text, width, height }) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const context = new OffscreenCanvas(width, height).getContext("2d");
      context?.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0);
      const data = context?.getImageData(0, 0, width, height).data ?? [];
      return Array.from({ length: width * height }, (_, at) => [...data.slice(4 * at, 4 * at + 3)]);
    },
    { text: shot, width: clip.width, height: clip.height },
  );
}

/** Colour of a pixel of the page, as `r,g,b`. */
async function colourAt(page: Page, { x, y }: Pixel): Promise<string> {
  return (await coloursIn(page, { x, y, width: 1, height: 1 })).join();
}

test("before the first tile the map shows paper, the circle and its centre", async ({ page, home, host, isMobile }) => {
  host.lose(/\/assets\/(basemap|world)-/);
  // On a phone, below the message that a part could not be loaded.
  const { middle, view } = lookAt(page, isMobile, 16, { ...MIDDLE, phone: { x: 195, y: 290 } });
  await open(page, `${home}#/${search(50)}&${view}`);
  // The message covers neither the circle nor its centre.
  await expect(page.getByText("This part could not be loaded")).toBeVisible();
  const reach = 50 * pixelsPerMeter(16);
  const { isDark, paper, halo } = await page.evaluate(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    return { isDark: dark, paper: dark ? "32,38,42" : "246,243,236", halo: dark ? "24,29,32" : "252,250,246" };
  });
  await expect.poll(() => colourAt(page, middle), { message: `dark: ${isDark}` }).toBe(halo);
  expect(await colourAt(page, { x: middle.x + reach + 30, y: middle.y })).toBe(paper);
});

test("land and sea of low zooms are visible before the map, at the same position as on it", async ({
  page,
  home,
  host,
  isMobile,
}) => {
  test.skip(isMobile, "the message covers the map");
  const restore = host.lose(/\/assets\/create-map-/);
  // the Pacific and Mexico on one line
  const { lat, lon, zoom } = { lat: 21, lon: -115, zoom: 4 };
  const y = 400;
  await page.goto(`${home}#/?view=${zoom}/${lat}/${lon}`);
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const [sea, land] = isDark ? ["16,33,44", "32,38,42"] : ["180,214,228", "246,243,236"];
  const line = async () => {
    const xs = Array.from({ length: 8 }, (_, at) => 480 + 90 * at);
    return Promise.all(xs.map((x) => colourAt(page, { x, y })));
  };
  await expect.poll(async () => new Set(await line())).toEqual(new Set([sea, land]));
  const before = await line();
  await expect(page.getByText("The map could not be loaded")).toBeVisible();

  restore();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.locator("svg.map")).toHaveCount(0);
  expect(await line()).toEqual(before);
});

test("the outline of land needs one script, and stays in place when the page and its panels are loaded", async ({
  page,
  home,
  host,
}) => {
  host.lose(/\/assets\/create-map-|\/manifest\.json$/);
  const held: Route[] = [];
  await page.route(/\/assets\/app-.*\.js$/, (route) => void held.push(route));
  await page.goto(home, { waitUntil: "commit" });
  const outline = page.locator("svg.map");
  await expect(outline.locator("path")).toHaveCount(3);
  expect(await page.locator("#app > *").count()).toBe(0);
  const viewBox = await outline.getAttribute("viewBox");
  for (const route of held) await route.continue();
  await expect(page.getByText("The map could not be loaded")).toBeVisible();
  expect(await outline.getAttribute("viewBox")).toBe(viewBox);
});

test("where the dataset has nothing the map says so, and no chip covers it", async ({ page, home, savesData }) => {
  test.skip(savesData, "the index of the whole dataset is not read then");
  await page.goto(`${home}#/places?lat=46.5&lng=6.6&radius=100&view=9/46.5/6.6`);
  const message = page.getByText("No data here");
  await expect(message).toBeVisible();
  const [own, chips] = await Promise.all([message.boundingBox(), page.locator(".category-chips").boundingBox()]);
  if (!own || !chips) throw new Error("the message or the chips have no box");
  expect(own.y).toBeGreaterThanOrEqual(chips.y + chips.height);
  expect(own.x + own.width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
});

test("lakes of the world are water at low zooms", async ({ page, home, isMobile }) => {
  const at = isMobile ? { x: 195, y: 230 } : { x: 844, y: 400 };
  // Lake Superior at this pixel
  const centre = isMobile ? "5/44.8/-88" : "5/47.6/-92.5";
  await page.goto(`${home}#/?view=${centre}`);
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await expect.poll(() => colourAt(page, at)).toBe(isDark ? "16,33,44" : "180,214,228");
});

test("the circle's edge and centre can be dragged", async ({ page, home, isMobile }) => {
  const { middle, view } = lookAt(page, isMobile);
  await open(page, `${home}#/${search(200)}&${view}`);
  const reach = 200 * pixelsPerMeter(ZOOM);
  await drag(page, { x: middle.x + reach, y: middle.y }, { x: middle.x + reach * 0.5, y: middle.y });
  await expect.poll(() => radiusOf(page)).toBeLessThan(103);
  expect(radiusOf(page)).toBeGreaterThan(97);
  await expect(page).toHaveURL(/lat=40\.0165&lng=-105\.271&/);
  await expect(found(page)).toBeVisible();

  await drag(page, middle, { x: middle.x + 60, y: middle.y });
  await expect(page).toHaveURL(/lat=40\.01\d+&lng=-105\.26\d+&radius=\d+/);
  await expect(found(page)).toBeVisible();
});

test("a long press searches there", async ({ page, home, isMobile }) => {
  test.skip(!isMobile, "fingers only");
  const { middle, view } = lookAt(page, isMobile);
  await open(page, `${home}#/${search(50)}&${view}`);
  const client = await page.context().newCDPSession(page);
  const touchPoints = [{ x: middle.x - 120, y: middle.y - 60 }];
  await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await expect(page).not.toHaveURL(/lng=-105\.271&/);
  await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect(page).toHaveURL(/lat=40\.01\d+&lng=-105\.27\d+&radius=50/);
});

test("records close together are a cluster until a click separates them", async ({ page, home, isMobile }) => {
  const zoom = 11;
  const { middle, view } = lookAt(page, isMobile, zoom);
  await open(page, `${home}#/${search(300)}&${view}`);
  const scale = page.locator(".maplibregl-ctrl-scale");
  const before = (await scale.textContent()) ?? "";
  expect(before).toMatch(/km$/);
  // Next to the circle's centre, which can be dragged. The cluster appears after the list.
  const near = { x: middle.x - 9, y: middle.y };
  const canvas = page.locator(".maplibregl-canvas");
  // The map has no cluster for the moment in which its data is replaced: a user clicks again.
  await expect(async () => {
    await page.mouse.move(near.x - 1, near.y);
    await page.mouse.move(near.x, near.y);
    await expect(canvas).toHaveCSS("cursor", "pointer", { timeout: 1000 });
    await page.mouse.click(near.x, near.y);
    await expect(scale).not.toHaveText(before, { timeout: 5000 });
  }).toPass();
  await expect(page).toHaveURL(/lat=40\.0165&lng=-105\.271&radius=300/);
});

test("list and map highlight the same record", async ({ page, home, isMobile }) => {
  test.skip(isMobile, "a finger does not hover");
  const { view, pixelOf } = lookAt(page, isMobile, 17);
  await open(page, `${home}#/${search(200)}&${view}`);
  await serviceWorkerReady(page);
  const records = await page.evaluate(async (address) => {
    const response = await fetch(address);
    return (await response.json()) as { id: string; geometry: { coordinates: [number, number] } }[];
  }, search(200));
  const places = records.map(({ id, geometry }) => {
    const [lon, lat] = geometry.coordinates;
    return { id, at: pixelOf({ lon, lat }) };
  });
  const apart = (a: Pixel, b: Pixel) => Math.hypot(a.x - b.x, a.y - b.y);
  const isFree = ({ x, y }: Pixel) => x > 460 && x < 1150 && y > 100 && y < 700;
  const lone = places
    .filter(({ at }) => isFree(at))
    .find(({ id, at }) => places.every((other) => other.id === id || apart(at, other.at) > 40));
  if (!lone) throw new Error("each record is in a cluster");
  const item = page.locator(`[data-id="${lone.id}"]`);
  await expect(async () => {
    await page.mouse.move(lone.at.x + 1, lone.at.y + 1);
    await page.mouse.move(lone.at.x, lone.at.y);
    await expect(item).toHaveAttribute("data-hovered", "true", { timeout: 1000 });
  }).toPass();

  await page.mouse.move(20, 20);
  await expect(item).toHaveAttribute("data-hovered", "false");
  const clip = { x: lone.at.x - 40, y: lone.at.y - 40, width: 80, height: 80 };
  const before = await page.screenshot({ clip });
  await item.hover();
  await expect.poll(async () => (await page.screenshot({ clip })).equals(before)).toBe(false);
  await page.mouse.click(lone.at.x, lone.at.y);
  await expect(page).toHaveURL(new RegExp(`record=${lone.id}`));
});

test("a drawn box contains what a plain loop finds", async ({ page, home, isMobile }) => {
  const { middle, view } = lookAt(page, isMobile, 14);
  await open(page, `${home}#/${search(100)}&${view}`);
  await page.getByRole("button", { name: "Draw a box to search in" }).click();
  await expect(page.getByText("Choose two opposite corners on the map.")).toBeVisible();
  // below the text on a phone
  await page.mouse.click(middle.x - 110, middle.y + (isMobile ? 40 : -10));
  await page.mouse.move(middle.x, middle.y + 50);
  await page.mouse.click(middle.x + 110, middle.y + 110);
  await expect(page).toHaveURL(/#\/places\?limit=25&area=-105\.\d+,40\.\d+,-105\.\d+,40\.\d+/);
  await expect(found(page)).toBeVisible();
  await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();

  await serviceWorkerReady(page);
  const [west = 0, south = 0, east = 0, north = 0] = /area=([^&]*)/.exec(page.url())?.[1]?.split(",").map(Number) ?? [];
  const everywhere = search(2000).replace("limit=25", "limit=25000");
  const positions = await page.evaluate(async (address) => {
    const records = (await (await fetch(address)).json()) as { geometry: { coordinates: [number, number] } }[];
    return records.map(({ geometry }) => geometry.coordinates);
  }, everywhere);
  const inside = positions.filter(([lon, lat]) => lon >= west && lon <= east && lat >= south && lat <= north);
  expect(inside.length).toBeGreaterThan(25);
  await expect(found(page)).toHaveText(`${inside.length.toLocaleString("en")} places found`);

  await page.getByRole("combobox", { name: "Search" }).fill("coffee");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#\/places\?categories=coffee_shop&limit=25&area=-105/);
});

test("a polygon is drawn, after Escape stopped a first attempt", async ({ page, home, isMobile }) => {
  const { middle, view } = lookAt(page, isMobile, 14);
  await open(page, `${home}#/${search(100)}&${view}`);
  const begin = page.getByRole("button", { name: "Draw a polygon to search in" });
  const hint = page.getByText("Choose each corner");
  await begin.click();
  await expect(hint).toBeVisible();
  await page.mouse.click(middle.x - 110, middle.y - 10);
  await page.keyboard.press("Escape");
  await expect(hint).toBeHidden();
  // no frame of the focus around the map
  await expect(begin).toBeFocused({ timeout: 1000 });
  await begin.click();
  await expect(hint).toBeVisible();
  for (const [x, y] of [
    [-110, -10],
    [110, -10],
    [0, 120],
    [0, 120],
  ] as const) {
    await page.mouse.move(middle.x + x, middle.y + y);
    await page.mouse.click(middle.x + x, middle.y + y);
  }
  await expect(page).toHaveURL(/area=(-105\.\d+,40\.\d+,?){3}/);
  await expect(found(page)).toBeVisible();
});

test("on a phone the sheet makes room for the map and for the list", async ({ page, home, isMobile }) => {
  test.skip(!isMobile, "wide screens have room for both");
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  const height = () => page.locator(".sheet").evaluate((sheet) => sheet.clientHeight);
  await page.getByRole("button", { name: "Show more of the list" }).tap();
  await expect.poll(height).toBeGreaterThan(700);
  await page.getByRole("button", { name: "Show more of the map" }).tap();
  await expect.poll(height).toBeLessThan(200);
});

test("the credit of OpenStreetMap is visible next to an open panel, on each width", async ({
  page,
  home,
  isMobile,
}) => {
  test.skip(isMobile, "a panel covers the whole page of a phone");
  const credit = page.getByText(/^© OpenStreetMap contributors and \d+ more$/);
  for (const width of [700, 1050, 1280]) {
    await page.setViewportSize({ width, height: 700 });
    await page.goto(home + BOULDER);
    await expect(page.getByRole("status")).toHaveText("2,413 places found");
    await openAreas(page);
    await expect(credit).toBeVisible();
    // Nothing covers its text.
    const isOnTop = () =>
      credit.evaluate((line) => {
        const { left, right, top, bottom } = line.getBoundingClientRect();
        const at = (x: number) => line.contains(document.elementFromPoint(x, (top + bottom) / 2));
        return [left + 1, (left + right) / 2, right - 1].map(at);
      });
    await expect.poll(isOnTop, String(width)).toEqual([true, true, true]);
  }
});
