import { appendFile, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { buildRetiredWorker } from "../../web/site/publish.ts";
import { openAreas, savedItems, saveHere } from "../support/areas.ts";
import { startDuckdb } from "../support/duckdb.ts";
import { refuseWebGl } from "../support/fixtures.ts";
import { DATASET_FOLDER, PAGE_FOLDER } from "../support/folders.ts";
import { ask } from "../support/rest.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";
import { type StaticServer, startStaticServer } from "../support/static-server.ts";

const SEARCH = "#/places?lat=43.7384&lng=7.4246&radius=100";

/** One origin with a site at its root and another in a folder below. */
let folder: string;
let host: StaticServer;
let context: BrowserContext;

test.beforeEach(async ({ browser }) => {
  folder = await mkdtemp(join(tmpdir(), "cairn-two-sites-"));
  await cp(PAGE_FOLDER, folder, { recursive: true, filter: (path) => !path.startsWith(join(PAGE_FOLDER, "dataset")) });
  const folders = { "/": folder, "/dataset/": DATASET_FOLDER, "/maps/": PAGE_FOLDER, "/maps/dataset/": DATASET_FOLDER };
  host = await startStaticServer({ folders });
  context = await browser.newContext({ locale: "en-GB" });
  await context.addInitScript(refuseWebGl);
});
test.afterEach(async () => {
  await context.close();
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

test.describe.configure({ timeout: 480_000 });

/** Opens every stored part of a site: page, search, reference, an area. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(host.url + path + SEARCH);
  await expect(page.getByText(/^[\d,]+ places found$/)).toBeVisible();
  await saveHere(page);
  await serviceWorkerReady(page);
  await page.goto(`${host.url + path}docs/`);
  await expect(page.getByText("/places", { exact: true }).first()).toBeVisible();
  await page.goto(host.url + path + SEARCH);
  await startDuckdb(page);
  // Modules are cached when the page is idle.
  const modules = async () => (await kept(page, path)).filter((key) => /^cairn-wasm .*duckdb.*wasm\.z$/.test(key));
  await expect.poll(modules).toHaveLength(1);
}

/** Entries of the origin's caches and database that belong to the site. */
async function kept(page: Page, path: string): Promise<string[]> {
  const all = await page.evaluate(async () => {
    const keys: string[] = [];
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) keys.push(`${name} ${url}`);
    }
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open("cairn");
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    for (const store of ["areas", "uses"]) {
      const rows = await new Promise<{ base: string }[]>((resolve) => {
        const asking = database.transaction(store).objectStore(store).getAll();
        asking.onsuccess = () => resolve(asking.result);
      });
      for (const { base } of rows) keys.push(`${store} ${base}`);
    }
    database.close();
    return keys;
  });
  const isOf = (key: string) => key.includes(` ${host.url}maps/`) === (path === "maps/");
  return all.filter(isOf).sort();
}

test("a new version of a site deletes only its own data, not that of a site in a folder below", async () => {
  const page = await context.newPage();
  await visit(page, "");
  await visit(page, "maps/");
  const below = await kept(page, "maps/");
  expect(new Set(below.map((key) => key.split(/ |-v2/)[0]))).toEqual(
    new Set(["areas", "cairn-dataset", "cairn-pages", "cairn-wasm", "uses", "workbox-precache"]),
  );
  await appendFile(join(folder, "service-worker.js"), "\n// the next version\n");
  await page.goto(host.url);
  const reloaded = page.waitForEvent("load");
  await page.getByRole("button", { name: "Reload" }).click();
  await reloaded;
  await expect.poll(async () => (await kept(page, "")).filter((key) => key.startsWith("cairn-pages"))).toEqual([]);
  const isKept = (key: string) => !key.startsWith("uses");
  expect((await kept(page, "maps/")).filter(isKept)).toEqual(below.filter(isKept));
});

test("a retired service worker removes itself and its site's data; open pages use the host", async () => {
  const page = await context.newPage();
  await visit(page, "maps/");
  const below = (await kept(page, "maps/")).filter((key) => !key.startsWith("uses"));
  await visit(page, "");
  const tab = await context.newPage();
  await tab.goto(host.url + SEARCH);
  await expect(tab.getByText(/^[\d,]+ places found$/)).toBeVisible();

  await rm(folder, { recursive: true, force: true });
  await buildRetiredWorker({ out: folder });
  await writeFile(join(folder, "index.html"), "<p>Something else</p>");
  await page.goto(host.url);
  for (const open of [page, tab]) await expect(open.getByText("Something else")).toBeVisible();
  const scopes = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope));
  await expect.poll(scopes).toEqual([`${host.url}maps/`]);

  // The site below is unchanged.
  await page.goto(`${host.url}maps/${SEARCH}`);
  await expect(page.getByText(/^[\d,]+ places found$/)).toBeVisible();
  await openAreas(page);
  await expect(savedItems(page)).toHaveCount(1);
  // The worker removes again after its pages have left.
  await expect.poll(() => kept(page, "")).toEqual([]);
  expect(await kept(page, "maps/")).toEqual(expect.arrayContaining(below));
  expect((await ask(page, "places?lat=43.7384&lng=7.4246&radius=100")).status).toBe(200);
});
