import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, type Page, test } from "@playwright/test";
import { open } from "../../web/embed/node/index.ts";
import { DATASET_FOLDER, PAGE_FOLDER } from "../support/folders.ts";
import { type StaticServer, startStaticServer } from "../support/static-server.ts";
import { drawnMap } from "./drawn-map.ts";
import { type ExamplesServer, startExamples } from "./examples-server.ts";

/** The embedded site, and another origin that embeds it. */
let site: StaticServer;
let examples: ExamplesServer;
let faults: string[];

test.beforeAll(async () => {
  site = await startStaticServer({ folders: { "/": PAGE_FOLDER, "/dataset/": DATASET_FOLDER } });
  examples = await startExamples(site.url);
});
test.afterAll(async () => {
  await examples.close();
  await site.close();
});
test.beforeEach(({ page }) => {
  faults = watch(page);
});
test.afterEach(() => expect(faults).toEqual([]));

/** Uncaught errors, and requests to other hosts. */
function watch(page: Page): string[] {
  const seen: string[] = [];
  page.on("pageerror", (error) => seen.push(error.message));
  page.on("request", (request) => {
    const { origin, protocol, href } = new URL(request.url());
    const known = [new URL(site.url).origin, new URL(examples.url).origin];
    if (protocol.startsWith("http") && !known.includes(origin)) seen.push(href);
  });
  return seen;
}

const NEAR = { lat: 43.7347, lng: 7.4206 };

test("a plain page lists the places of another origin's dataset", async ({ page }) => {
  const cairn = await open(DATASET_FOLDER);
  const { count, features } = await cairn.search("places", { ...NEAR, radius: 500, categories: ["cafe"] });
  expect(count).toBeGreaterThan(3);
  await page.goto(`${examples.url}html/page.html`);
  await expect(page.locator("#count")).toHaveText(`${count} in all`);
  await expect(page.getByRole("listitem")).toHaveCount(count);
  const { names } = (features[0]?.properties ?? {}) as { names?: { primary: string } };
  await expect(page.getByRole("listitem").first()).toContainText(names?.primary ?? "a name");
});

test("a page draws buildings on its own MapLibre map", async ({ page }) => {
  const cairn = await open(DATASET_FOLDER);
  const { count } = await cairn.search("buildings", { ...NEAR, radius: 300 });
  await page.goto(`${examples.url}maplibre/maplibre.html`);
  await expect(page.locator("#told")).toHaveText(`${count} buildings found`);
});

test("a page draws the dataset's vector tiles with a protocol", async ({ page }) => {
  await page.goto(`${examples.url}maplibre/tiles.html`);
  await expect(page.locator("#told")).toHaveText(/^\d{3,} buildings, \d{2,} places$/);
  const [buildings = 0, places = 0] =
    ((await page.locator("#told").textContent()) ?? "").match(/\d+/g)?.map(Number) ?? [];
  const cairn = await open(DATASET_FOLDER);
  // The map, 400 pixels high, shows the inner circle.
  const within = await cairn.search("buildings", { ...NEAR, radius: 200 });
  expect(buildings).toBeGreaterThanOrEqual(within.count);
  expect(places).toBeGreaterThan(50);
});

test("a page draws a heat map of exact counts", async ({ page }) => {
  const cairn = await open(DATASET_FOLDER);
  const { count } = await cairn.search("places", { country: "MC", categories: "restaurant", limit: 1 });
  const { groups } = await cairn.counts("places", { country: "MC", categories: "restaurant", group: "cell", level: 6 });
  const different = new Set(groups.map((group) => group.count)).size;
  expect(different).toBeGreaterThan(2);
  await page.goto(`${examples.url}maplibre/heat.html`);
  await expect(page.locator("#told")).toHaveText(`${count} restaurants, ${groups.length} cells, ${different} colours`);
});

test("a worker iterates over all pages of a search", async ({ page }) => {
  const cairn = await open(DATASET_FOLDER);
  const { count } = await cairn.search("transportation", { country: "MC", name: "rue" });
  expect(count).toBeGreaterThan(100);
  await page.goto(`${examples.url}html/worker.html`);
  await expect(page.locator("#told")).toHaveText(`${count} streets`);
});

test("a Node script reads the same dataset by its address", async () => {
  const script = "docs/examples/node/script.mjs";
  const { stdout } = await promisify(execFile)(process.execPath, [script, `${site.url}dataset/`]);
  const cairn = await open(DATASET_FOLDER);
  const { count } = await cairn.search("divisions", { country: "JP", types: "division" });
  expect(count).toBeGreaterThan(500);
  expect(stdout.trim().split("\n")).toHaveLength(count);
});

test("a registered service worker answers REST addresses from another origin's dataset", async ({ page }) => {
  const cairn = await open(DATASET_FOLDER);
  const { count } = await cairn.search("places", { ...NEAR, radius: 300 });
  await page.goto(`${examples.url}html/register.html`);
  await expect(page.locator("#told")).toHaveText(`${count} places`);
});

test("the map element searches, draws, follows its attributes and the pointer, and shows errors", async ({ page }) => {
  const cairn = await open(DATASET_FOLDER);
  const { count } = await cairn.search("places", { ...NEAR, radius: 300 });
  await page.goto(`${examples.url}html/element.html`);
  await expect(page.locator("#told")).toHaveText(`${count} places`);
  const element = page.locator("cairn-map");
  await expect(element.locator("canvas")).toBeVisible();
  await expect(element.getByText(/^© OpenStreetMap contributors \(\+\d+\)$/)).toBeVisible();

  const nearest = await cairn.search("places", { ...NEAR, radius: 60 });
  const told = element.evaluate(
    (map) =>
      new Promise((resolve) =>
        map.addEventListener("cairn-found", (event) => resolve((event as CustomEvent).detail.count), { once: true }),
      ),
  );
  await element.evaluate((map) => map.setAttribute("radius", "60"));
  expect(await told).toBe(nearest.count);

  await element.locator("canvas").click({ position: { x: 30, y: 200 } });
  await expect(element).not.toHaveAttribute("lng", String(NEAR.lng));
  await expect(page.locator("#told")).not.toHaveText(`${nearest.count} places`);

  const geometry = nearest.features[0]?.geometry;
  if (geometry?.type !== "Point") throw new Error(`the nearest place is no point: ${JSON.stringify(geometry)}`);
  const [lng, lat] = geometry.coordinates;
  await element.evaluate((map) =>
    map.addEventListener("cairn-select", (event) => {
      map.setAttribute("data-chosen", (event as CustomEvent).detail.id);
    }),
  );
  const place = (attributes: Record<string, string>) =>
    element.evaluate((map, set) => {
      for (const [name, value] of Object.entries(set)) map.setAttribute(name, value);
    }, attributes);
  const centre = async () => [await element.getAttribute("lat"), await element.getAttribute("lng")];
  const position = { lat: String(lat), lng: String(lng) };
  const here = await cairn.search("places", { lat, lng, radius: 10 });
  // A click before the dots are drawn starts another search, so each attempt starts again with a longer pause.
  let pause = 250;
  const settle = () => {
    pause *= 2;
    return page.waitForTimeout(pause);
  };
  await expect(async () => {
    await place({ ...position, zoom: "19" });
    await settle();
    await element.locator("canvas").click();
    const chosen = await element.getAttribute("data-chosen");
    expect(here.features.map(({ id }) => id)).toContain(chosen);
  }).toPass();

  // At a low zoom all places are one group: a click zooms in without a search.
  await expect(async () => {
    await place({ ...position, zoom: "10" });
    await settle();
    const { width, height } = (await element.boundingBox()) ?? { width: 0, height: 0 };
    await element.locator("canvas").click({ position: { x: width / 2 + 4, y: height / 2 + 4 } });
    await page.waitForTimeout(pause);
    expect(await centre()).toEqual([position.lat, position.lng]);
  }).toPass();

  const look = () => element.locator("canvas").screenshot();
  await element.evaluate((map) => map.setAttribute("zoom", "17"));
  const bare = await drawnMap(element.locator("canvas"));
  await element.evaluate((map) => map.setAttribute("tiles", "building, segment"));
  await expect.poll(async () => (await look()).equals(bare)).toBe(false);
  await element.evaluate((map) => map.removeAttribute("tiles"));
  await expect.poll(async () => (await look()).equals(bare)).toBe(true);
  await element.evaluate((map) => map.setAttribute("tiles", "shops"));
  await expect(element.getByRole("status")).toContainText(
    /tiles must be collections of the dataset, of .*\bbuilding\b.*, got shops/,
  );
  await element.evaluate((map) => map.removeAttribute("tiles"));

  const wrong = element.evaluate(
    (map) =>
      new Promise((resolve) =>
        map.addEventListener("cairn-error", (event) => resolve((event as CustomEvent).detail.message), { once: true }),
      ),
  );
  await element.evaluate((map) => map.setAttribute("lat", "91"));
  expect(await wrong).toContain("lat");
  await expect(element.getByRole("status")).toContainText("lat");
});

test("the map element draws exact counts by cells or divisions, and keeps them when an area is clicked", async ({
  page,
}) => {
  const cairn = await open(DATASET_FOLDER);
  await page.goto(`${examples.url}html/element.html`);
  const element = page.locator("cairn-map");
  const status = element.getByRole("status");
  await expect(status).toContainText("found");
  const look = () => element.locator("canvas").screenshot();
  const records = await look();
  await element.evaluate((map) => {
    map.addEventListener("cairn-found", (event) => {
      const { count, features } = (event as CustomEvent).detail;
      map.setAttribute("data-found", JSON.stringify({ count, features }));
    });
    for (const name of ["lat", "lng", "radius"]) map.removeAttribute(name);
    map.setAttribute("country", "MC");
    map.setAttribute("counts", "6");
  });
  const { total, groups } = await cairn.counts("places", { country: "MC", group: "cell", level: 6 });
  await expect(status).toHaveText(`${total} found`);
  const { features } = JSON.parse((await element.getAttribute("data-found")) ?? "") as {
    features: { id: string; properties: { count: number } }[];
  };
  expect(features.map(({ id, properties }) => [id, properties.count])).toEqual(
    groups.map(({ key, count }) => [key, count]),
  );
  const cells = await drawnMap(element.locator("canvas"));
  expect(cells.equals(records)).toBe(false);

  await element.locator("canvas").click();
  await expect(element).not.toHaveAttribute("lng", /./);
  await element.evaluate((map) => map.setAttribute("counts", "country"));
  await expect(element).toHaveAttribute("data-found", /"name":"Monaco"/);
  await element.evaluate((map) => map.setAttribute("counts", "9"));
  await expect(status).toContainText("level must be a number from 1 to 6");
});

// a test for each, because a browser caches the scripts of the one before
for (const script of ["draw", "parquetWasm", "world"]) {
  test(`a map element that cannot load its script ${script} reports it, and another try loads it`, async ({ page }) => {
    const element = page.locator("cairn-map");
    const retry = element.getByRole("button", { name: "Try again" });
    const find = site.lose(new RegExp(`/embed/assets/${script}-[\\w-]+\\.js$`));
    await page.goto(`${examples.url}html/element.html`);
    await expect(element.getByRole("status")).toContainText("139 found. Part of the map data could not be loaded.");
    find();
    await retry.click();
    await expect(element.locator("canvas")).toBeVisible();
    await expect(retry).toBeHidden();
  });
}

test("the map element's first answer needs at most 350 KB, including its program", async ({ page }) => {
  // The map loads after the answer.
  await page.route("**/embed/assets/draw-*", (route) => route.abort());
  site.forget();
  await page.goto(`${examples.url}html/element.html`);
  await expect(page.locator("#told")).toHaveText(/^\d+ places$/);
  expect(site.sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(350_000);
  expect(site.sent.length).toBeLessThanOrEqual(8);
});

test("a page without HTTPS shows an error", async ({ page }) => {
  await page.route("http://insecure.test/**", async (route) => {
    const { pathname } = new URL(route.request().url());
    // A third-party page without our policy.
    if (pathname === "/")
      return route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Plain</title>" });
    await route.fulfill({ response: await route.fetch({ url: `${examples.url}${pathname.slice(1)}` }) });
  });
  await page.goto("http://insecure.test/");
  const message = await page.evaluate(async () => {
    const { open } = await import(`${location.origin}/embed/cairn.js`);
    return open("/dataset/").catch((error: Error) => error.message);
  });
  expect(message).toContain("crypto.subtle is missing");
  expect(message).toContain("http://insecure.test");
  faults.length = 0;
});
