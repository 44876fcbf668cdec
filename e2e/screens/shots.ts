/**
 * The states of the page in the screenshots, and the steps to each.
 * @module
 */
import type { Page } from "@playwright/test";
import { savedItems } from "../support/areas.ts";

export interface Shot {
  readonly name: string;
  readonly size: "wide" | "phone";
  /** Default: the page with the sample. `shops` is a project of `cairn init` with a table. */
  readonly site?: "shops";
  readonly colorScheme: "light" | "dark";
  /** Default: `en-GB`. */
  readonly locale?: string;
  /** Appended to the page's address. */
  readonly address: string;
  readonly prepare: (page: Page) => Promise<void>;
  /** Default: the present. */
  readonly time?: string;
}

const MONACO = "#/places?lat=43.7384&lng=7.4246&radius=300";
/** A circle of 1 km fits between the two panels. */
const OVER_MONACO = "&view=13.1/43.7384/7.4278";
const BOULDER = "#/places?lat=40.0165&lng=-105.271&radius=600";

const found = (page: Page) =>
  page
    .locator(".status")
    .filter({ hasText: /[\d٠-٩]/ })
    .waitFor();
const openPanel = async (page: Page, name: string) => {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("dialog", { name }).waitFor();
};

const save = async (page: Page, name: string) => {
  const panel = page.getByRole("dialog", { name: "Saved areas" });
  if (!(await panel.isVisible())) await page.getByRole("button", { name: /^Online\./ }).click();
  await panel.getByRole("button", { name: "Save an area" }).click();
  await panel.getByLabel("Name", { exact: true }).fill(name);
  await panel.getByText(/[kMG]B in \d+ files?;/).waitFor();
  await panel.getByRole("button", { name: "Save", exact: true }).click();
  await savedItems(page).filter({ hasText: name }).waitFor();
};

export const SHOTS: readonly Shot[] = [
  {
    name: "start",
    size: "wide",
    colorScheme: "light",
    address: "",
    prepare: (page) => page.getByRole("heading", { name: "Search the map" }).waitFor(),
  },
  { name: "results", size: "wide", colorScheme: "light", address: MONACO, prepare: found },
  {
    name: "detail",
    size: "wide",
    colorScheme: "dark",
    address: BOULDER,
    async prepare(page) {
      await found(page);
      await page.getByRole("list", { name: "Results" }).getByRole("button").nth(3).click();
      await page.getByRole("article").waitFor();
    },
  },
  {
    name: "answer",
    size: "wide",
    colorScheme: "light",
    address: BOULDER + OVER_MONACO,
    async prepare(page) {
      await found(page);
      // The engine has started, but has not read this area.
      await page.goto(page.url().replace(/#.*/, MONACO.replace("300", "1000") + OVER_MONACO));
      await page.getByText("574 places found").waitFor();
      await openPanel(page, "How this was answered");
      await page.getByRole("checkbox").check();
    },
  },
  {
    name: "console",
    size: "wide",
    colorScheme: "dark",
    address: MONACO,
    async prepare(page) {
      await found(page);
      await openPanel(page, "SQL console");
      await page.getByRole("button", { name: "Places with the highest confidence, on the map" }).click();
      await page.getByRole("dialog").filter({ hasText: "on the map" }).waitFor();
    },
  },
  {
    name: "drawn-area",
    size: "wide",
    colorScheme: "light",
    locale: "ar",
    address: "#/buildings?area=7.4165,43.7285,7.4245,43.7285,7.428,43.734,7.4225,43.7365,7.4165,43.734",
    prepare: found,
  },
  {
    name: "saved-areas",
    size: "phone",
    colorScheme: "dark",
    address: "#/places?lat=43.7384&lng=7.4246&radius=500",
    async prepare(page) {
      await found(page);
      await save(page, "Monte-Carlo");
      await page.goto(page.url().replace(/#.*/, "#/places?lat=43.7311&lng=7.4197&radius=400"));
      await found(page);
      await save(page, "Le Rocher");
      await savedItems(page).nth(1).waitFor();
    },
  },
  {
    name: "phone-results",
    size: "phone",
    colorScheme: "light",
    address: "#/places?lat=43.7347&lng=7.4206&radius=120",
    prepare: found,
  },
  {
    name: "shops",
    size: "wide",
    colorScheme: "light",
    site: "shops",
    address: "",
    // a Saturday at 12:30 in Ireland
    time: "2026-11-28T12:30:00Z",
    async prepare(page) {
      await found(page);
      await page.getByRole("button", { name: "Near me" }).click();
      await page
        .locator(".maplibregl-ctrl-scale")
        .filter({ hasText: /^(\d+\sm|\d\skm)$/ })
        .waitFor();
      for (let step = 0; step < 3; step++) {
        await page.getByRole("button", { name: "Zoom out" }).click();
        await page.waitForTimeout(1000);
      }
      await page.getByRole("button", { name: /Little Wheels/ }).click();
      await page.getByRole("article").getByText("Opening hours").click();
    },
  },
];
