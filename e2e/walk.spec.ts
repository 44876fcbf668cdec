/** Runs the walkthrough of `e2e/walk.md`: each step by number. */
import { readFile } from "node:fs/promises";
import type { BrowserContext, Page } from "@playwright/test";
import Papa from "papaparse";
import { badge, openAreas, savedItems } from "./support/areas.ts";
import { expect, test } from "./support/fixtures.ts";
import { openPages } from "./support/pages.ts";
import { BOULDER } from "./support/searches.ts";
import { serviceWorkerReady } from "./support/service-worker.ts";

interface Walk {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly home: string;
  /** Values that a later step needs. */
  readonly seen: Map<string, string>;
}

type Step = (walk: Walk) => Promise<void>;

const status = (page: Page) => page.getByRole("status").first();
const box = (page: Page) => page.getByRole("combobox").first();
const chips = (page: Page) => page.getByRole("group", { name: "Categories" }).getByRole("button");
const rows = (page: Page) => page.getByRole("list", { name: "Results" }).getByRole("listitem");
const record = (page: Page) => page.getByRole("article");

/** The number of results, when it is shown. */
async function countOf(page: Page): Promise<number> {
  await expect(status(page)).toHaveText(/\d.* found/);
  return Number(/[\d,]+/.exec((await status(page).textContent()) ?? "")?.[0].replaceAll(",", ""));
}

async function openFromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name }).click();
}

async function expectNothingSideways(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** Ticks the box and compares the number of results with the number next to it. */
async function tick(page: Page, name: RegExp): Promise<void> {
  const choice = page.getByRole("checkbox", { name }).first();
  const [, count = ""] = /([\d,]+)$/.exec((await choice.locator("..").textContent()) ?? "") ?? [];
  await choice.check();
  await expect(status(page)).toHaveText(new RegExp(`^${count} `));
}

/** The number of results of the service worker. */
function countByRest(page: Page, address: string): Promise<string | null> {
  return page.evaluate(async (asked) => (await fetch(asked)).headers.get("Pagination-Count"), address);
}

async function download(page: Page, save: () => Promise<void>, ending: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent("download", (one) => one.suggestedFilename().endsWith(ending)),
    save(),
  ]);
  return readFile(await file.path(), "utf8");
}

const STEPS: Readonly<Record<number, Step>> = {
  1: async ({ page, home }) => {
    await page.goto(home);
    await expect(page.getByText("Cairn searches open map data: places, buildings")).toBeVisible();
    await expect(page.getByRole("link", { name: "Boulder Places: 3,545" })).toBeVisible();
    await expect(page.getByText("Dots on the map show where there is data.")).toBeVisible();
    expect(await chips(page).count()).toBeGreaterThanOrEqual(8);
  },
  2: async ({ page }) => {
    await box(page).pressSequentially("monacco");
    await expect(page.getByRole("option", { name: /^Monaco Country/ })).toBeVisible();
  },
  3: async ({ page, seen }) => {
    await page.getByRole("option", { name: /^Monaco Country/ }).click();
    await expect(page).toHaveURL(/#\/places\?country=MC&/);
    seen.set("all", String(await countOf(page)));
  },
  4: async ({ page, seen }) => {
    const chip = chips(page).filter({ hasText: "Pharmacy" });
    await chip.click();
    await expect(chip).toHaveAttribute("aria-pressed", "true");
    await expect(page).toHaveURL(/categories=pharmacy/);
    expect(await countOf(page)).toBeLessThan(Number(seen.get("all")));
  },
  5: async ({ page }) => {
    await rows(page).first().getByRole("button").click();
    const name = await record(page).getByRole("heading").first().textContent();
    await expect(page).toHaveTitle(`${name} · Cairn`);
  },
  6: async ({ page }) => {
    await record(page).getByText("Nearby", { exact: true }).click();
    await expect(record(page)).toContainText("Nearest address");
    await expect(record(page)).toContainText("Inside");
  },
  7: async ({ page }) => {
    await record(page).getByRole("button", { name: "Next record" }).click();
    await expect(record(page)).toContainText(/2 of \d/);
    await page.keyboard.press("Escape");
    await expect(rows(page).nth(1).getByRole("button")).toBeFocused();
  },
  8: async ({ page }) => {
    const listed = await countOf(page);
    await openFromMenu(page, "Table");
    const table = page.getByRole("dialog", { name: "Table" });
    await expect(table.getByRole("row")).toHaveCount(Math.min(listed, 25) + 1);
    for (const at of [0, 1]) await table.locator("tbody tr").nth(at).getByRole("checkbox").check();
    await table.getByRole("button", { name: "Compare" }).click();
    await expect(table.getByRole("columnheader")).toHaveCount(2);
    await table.getByRole("button", { name: "Close" }).click();
    await page.getByLabel("Order").selectOption("By name");
    await expect(page).toHaveURL(/(order|sort)=name/);
  },
  9: async ({ page }) => {
    await page.getByRole("button", { name: /^Filters/ }).click();
    const before = await countOf(page);
    await page.getByText("Phone", { exact: true }).click();
    await expect(page).toHaveURL(/has_contact=phone/);
    const count = await countOf(page);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(before);
  },
  10: async ({ page, seen }) => {
    await page.getByRole("button", { name: "Clear all filters" }).click();
    await expect(status(page)).toHaveText(new RegExp(`^${Number(seen.get("all")).toLocaleString("en")} `));
  },
  11: async ({ page, home }) => {
    await page.goto(home + BOULDER);
    await expect(status(page)).toHaveText("2,413 places found");
    await expectNothingSideways(page);
  },
  12: async ({ page, seen }) => {
    await page.getByRole("button", { name: /1 km around/ }).click();
    await page.getByLabel("Metres").fill("400");
    await page.getByLabel("Metres").press("Enter");
    await expect(page).toHaveURL(/radius=400/);
    const count = await countOf(page);
    expect(count).toBeLessThan(2413);
    seen.set("count", (await status(page).textContent()) ?? "");
  },
  13: async ({ page }) => {
    await serviceWorkerReady(page);
    await openAreas(page);
    await page.getByRole("button", { name: "Save an area" }).click();
    await expect(page.getByText(/[kMG]B in \d+ files?;/)).toBeVisible();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(savedItems(page)).toHaveCount(1);
    await page.getByRole("button", { name: "Close" }).click();
  },
  14: async ({ page, context, seen }) => {
    await context.setOffline(true);
    const address = page.url();
    await page.goto("about:blank");
    await page.goto(address);
    await expect(status(page)).toHaveText(seen.get("count") ?? "");
    await expect(badge(page)).toHaveAccessibleName(/^(No network|The map data’s host does not answer)\. 1 area saved/);
  },
  15: async ({ page }) => {
    await box(page).fill("pearl st");
    await expect(page.getByRole("option", { name: /^Pearl Street Street/ })).toBeVisible();
    await box(page).fill("");
    await page.keyboard.press("Escape");
  },
  16: async ({ page }) => {
    await rows(page).first().getByRole("button").click();
    await record(page).getByRole("button", { name: "Star" }).click();
    await record(page).getByLabel("Your name for this record").fill("Where I start");
    await record(page).getByLabel("Note", { exact: true }).fill("key at the back");
  },
  17: async ({ page }) => {
    await openFromMenu(page, "Notes");
    const notes = page.getByRole("dialog", { name: "Notes" });
    await expect(notes.getByRole("link", { name: "Where I start" })).toBeVisible();
  },
  18: async ({ page }) => {
    const notes = page.getByRole("dialog", { name: "Notes" });
    const gpx = await download(page, () => notes.getByRole("button", { name: "Export as GPX" }).click(), ".gpx");
    expect(gpx).toContain("<name>Where I start</name><desc>key at the back</desc>");
    await notes.getByRole("button", { name: "Close" }).click();
  },
  19: async ({ page, home }) => {
    await page.goto(`${home}#/places?lat=43.7384&lng=7.4246&radius=500`);
    await expect(page.getByRole("alert")).toContainText("this part of the map data is not on this device");
  },
  20: async ({ page, context }) => {
    await context.setOffline(false);
    expect(await countOf(page)).toBeGreaterThan(0);
  },
  21: async ({ page, home, seen }) => {
    await page.goto(`${home}#/buildings?lat=43.7347&lng=7.4206&radius=1000`);
    seen.set("buildings", String(await countOf(page)));
  },
  22: async ({ page, seen }) => {
    await page.getByRole("button", { name: /^Filters/ }).click();
    await page.getByLabel(/^Minimum height/).fill("30");
    await page.getByLabel(/^Minimum height/).press("Tab");
    await expect(page).toHaveURL(/min_height=30/);
    const count = await countOf(page);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(Number(seen.get("buildings")));
    seen.set("tall", String(count));
  },
  23: async ({ page, context, home, seen }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Export" }).click();
    const copies = page.getByRole("region", { name: "Copy the search as" });
    await copies.getByRole("button", { name: "curl", exact: true }).click();
    await expect(copies.getByText("Copied", { exact: true })).toBeAttached();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`curl '${home}buildings?`);
    seen.set("address", copied.replace(/^curl '|'\s*$/g, ""));
  },
  24: async ({ page, seen }) => {
    await serviceWorkerReady(page);
    expect(await countByRest(page, seen.get("address") ?? "")).toBe(seen.get("tall"));
  },
  25: async ({ page, seen }) => {
    const panel = page.getByRole("dialog", { name: "Export" });
    await panel.getByLabel("CSV values unchanged").check();
    const csv = await download(page, () => panel.getByRole("button", { name: "Save" }).click(), ".csv");
    const { data } = Papa.parse(csv, { header: true, skipEmptyLines: true });
    expect(data).toHaveLength(Number(seen.get("tall")));
    await panel.getByRole("button", { name: "Close" }).click();
  },
  26: async ({ page, home }) => {
    const count = await countByRest(page, `${home}buildings?country=MC&limit=1`);
    await openFromMenu(page, "SQL console");
    const sql = page.getByRole("dialog", { name: "SQL console" });
    await sql.getByRole("textbox", { name: "SQL" }).fill("SELECT count(*) AS n FROM building WHERE country = 'MC'");
    await sql.getByRole("textbox", { name: "SQL" }).press("Control+Enter");
    await expect(sql.getByRole("cell")).toHaveText([count ?? ""]);
    await sql.getByRole("button", { name: "Close" }).click();
  },
  27: async ({ page }) => {
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["name,lat,lng\nMy tower,43.7348,7.4207\n"], "towers.csv"));
      for (const type of ["dragover", "drop"])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    });
    const files = page.getByRole("dialog", { name: "Your files" });
    await expect(files).toContainText("1 row");
    await files.getByRole("button", { name: "Close" }).click();
  },
  28: async ({ page, home }) => {
    await page.goto(`${home}docs/`);
    await expect(page.getByText("/buildings").first()).toBeVisible();
    await page.getByRole("link", { name: /map/i }).first().click();
    await expect(box(page)).toBeVisible();
  },
  29: async ({ page, home }) => {
    await page.goto(home + BOULDER);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByLabel("Language").selectOption("Deutsch");
    await expect(status(page)).toHaveText("2.413 Orte gefunden");
    await page.getByLabel("Sprache").selectOption("English");
    await page.keyboard.press("Escape");
    await expect(status(page)).toHaveText("2,413 places found");
  },
  30: async ({ page }) => {
    await openFromMenu(page, "How this was answered");
    const panel = page.getByRole("dialog", { name: "How this was answered" });
    await expect(panel).toContainText(/From (the network|memory)/);
  },
  31: async ({ page, home }) => {
    await page.goto(home);
    await expect(box(page)).toBeVisible();
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
    expect(focused).toMatch(/^Skip to/);
  },
  32: async ({ page }) => {
    await page.keyboard.press("/");
    await expect(box(page)).toBeFocused();
    await page.keyboard.type("40.0165, -105.271");
    await page.keyboard.press("Enter");
    await expect(status(page)).toHaveText("2,413 places found");
  },
  33: async ({ page }) => {
    await expectNothingSideways(page);
    await expect(rows(page).first()).toBeInViewport();
  },
  34: async ({ page }) => {
    await page.getByText("Roads & rail", { exact: true }).click();
    await expect(status(page)).toHaveText(/segments found/);
  },
  35: async ({ page }) => {
    await page.getByRole("button", { name: /^Filters/ }).click();
    await tick(page, /^Residential/);
  },
  36: async ({ page }) => {
    await page.getByRole("button", { name: /^Filters/ }).click();
    await rows(page).first().getByRole("button").click();
    await expect(record(page).getByText("Class", { exact: true })).toBeVisible();
    await expect(record(page).getByText("Connectors", { exact: true })).toHaveCount(0);
  },
  37: async ({ page, home }) => {
    await page.goto(home + BOULDER);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByLabel("Language").selectOption("العربية");
    await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
    await expectNothingSideways(page);
    await page.getByLabel("اللغة").selectOption("English");
    await page.keyboard.press("Escape");
  },
  38: async ({ page }) => {
    await openPages(page);
    const field = page.getByRole("spinbutton", { name: "Page" });
    await field.fill("9999");
    await field.press("Enter");
    await expect(page.getByRole("alert")).toHaveText("There is no page 9999: pages go from 1 to 97.");
    await page.getByRole("dialog", { name: "How this was answered" }).getByRole("button", { name: "Close" }).click();
  },
  39: async ({ page, home }) => {
    await page.goto(`${home}#/places?lat=40.0165&lng=-105.271&radius=-5`);
    await expect(page.getByRole("alert").filter({ hasText: "radius=-5" })).toBeVisible();
  },
  40: async ({ page, home }) => {
    await page.goto(`${home}#/building/nobody-knows-me`);
    await expect(page.getByRole("heading", { name: "Record not found" })).toBeVisible();
    await page.getByRole("link", { name: "Search the map" }).click();
    await expect(page.getByRole("heading", { name: "Record not found" })).toBeHidden();
  },
};

/** A persona of the page, with its device and its steps as documented. */
interface Person {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly scheme: "light" | "dark";
  readonly steps: readonly (readonly [number: number, text: string])[];
}

function peopleOf(text: string): Person[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [, title = "", width, height, scheme] = /^(.+): (\d+) × (\d+), (light|dark)$/m.exec(section) ?? [];
      const steps = [...section.matchAll(/^(\d+)\. (.+)$/gm)].map(
        ([, number, step = ""]) => [Number(number), step] as const,
      );
      if (scheme !== "light" && scheme !== "dark")
        throw new Error(`a person without a screen: ${section.slice(0, 80)}`);
      return { title, width: Number(width), height: Number(height), scheme, steps };
    });
}

const people = peopleOf(await readFile(new URL("./walk.md", import.meta.url), "utf8"));

test("the documented walkthrough has forty steps, each of which is run here", () => {
  const numbers = people.flatMap(({ steps }) => steps.map(([number]) => number));
  expect(numbers).toEqual(Array.from({ length: 40 }, (_, place) => place + 1));
  expect(Object.keys(STEPS).map(Number)).toEqual(numbers);
});

for (const { title, width, height, scheme, steps } of people) {
  test.describe(title, () => {
    const isMobile = width < 600;
    test.use({ viewport: { width, height }, colorScheme: scheme, isMobile, hasTouch: isMobile });

    test(`${title}: ${width} × ${height}, ${scheme}`, async ({ page, context, home }) => {
      const walk: Walk = { page, context, home, seen: new Map() };
      // Tests cannot control the file picker.
      await page.addInitScript(() => {
        for (const holder of [window, Window.prototype]) Reflect.deleteProperty(holder, "showSaveFilePicker");
      });
      for (const [number, text] of steps) {
        await test.step(`${number}. ${text}`, async () => {
          const step = STEPS[number];
          if (!step) throw new Error(`step ${number} is not known`);
          await step(walk);
        });
      }
    });
  });
}
