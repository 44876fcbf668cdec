import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import Papa from "papaparse";
import { seriousFaults } from "../support/axe.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { PAGE_FOLDER } from "../support/folders.ts";
import { startStaticServer } from "../support/static-server.ts";

const TABLE = "docs/examples/bike-shops.csv";
const GALWAY = { latitude: 53.2743, longitude: -9.0514 };
const run = promisify(execFile);

/** The site of a new project: two commands, from an empty folder with a spreadsheet. */
const test = base.extend<object, { readonly site: { readonly folder: string; readonly seconds: number } }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), "cairn-shop-"));
      const [tsx, cli] = [resolve("node_modules/.bin/tsx"), resolve("pipeline/cli/main.ts")];
      const cairn = (cwd: string, ...args: string[]) => run(tsx, [cli, ...args], { cwd });
      await cp(TABLE, join(folder, "bike-shops.csv"));
      const start = performance.now();
      await cairn(
        folder,
        "init",
        "--from",
        "bike-shops.csv",
        "my-shops",
        "--title",
        "Velo Ireland",
        "--package",
        "0.1.0",
      );
      const project = join(folder, "my-shops");
      await cairn(project, "build");
      await cairn(project, "site", "--page", resolve(PAGE_FOLDER));
      const seconds = (performance.now() - start) / 1000;
      await use({ folder: join(project, "site"), seconds });
      await rm(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
  host: async ({ site }, use) => {
    const host = await startStaticServer({ folders: { "/maps/": site.folder } });
    await use(host);
    await host.close();
  },
  home: ({ host }, use) => use(`${host.url}maps/`),
});

test.use({ geolocation: GALWAY, permissions: ["geolocation"], timezoneId: "Europe/Dublin" });

interface Shop {
  readonly Name: string;
  readonly Category: string;
  readonly Town: string;
}

async function shopsOf(): Promise<readonly Shop[]> {
  const { data } = Papa.parse<Shop>((await readFile(TABLE, "utf8")).trim(), { header: true });
  return data;
}

const resultsOf = (page: Page) => page.getByRole("list", { name: "Results" }).getByRole("button");
const expectFound = (page: Page, count: number) =>
  expect(page.getByRole("status").first()).toHaveText(`${count} found in Bike shops`);

test("two commands make a page in less than a minute, which lists all shops and nothing else", async ({
  page,
  home,
  site,
}) => {
  expect(site.seconds).toBeLessThan(60);
  const shops = await shopsOf();
  expect(shops).toHaveLength(40);
  await page.goto(home);
  await expectFound(page, 40);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Velo Ireland");
  const names = shops.map(({ Name }) => Name).sort((a, b) => a.localeCompare(b, "en"));
  await expect(resultsOf(page).first()).toContainText(names[0] ?? "");
  for (const name of ["Export", "Search around this point"]) {
    await expect(page.getByRole("button", { name })).toHaveCount(0);
  }
  await expect(page.getByRole("radio", { name: "Places" })).toHaveCount(0);
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(page.getByRole("dialog", { name: "Menu" }).getByRole("listitem")).toHaveText(["About"]);
  await page.keyboard.press("Escape");
  expect(await seriousFaults(page)).toEqual([]);
});

test("near me lists the nearest shops first, and a shop has hours, links and directions", async ({ page, home }) => {
  // a Saturday at 12:30 in Ireland
  await page.clock.setFixedTime(new Date("2026-11-28T12:30:00Z"));
  await page.goto(home);
  await expectFound(page, 40);
  await page.getByRole("button", { name: "Near me" }).click();
  await expect(page).toHaveURL(/lat=53\.2743&lng=-9\.0514/);
  await expectFound(page, 40);
  await expect(resultsOf(page).first()).toContainText("Galway");
  await resultsOf(page).filter({ hasText: "Little Wheels" }).click();
  const detail = page.getByRole("article", { name: "Little Wheels" });
  const hours = detail.getByRole("region", { name: "Opening hours" });
  await expect(hours).toContainText("Open now · closes at 17:00");
  await hours.getByText("Opening hours").click();
  await expect(hours.locator("[aria-current=date]")).toHaveText("Saturday10:00–17:00");
  await expect(hours.getByRole("row")).toHaveCount(7);
  await expect(detail.getByRole("link", { name: "Directions" })).toHaveAttribute(
    "href",
    /openstreetmap\.org\/directions\?to=53\.\d+%2C-9\.\d+/,
  );
  await expect(detail.getByRole("link", { name: /^\+353/ })).toHaveAttribute("href", /^tel:\+353/);
  // the columns without a role, by the names that the table has
  await expect(detail.locator(".facts dt")).toHaveText(["Cargo bikes", "Rental per day", "Open since"]);
  expect(await seriousFaults(page)).toEqual([]);
});

test("open now keeps the shops that are open, in list and address", async ({ page, home }) => {
  await page.clock.setFixedTime(new Date("2026-11-28T12:30:00Z"));
  await page.goto(home);
  await expectFound(page, 40);
  await page.getByLabel("Open now").check();
  await expect(page).toHaveURL(/open_now=1/);
  await expect(page.getByText(/1 result without readable opening hours is left out/)).toBeVisible();
  const openAtNoon = await page.getByRole("status").first().textContent();
  await page.reload();
  await expect(page.getByRole("status").first()).toHaveText(openAtNoon ?? "");
  // on Sunday at 7 only the workshop that never closes is open
  await page.clock.setFixedTime(new Date("2026-11-29T07:00:00Z"));
  await page.reload();
  await expectFound(page, 1);
  await page.getByRole("button", { name: "Remove the filter Open now" }).click();
  await expectFound(page, 40);
});

test("the page has the filters of map.json, and orders the list by a column", async ({ page, home }) => {
  const shops = await shopsOf();
  await page.goto(home);
  await expectFound(page, 40);
  await page.getByRole("button", { name: "Filters" }).click();
  const filters = page.getByRole("region", { name: "Filters" });
  await expect(filters.locator("legend")).toHaveText(["Category", "Town", "Cargo bikes"]);
  const workshops = shops.filter(({ Category }) => Category === "Workshop").length;
  await filters.getByRole("checkbox", { name: `Workshop ${workshops}` }).check();
  await expectFound(page, workshops);
  await page.getByRole("combobox", { name: "Order" }).selectOption("Open since, descending");
  await expect(page).toHaveURL(/sort=-Open%20since/);
  await expectFound(page, workshops);
});
