import { appendFile, cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { type Random, randomFrom } from "../../web/engine/testing/random.ts";
import { beginToSave, openAreas, savedItems, saveHere } from "../support/areas.ts";
import { startDuckdb } from "../support/duckdb.ts";
import { expect, refuseWebGl, test } from "../support/fixtures.ts";
import { DATASET_FOLDER, PAGE_FOLDER } from "../support/folders.ts";
import { openPages } from "../support/pages.ts";
import { AROUND_RELEASES, publishRelease } from "../support/releases.ts";
import { answersOfNode, ask } from "../support/rest.ts";
import { BOULDER } from "../support/searches.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";
import { startStaticServer } from "../support/static-server.ts";

const MONACO = "#/places?lat=43.7384&lng=7.4246&radius=700";
const AREA = { lat: 43.7384, lng: 7.4246, radius: 700 };
const SEARCHES = 100;
const COUNTS = 30;
/** The map is drawn on the processor, and browsers and DuckDB restart. */
const MOST_MS = 300_000;
const PATHS = ["places", "places/buildings", "buildings", "addresses", "base", "transportation", "divisions"];

test.describe.configure({ timeout: MOST_MS });

async function found(page: Page): Promise<void> {
  await expect(page.getByText(/^[\d,]+ places found$/)).toBeVisible();
}

/** A search whose circle is inside the area. */
function searchInside(random: Random): string {
  const radius = Math.round(random.magnitude(1, AREA.radius));
  const off = ((AREA.radius - radius) / 111_195) * 0.7;
  const search = {
    lat: (AREA.lat + random.spread(off)).toFixed(6),
    lng: (AREA.lng + random.spread(off)).toFixed(6),
    radius: String(radius),
    limit: String(random.of([1, 10, 100])),
    page: String(random.of([0, 0, 0, 1])),
  };
  return `${random.of(PATHS)}?${new URLSearchParams(search)}`;
}

const GROUPS = ["", "group=country", "group=cell&level=4", "group=cell&level=6&format=geojson"];

/** Counts of what a search inside the area finds. */
function countInside(random: Random): string {
  const [path, query = ""] = searchInside(random).split("?");
  const { limit: _, page: __, ...inside } = Object.fromEntries(new URLSearchParams(query));
  const group = random.of(path === "places" ? [...GROUPS, "group=category", "group=brand"] : GROUPS);
  return `counts?${new URLSearchParams({ what: path ?? "", ...inside })}&${group}`;
}

test("visited content is available when the host is gone, including the reference", async ({ page, home, host }) => {
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await serviceWorkerReady(page);
  await page.goto(`${home}docs/`);
  await expect(page.getByText("/places", { exact: true }).first()).toBeVisible();
  await page.goto(home + BOULDER);
  await startDuckdb(page);
  // Its module is cached some time after it is compiled.
  const modules = () => page.evaluate(async () => (await (await caches.open("cairn-wasm")).keys()).length);
  await expect.poll(modules).toBe(2);
  await host.close();
  // As after a hard reload: the browser's cache is empty.
  const session = await page.context().newCDPSession(page);
  await session.send("Network.clearBrowserCache");
  await page.reload();
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
  await startDuckdb(page, MOST_MS / 2);
  const answer = await ask(page, "places?lat=40.0165&lng=-105.271&radius=1000&limit=25");
  expect(answer).toMatchObject({ status: 200, count: "2413" });
  await page.goto(`${home}docs/`);
  await expect(page.getByText("/places", { exact: true }).first()).toBeVisible();
});

/** Typed text for things in the area, and their suggestions. Country-wide names are not saved. */
const TYPED = [
  ["monte-carlo casino", /^Monte-Carlo Casino/],
  ["rue grimaldi", /^Rue Grimaldi Street/],
  ["25 avenue de la costa", /^25 Avenue de la Costa/],
  ["pharmacy", /^Pharmacy Search this category/],
  ["monaco", /^Monaco Country/],
] as const;

/** Suggestions whose record is opened, with the record's heading. */
const OPENED = [
  ["monte-carlo casino", /^Monte-Carlo Casino/, /^Monte-Carlo Casino/],
  ["25 avenue de la costa", /^25 Avenue de la Costa/, /^25 Avenue de la Costa/],
] as const;

test(`${SEARCHES} searches and ${COUNTS} counts in a saved area without a network have the same answers as with it, and its search box works`, async ({
  page,
  home,
  host,
}) => {
  await page.goto(home + MONACO);
  await found(page);
  await saveHere(page);
  await serviceWorkerReady(page);
  await host.close();
  const random = randomFrom(20261121);
  const addresses = [
    ...Array.from({ length: SEARCHES }, () => searchInside(random)),
    ...Array.from({ length: COUNTS }, () => countInside(random)),
  ];
  const expected = await answersOfNode(DATASET_FOLDER, addresses);
  for (const [i, address] of addresses.entries()) expect(await ask(page, address), address).toEqual(expected[i]);
  for (const beyond of ["places?", "counts?group=category&", "counts?group=cell&"]) {
    const answer = await ask(page, `${beyond}lat=40.0165&lng=-105.271&radius=500`);
    expect(answer, beyond).toMatchObject({
      status: 503,
      body: expect.stringMatching(/data file place\/\S+ cannot be read/),
    });
  }

  await page.reload();
  await found(page);
  const box = page.getByRole("combobox", { name: "Search" });
  for (const [typed, option] of TYPED) {
    await box.fill(typed);
    await expect(page.getByRole("option", { name: option }).first()).toBeVisible();
  }
  await box.fill("pearl street boulder");
  await expect(page.locator(".suggestions")).toContainText("Some names could not be looked up");
  for (const [typed, option, title] of OPENED) {
    await box.fill(typed);
    await page.getByRole("option", { name: option }).first().click();
    await expect(page.getByRole("heading", { name: title })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("heading", { name: title })).toBeVisible();
  }
});

test("an area saved with default options finds misspelt names and records by id without a network", async ({
  page,
  home,
  host,
}) => {
  await page.goto(home + MONACO);
  await found(page);
  await saveHere(page, { names: "as offered" });
  await serviceWorkerReady(page);
  await host.close();
  await page.reload();
  await found(page);
  const box = page.getByRole("combobox", { name: "Search" });
  await box.fill("rue grimladi");
  await expect(page.getByRole("option", { name: /^Rue Grimaldi Street/ }).first()).toBeVisible();
  await box.fill("monte-carlo casino");
  await page
    .getByRole("option", { name: /^Monte-Carlo Casino/ })
    .first()
    .click();
  const heading = page.getByRole("heading", { name: /^Monte-Carlo Casino/ });
  await expect(heading).toBeVisible();
  await page.goto(page.url().replace(/\?at=.*/, ""));
  await page.reload();
  await expect(heading).toBeVisible();
});

test("saving resumes after a kill, an area can be copied as a file, and both outlast the browser", async ({
  host,
  home,
}) => {
  const profile = await mkdtemp(join(tmpdir(), "cairn-profile-"));
  const { executablePath, args } = test.info().project.use.launchOptions ?? {};
  const start = async (folder: string) =>
    chromium.launchPersistentContext(folder, {
      ...(executablePath ? { executablePath } : {}),
      args: args ?? [],
      locale: "en-GB",
      acceptDownloads: true,
    });
  try {
    let browser = await start(join(profile, "a"));
    let page = await browser.newPage();
    await page.goto(home + MONACO);
    await found(page);
    await serviceWorkerReady(page);
    // One file is missing, so the saving is unfinished when the browser is killed.
    await page.route(/\/dataset\/segment\/.*\.(pack|parquet)$/, () => {});
    await beginToSave(page);
    await expect(page.getByRole("button", { name: "Cancel" })).toBeVisible();
    await browser.close();

    browser = await start(join(profile, "a"));
    page = await browser.newPage();
    await page.goto(home + MONACO);
    await openAreas(page);
    await expect(savedItems(page)).toHaveCount(1);
    await page.evaluate(() => Object.assign(window, { showSaveFilePicker: undefined }));
    const downloading = page.waitForEvent("download");
    await savedItems(page).getByRole("button", { name: "Save as a file" }).click();
    const file = join(profile, "area.tar");
    await (await downloading).saveAs(file);
    await serviceWorkerReady(page);
    await browser.close();

    const other = await start(join(profile, "b"));
    const fresh = await other.newPage();
    await fresh.goto(home);
    await expect(fresh.getByRole("button", { name: /^Online/ })).toBeVisible();
    await serviceWorkerReady(fresh);
    await host.close();
    await openAreas(fresh);
    const damaged = (await readFile(file)).fill(1, 200_000, 200_010);
    const take = (buffer: Buffer) =>
      fresh.getByLabel("Open a file").last().setInputFiles({ name: "area.tar", mimeType: "application/x-tar", buffer });
    await take(damaged);
    await expect(fresh.getByRole("alert")).toContainText("area.tar was not imported");
    await take(await readFile(file));
    await expect(savedItems(fresh)).toHaveCount(1);
    await fresh.goto(home + MONACO);
    await found(fresh);
    await other.close();

    browser = await start(join(profile, "a"));
    page = await browser.newPage();
    await page.goto(home + MONACO);
    await found(page);
    await openAreas(page);
    await expect(savedItems(page)).toHaveCount(1);
    await browser.close();
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
});

test("a new release is used; an area keeps its own until it is updated, in both of two tabs", async ({ browser }) => {
  const context = await browser.newContext({ locale: "en-GB" });
  await context.addInitScript(refuseWebGl);
  const page = await context.newPage();
  const folder = await mkdtemp(join(tmpdir(), "cairn-releases-"));
  const publish = (name: string, places: number) => publishRelease(folder, { name, places });
  await publish("first", 30);
  const host = await startStaticServer({ folders: { "/": PAGE_FOLDER, "/dataset/": folder } });
  const search = `${host.url}#/places?${AROUND_RELEASES}`;
  try {
    await page.goto(search);
    await expect(page.getByRole("status")).toHaveText("30 places found");
    await saveHere(page);
    await serviceWorkerReady(page);
    const second = await context.newPage();
    await second.goto(search);
    await expect(second.getByRole("status")).toHaveText("30 places found");

    await publish("second", 33);
    await second.reload();
    await expect(second.getByRole("status")).toHaveText("33 places found");
    // The first tab continues with its release and its files.
    await openPages(page);
    await page.getByLabel("Results per page").selectOption("100");
    await expect(page.getByRole("status")).toHaveText("30 places found");
    await openAreas(second);
    await expect(savedItems(second)).toContainText("Release first");
    host.forget();
    await second.getByRole("button", { name: "Update" }).click();
    await expect(savedItems(second)).toContainText("Release second");
    const fetched = host.sent.filter(({ path }) => /\.(pack|parquet)$/.test(path));
    expect(fetched.length).toBeLessThanOrEqual(2);
    await second.close();

    await host.close();
    await page.reload();
    await expect(page.getByRole("status")).toHaveText("33 places found");
  } finally {
    await context.close();
    await host.close().catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
});

test("a user who returns after five minutes, or to the network, gets the new release", async ({ browser }) => {
  const context = await browser.newContext({ locale: "en-GB" });
  await context.addInitScript(refuseWebGl);
  const page = await context.newPage();
  const folder = await mkdtemp(join(tmpdir(), "cairn-releases-"));
  const host = await startStaticServer({ folders: { "/": PAGE_FOLDER, "/dataset/": folder } });
  const publish = (places: number) => publishRelease(folder, { name: `with ${places}`, places });
  /** Searches until the new release is used. */
  const finds = (places: number) =>
    expect(async () => {
      for (const size of ["100", "25"]) await page.getByLabel("Results per page").selectOption(size);
      await expect(page.getByRole("status")).toHaveText(`${places} places found`, { timeout: 5000 });
    }).toPass();
  const asked = () => host.sent.filter(({ path }) => path.endsWith("/manifest.json")).length;
  /** Does what makes the page check for a release, and waits until it has checked. */
  const looks = async (come: () => Promise<unknown>) => {
    host.forget();
    await come();
    await expect.poll(asked).toBeGreaterThan(0);
  };
  const comeBack = () => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  try {
    await publish(30);
    // Only the page's clock: the user was away.
    await page.addInitScript(() => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + Number(sessionStorage.getItem("away") ?? 0);
    });
    await page.goto(`${host.url}#/places?${AROUND_RELEASES}`);
    await expect(page.getByRole("status")).toHaveText("30 places found");
    await openPages(page);
    await publish(33);
    await page.evaluate(() => sessionStorage.setItem("away", String(5 * 60_000 + 1)));
    await looks(comeBack);
    await finds(33);
    await context.setOffline(true);
    await publish(36);
    await looks(() => context.setOffline(false));
    await finds(36);
  } finally {
    await context.close();
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test("a new version of the program waits for the user's consent", async ({ browser }) => {
  const folder = await mkdtemp(join(tmpdir(), "cairn-versions-"));
  await cp(PAGE_FOLDER, folder, { recursive: true });
  const host = await startStaticServer({ folders: { "/": folder, "/dataset/": DATASET_FOLDER } });
  const context = await browser.newContext({ locale: "en-GB" });
  await context.addInitScript(refuseWebGl);
  const page = await context.newPage();
  const isWaiting = () =>
    page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting));
  try {
    await page.goto(host.url);
    await serviceWorkerReady(page);
    await appendFile(join(folder, "service-worker.js"), "\n// the next version\n");
    await page.reload();
    await expect(page.getByText("A new version of this page is available.")).toBeVisible();
    expect(await isWaiting()).toBe(true);
    await page.getByRole("button", { name: "Reload" }).click();
    await expect(page.getByText("A new version of this page is available.")).toBeHidden();
    await expect.poll(isWaiting).toBe(false);
    await expect(page.getByRole("button", { name: /^Online/ })).toBeVisible();
  } finally {
    await context.close();
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
});
