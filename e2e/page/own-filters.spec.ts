import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import Papa from "papaparse";
import { buildDataset } from "../../pipeline/builder/dataset/build.ts";
import { saveHere } from "../support/areas.ts";
import { seriousFaults } from "../support/axe.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { PAGE_FOLDER } from "../support/folders.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";
import { makeShops, type Shop, shopsCsv } from "../support/shops.ts";
import { startStaticServer } from "../support/static-server.ts";

const shops = makeShops();
const countOf = (isWanted: (shop: Shop) => boolean): number => shops.filter(isWanted).length;

/** A dataset with nothing but the table. */
const test = base.extend<object, { readonly dataset: string }>({
  dataset: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), "cairn-shops-"));
      const file = join(folder, "My Shops.csv");
      await writeFile(file, shopsCsv(shops));
      await buildDataset({ sources: [file], out: join(folder, "dataset") });
      await use(join(folder, "dataset"));
      await rm(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
  host: async ({ dataset }, use) => {
    const host = await startStaticServer({ folders: { "/maps/": PAGE_FOLDER, "/maps/dataset/": dataset } });
    await use(host);
    await host.close();
  },
  home: ({ host }, use) => use(`${host.url}maps/`),
});

const expectFound = (page: Page, count: number) =>
  expect(page.getByRole("status").first()).toHaveText(`${count} found in My shops`);
const filtersOf = (page: Page) => page.getByRole("region", { name: "Filters" });
const chipsOf = (page: Page) => page.getByRole("list", { name: "Active filters" });
const chip = (page: Page, name: string) => page.getByRole("button", { name: `Remove the filter ${name}` });

async function openFilters(page: Page, home: string): Promise<void> {
  await page.goto(`${home}#/my_shops`);
  await expectFound(page, shops.length);
  await page.getByRole("button", { name: "Filters" }).click();
}

/** Types a bound of a range, with the keyboard only. */
async function fillBound(page: Page, column: string, bound: "From" | "To", value: string): Promise<void> {
  const field = filtersOf(page).getByRole("group", { name: column }).getByLabel(bound);
  await field.fill(value);
  await field.press("Enter");
}

test("a filter of each kind of column finds what a loop finds", async ({ page, home }) => {
  await openFilters(page, home);
  const filters = filtersOf(page);

  const bakeries = countOf(({ kind }) => kind === "Bakery");
  const kinds = filters.getByRole("group", { name: "Category" });
  const bakery = kinds.getByRole("checkbox", { name: `Bakery ${bakeries}` });
  await bakery.check();
  await expectFound(page, bakeries);
  // the other values stay, with what each of them would find
  const books = countOf(({ kind }) => kind === "Books & more");
  await kinds.getByRole("checkbox", { name: `Books & more ${books}` }).check();
  await expectFound(page, bakeries + books);
  await chip(page, "Category: Bakery, Books & more").click();
  await expectFound(page, shops.length);

  await filters.getByRole("group", { name: "Organic" }).getByText("yes").click();
  await expectFound(
    page,
    countOf(({ isOrganic }) => isOrganic),
  );
  await chip(page, "Organic: yes").click();

  await fillBound(page, "Price", "From", "20.5");
  const isExpensive = ({ price }: Shop) => price !== null && price >= 20.5;
  await expectFound(page, countOf(isExpensive));
  await fillBound(page, "Price", "To", "60");
  await expectFound(
    page,
    countOf((shop) => isExpensive(shop) && Number(shop.price) <= 60),
  );
  const prices = filters.getByRole("group", { name: "Price" });
  const noPrice = countOf(({ price }) => price === null);
  await expect(prices).toContainText(`${noPrice} of ${shops.length} have no value.`);
  await prices.getByRole("checkbox", { name: "Include those without a value" }).check();
  await expectFound(
    page,
    countOf((shop) => shop.price === null || (isExpensive(shop) && shop.price <= 60)),
  );
  // it holds for both bounds
  await chip(page, "Price: ≥ 20.5 or no value").click();
  await expectFound(
    page,
    countOf(({ price }) => price === null || price <= 60),
  );
  await chip(page, "Price: ≤ 60 or no value").click();

  await fillBound(page, "Opened", "From", "2015-03");
  await fillBound(page, "Opened", "To", "2018");
  const isOfThen = ({ opened }: Shop) => opened >= "2015-03" && opened.slice(0, 4) <= "2018";
  await expectFound(page, countOf(isOfThen));
  await chip(page, "Opened: ≥ 2015-03").click();
  await chip(page, "Opened: ≤ 2018").click();

  for (const column of ["Note", "Name"] as const) {
    const text = filters.getByLabel(column, { exact: true });
    await text.fill("muller");
    await text.press("Enter");
    await expectFound(
      page,
      countOf((shop) => shop[column === "Note" ? "note" : "name"].includes("Müller")),
    );
    await chip(page, `${column}: muller`).click();
    await expectFound(page, shops.length);
  }

  // the page's address has an area of its own
  const norths = countOf(({ area }) => area === "North");
  await filters
    .getByRole("group", { name: "area" })
    .getByRole("checkbox", { name: `North ${norths}` })
    .check();
  await expectFound(page, norths);
  expect(page.url()).toContain("c.area=North");
});

test("the address has the filters, and chips remove one or all of them", async ({ page, home }) => {
  const isCheapBakery = ({ kind, price }: Shop) => kind === "Bakery" && price !== null && price <= 50;
  await page.goto(`${home}#/my_shops?Category=Bakery&Price_max=50&Organic=true&Opened_min=2012`);
  const all = countOf((shop) => isCheapBakery(shop) && shop.isOrganic && shop.opened >= "2012");
  await expectFound(page, all);
  await page.reload();
  await expectFound(page, all);
  await expect(page).toHaveTitle(new RegExp(`^${all} found in My shops`));
  await expect(chipsOf(page).getByRole("button")).toHaveText([
    "Category: Bakery",
    "Price: ≤ 50",
    "Organic: yes",
    "Opened: ≥ 2012",
    "Clear all filters",
  ]);
  await chip(page, "Organic: yes").click();
  await chip(page, "Opened: ≥ 2012").click();
  await expectFound(page, countOf(isCheapBakery));
  await expect(page).toHaveURL(/#\/my_shops\?Category=Bakery&Price_max=50&limit=25$/);
  await page.goBack();
  await page.goBack();
  await expectFound(page, all);
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await expectFound(page, shops.length);
});

test("an invalid value is left out of an address, and reported in its field", async ({ page, home }) => {
  await page.goto(`${home}#/my_shops?Category=Bakery&Price_min=cheap&Pric=3`);
  await expectFound(
    page,
    countOf(({ kind }) => kind === "Bakery"),
  );
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("Price_min=cheap (12.5)");
  await expect(alert).toContainText("Pric=3");
  await page.getByRole("button", { name: "Filters" }).click();
  await fillBound(page, "Price", "From", "cheap");
  await expect(filtersOf(page).getByRole("alert")).toHaveText("A number such as 12.5.");
  await fillBound(page, "Opened", "To", "1.5.2020");
  await expect(filtersOf(page).getByRole("alert").last()).toHaveText("A date such as 2026, 2026-11 or 2026-11-28.");
  expect(await seriousFaults(page)).toEqual([]);
});

test("an export and the copied forms have the filters, and rows of a file stay", async ({ page, home, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => {
    for (const holder of [window, Window.prototype]) Reflect.deleteProperty(holder, "showSaveFilePicker");
  });
  await page.goto(`${home}#/my_shops?Category=Bakery&Price_min=10`);
  const isWanted = ({ kind, price }: Shop) => kind === "Bakery" && price !== null && price >= 10;
  await expectFound(page, countOf(isWanted));

  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export to a file" });
  const copied = async (name: string) => {
    await dialog.getByRole("button", { name, exact: true }).click();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await copied("curl")).toContain("/maps/my_shops?Category=Bakery&Price_min=10&limit=25'");
  expect(await copied("SQL")).toContain(`WHERE "Category" IN ('Bakery')\n  AND "Price" >= 10`);
  await dialog.getByLabel(/^All \d+ records/).check();
  await dialog.getByLabel("CSV values unchanged").check();
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Save" }).click();
  const { data } = Papa.parse<{ readonly Name: string }>(await readFile(await (await download).path(), "utf8"), {
    header: true,
    skipEmptyLines: true,
  });
  const names = shops.filter(isWanted).map(({ name }) => name);
  expect(data.map(({ Name }) => Name).sort()).toEqual(names.sort());
  await page.keyboard.press("Escape");

  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["name,lat,lng\nKiosk,48,7.9\n"], "kiosks.csv"));
    for (const type of ["dragover", "drop"]) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  });
  await expect(page.getByRole("status").first()).toHaveText(
    `${countOf(isWanted)} found in My shops · 1 row of your files`,
  );
});

test.describe(() => {
  test.use({ hasServiceWorker: true });
  test("a saved area has the table, and its filters work without a network", async ({ page, context, home }) => {
    await page.goto(`${home}#/my_shops?lat=48&lng=7.9&radius=30000`);
    await expectFound(page, shops.length);
    await saveHere(page);
    await serviceWorkerReady(page);
    await context.setOffline(true);
    await page.goto(`${home}#/my_shops?lat=48&lng=7.9&radius=30000&Category=Bakery&Opened_max=2015`);
    await page.reload();
    await expectFound(
      page,
      countOf(({ kind, opened }) => kind === "Bakery" && opened.slice(0, 4) <= "2015"),
    );
  });
});
