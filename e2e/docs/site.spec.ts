import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, type Page, test } from "@playwright/test";
import { open } from "../../web/embed/node/index.ts";
import { DATASET_FOLDER, PAGE_FOLDER } from "../support/folders.ts";
import { type StaticServer, startStaticServer } from "../support/static-server.ts";

/** As `.github/workflows/demo.yml` publishes them: in a folder of the demo, whose map element and dataset they use. */
const BASE = "/maps/docs/guide/";

let folder: string;
let site: StaticServer;
let faults: string[];

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-docs-site-"));
  const args = [".ci/docs-site.mjs", "--out", folder, "--base", BASE, "--live", "../../"];
  await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
  site = await startStaticServer({
    folders: { "/maps/": PAGE_FOLDER, "/maps/dataset/": DATASET_FOLDER, [BASE]: folder },
  });
});
test.afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});
test.beforeEach(({ page }) => {
  faults = faultsOn(page);
});
test.afterEach(() => expect(faults).toEqual([]));

/** Uncaught errors, missing files, and requests to other origins. */
function faultsOn(page: Page): string[] {
  const seen: string[] = [];
  page.on("pageerror", (error) => seen.push(error.message));
  page.on("request", (request) => {
    const { origin, protocol, href } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== new URL(site.url).origin) seen.push(href);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) seen.push(`${response.status()} ${response.url()}`);
  });
  return seen;
}

const at = (path: string) => new URL(BASE + path, site.url).href;

test("the first page has a live map that answers, and another search after a click", async ({ page }) => {
  const cairn = await open(DATASET_FOLDER);
  const { count } = await cairn.search("places", { lat: 43.7347, lng: 7.4206, radius: 300 });
  await page.goto(at(""));
  const map = page.locator("cairn-map");
  const status = map.getByRole("status");
  await expect(status).toContainText(`${count} found`);
  await map.locator("canvas").click({ position: { x: 60, y: 200 } });
  await expect(map).not.toHaveAttribute("lng", "7.4206");
  await expect(status).not.toContainText(`${count} found`);
});

test("a guide has a live map that draws tiles", async ({ page }) => {
  await page.goto(at("guides/tiles.html"));
  await expect(page.locator("cairn-map").getByRole("status")).toContainText(/\d+ found/);
  await expect(page.locator("cairn-map canvas")).toBeVisible();
  await expect.poll(() => site.sent.some(({ path }) => path.startsWith("/maps/dataset/building/"))).toBe(true);
});

test("the sidebar leads to every group, and to the file format", async ({ page }) => {
  await page.goto(at("start/own-data.html"));
  const sidebar = page.locator(".VPSidebar");
  for (const group of ["Start", "Guides", "Reference", "Explanation", "Decisions", "API"]) {
    await expect(sidebar.getByRole("heading", { name: group, exact: true })).toBeVisible();
  }
  await sidebar.getByRole("link", { name: "Embedding" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Embedding" })).toBeVisible();
  await page.goto(at("reference/file-format.html"));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.goto(at("reference/api/cairn-reader.html"));
  await expect(page.getByRole("heading", { level: 1, name: "API: cairn-reader" })).toBeVisible();
  await expect(page.locator("main")).toContainText("Returns a page of the matching rows");
});

test("search finds a page by a word of its text", async ({ page }) => {
  await page.goto(at("start/own-data.html"));
  await page.getByRole("button", { name: "Search" }).first().click();
  await page.locator("#localsearch-input").fill("FlatGeobuf");
  const result = page.locator(".VPLocalSearchBox .result").first();
  await expect(result).toBeVisible();
  await result.click();
  await expect(page.locator("main")).toContainText("FlatGeobuf");
});

test("the dark mode follows the reader's setting, and a switch changes it", async ({ page }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(at("start/own-data.html"));
  await expect(page.locator("html")).toHaveClass(/\bdark\b/);
  const dark = await background();
  await page.locator(".VPSwitchAppearance:visible").first().click();
  await expect(page.locator("html")).not.toHaveClass(/\bdark\b/);
  expect(await background()).not.toBe(dark);
});

test("a page fits a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(at("guides/embedding.html"));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBe(0);
});
