/**
 * The main walkthrough for every browser: open, search, record, filter, save an area, REST, and airplane mode.
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import Papa from "papaparse";
import { DATASET_FOLDER } from "../support/folders.ts";
import { answersOfNode } from "../support/rest.ts";
import type { StaticServer } from "../support/static-server.ts";
import { type Reader, readerOf } from "./reader.ts";
import { run, type Tab } from "./tab.ts";

const PLACES = "places?lat=43.7384&lng=7.4246&radius=500&limit=25";
const BUILDINGS = "buildings?lat=43.739&lng=7.425&radius=200&limit=25";
/** Both are in the area. The last ones need the Parquet reader and the terms of the dataset. */
const ADDRESSES = [PLACES, BUILDINGS, `${PLACES}&format=csv`, "tiles/base/15/17059/11948.mvt"];
const BADGE = { role: "button", name: /Open saved areas$/ };

/** Runs the main walkthrough. */
export async function walk(tab: Tab, host: StaticServer, home: string): Promise<void> {
  const reader = readerOf(tab);
  const expected = await answersOfNode(DATASET_FOLDER, ADDRESSES);
  const counts = expected.map(({ count }) => Number(count));

  await tab.goto(home);
  await reader.fill({ role: "combobox", name: "Search" }, "community hosp");
  await reader.press({ role: "option", name: /^Boulder Community Hospital .*6685/ });
  await reader.see({ role: "article", name: "Boulder Community Hospital" });

  await tab.goto(`${home}#/${PLACES}`);
  await reader.hear(new RegExp(`^${counts[0]} places found$`));
  const [first] = JSON.parse(expected[0]?.body ?? "[]") as { properties: { names: { primary: string } } }[];
  const name = first?.properties.names.primary ?? "";
  await reader.press({ role: "button", name: new RegExp(name) });
  await reader.see({ role: "article", name });
  await reader.press({ role: "button", name: "Back to the list" });

  await reader.press({ role: "button", name: /^Filters/ });
  await reader.fill({ role: "textbox", name: "Find in this list" }, "restaurant");
  const restaurants = { role: "checkbox", name: /^Restaurant \d+$/ };
  const count = (await reader.see(restaurants)).replace(/\D/g, "");
  await reader.press(restaurants);
  await reader.hear(new RegExp(`^${count} places found$`));
  await reader.press(restaurants);
  await reader.hear(new RegExp(`^${counts[0]} places found$`));

  await saveHere(reader);
  await reader.press({ role: "button", name: "Close" });
  await reader.until("the service worker", () => run(tab, () => navigator.serviceWorker.controller !== null));
  expect(await ask(tab, ADDRESSES)).toEqual(expected);

  await host.close();
  await tab.reload();
  await reader.hear(new RegExp(`^${counts[0]} places found$`));
  await reader.fill({ role: "combobox", name: "Search" }, "rue grimaldi");
  await reader.see({ role: "option", name: /^Rue Grimaldi\s*Street/ });
  await tab.goto(`${home}#/${BUILDINGS}`);
  await tab.reload();
  await reader.hear(new RegExp(`^${counts[1]} buildings found$`));
  expect(await ask(tab, ADDRESSES)).toEqual(expected);

  await tab.goto(`${home}#/${PLACES}`);
  await reader.hear(new RegExp(`^${counts[0]} places found$`));
  await reader.press({ role: "button", name: "Export" });
  await reader.press({ role: "radio", name: /^CSV\s*values/ });
  await reader.press({ role: "button", name: "Save" });
  await reader.hear(new RegExp(`^Saved: ${counts[0]} records`));
  // Browsers use temporary names or empty files until a download is complete.
  const table = await reader.until("the downloads", async () => {
    const files = await readdir(tab.downloads);
    const texts = await Promise.all(files.map((file) => readFile(join(tab.downloads, file), "utf8")));
    return files.length === 2 && texts.every(Boolean) && texts[files.findIndex((file) => file.endsWith(".csv"))];
  });
  const { data } = Papa.parse<{ id: string }>(table, { header: true, skipEmptyLines: true });
  expect(new Set(data.map(({ id }) => id)).size).toBe(counts[0]);
  // Code that writes an export is loaded separately.
  await reader.press({ role: "button", name: "Close" });
  await reader.fill({ role: "combobox", name: "Search" }, "rue grimaldi");
  await reader.see({ role: "option", name: /^Rue Grimaldi\s*Street/ });
  expect(tab.faults(), "uncaught errors").toEqual([]);
}

/** In a private window: saves an area, shows that it is temporary, and serves it. */
export async function walkInPrivate(tab: Tab, host: StaticServer, home: string): Promise<void> {
  const reader = readerOf(tab);
  await tab.goto(`${home}#/${PLACES}`);
  const found = await reader.hear(/^\d+ places found$/);
  await saveHere(reader);
  await reader.until("the service worker", () => run(tab, () => navigator.serviceWorker.controller !== null));
  await host.close();
  await tab.reload();
  expect(await reader.hear(/^\d+ places found$/)).toBe(found);
  expect(tab.faults(), "uncaught errors").toEqual([]);
}

async function saveHere(reader: Reader): Promise<void> {
  await reader.press(BADGE);
  await reader.press({ role: "button", name: "Save an area" });
  const panel = { role: "dialog", name: "Saved areas" };
  await reader.until("the size", async () => /[kMG]B in \d+ files?;/.test(await reader.see(panel)));
  await reader.press({ role: "button", name: "Save" });
  const shownStatus = await reader.until("the area to be saved", async () => {
    const text = await reader.see(panel);
    return /\d files?, saved /.test(text) && text;
  });
  expect(shownStatus).toContain("The browser may delete saved areas");
}

/** Answers in the page from the service worker. */
function ask(tab: Tab, addresses: readonly string[]) {
  return run(
    tab,
    async (addresses) => {
      const answers: { status: number; count: string | null; body: string }[] = [];
      for (const address of addresses) {
        const response = await fetch(address, { cache: "no-store" });
        const count = response.headers.get("Pagination-Count");
        answers.push({ status: response.status, count, body: await response.text() });
      }
      return answers;
    },
    addresses,
  );
}
