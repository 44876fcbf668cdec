import { readdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { LANGUAGES } from "../../data/format/languages.ts";
import { FIRST_VISIT_BYTES, PAGE_SCRIPT_BYTES, SEARCH_BUDGETS } from "../../web/engine/testing/budgets.ts";
import { atRest } from "../support/duckdb.ts";
import { expect, test } from "../support/fixtures.ts";
import { PAGE_FOLDER } from "../support/folders.ts";
import { openPages } from "../support/pages.ts";
import { BOULDER } from "../support/searches.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";
import type { Sent } from "../support/static-server.ts";

const sum = (sent: readonly Sent[]) => sent.reduce((bytes, file) => bytes + file.bytes, 0);
/** Files of the base map only: the dataset's land, water, streets, buildings and divisions around the search. */
const isGround = ({ path }: Sent) =>
  /\/dataset\/(segment|building|land|land_use|land_cover|water|division|division_area)\//.test(path);
/** Files of what the map draws on it: places, addresses and stops. An answer reads places too. */
const isDrawn = ({ path }: Sent) => /\/dataset\/(place|address|infrastructure)\//.test(path);

test("the first visit stays within the budget", async ({ page, home, host }) => {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.querySelector(".result")) performance.mark("first-answer");
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  const answeredAfterMs = await page.evaluate(() => performance.getEntriesByName("first-answer")[0]?.startTime ?? 0);
  const answeredAtMs = answeredAfterMs + (await page.evaluate(() => performance.timeOrigin));
  const askedBefore = host.sent.filter((file) => file.askedAtMs < answeredAtMs);
  const untilAnswer = sum(askedBefore.filter((file) => !isGround(file)));
  expect(untilAnswer, "bytes until the first answer").toBeLessThanOrEqual(FIRST_VISIT_BYTES.untilAnswer);
  const ofDataset = askedBefore.filter(({ path }) => path.includes("/dataset/")).map(({ path }) => path);
  expect(ofDataset.length, `files before the first answer: ${ofDataset.join(" ")}`).toBeLessThanOrEqual(
    SEARCH_BUDGETS["1 km, dense"].place.requests,
  );

  await serviceWorkerReady(page);
  await atRest(page, host);
  expect(
    host.sent.filter(({ path }) => /duckdb-.*wasm/.test(path)),
    "DuckDB comes when it is asked for",
  ).toEqual([]);
  const isForMap = (file: Sent) => isGround(file) || (isDrawn(file) && file.askedAtMs > answeredAtMs);
  const whole = sum(host.sent.filter((file) => !isForMap(file)));
  const forMap = sum(host.sent.filter(isForMap));
  expect(whole, "bytes in all").toBeLessThanOrEqual(FIRST_VISIT_BYTES.whole);
  expect(forMap, "bytes of the map").toBeLessThanOrEqual(FIRST_VISIT_BYTES.map);
  test.info().annotations.push({
    type: "first visit",
    description: `${Math.round(answeredAfterMs)} ms and ${untilAnswer} bytes until the first answer, ${whole} bytes in total, ${forMap} for the map`,
  });
  console.log(test.info().annotations.at(-1)?.description);
  const reader = host.sent.filter(({ path }) => /parquet-.*\.wasm/.test(path));
  expect(reader, "the reader is fetched for the ground, once").toHaveLength(1);
  expect(reader[0]?.askedAtMs, "no answer waits for it").toBeGreaterThan(answeredAtMs);
  const files = host.sent.filter(({ status, path }) => status === 200 && path.includes("/assets/"));
  expect(new Set(files.map(({ path }) => path)).size, "no file is sent twice").toBe(files.length);
});

/** The scripts that one of these imports, directly or not. A worker's scripts do not count: the page names its URL. */
async function scriptsFrom(first: string): Promise<ReadonlyMap<string, Buffer>> {
  const scripts = new Map<string, Buffer>();
  const queue = [first];
  for (const name of queue) {
    const script = await readFile(`${PAGE_FOLDER}/assets/${name}`);
    scripts.set(name, script);
    for (const [, next = ""] of script.toString().matchAll(/["'`](?:\.\/|assets\/)([\w.-]+\.js)["'`]/g)) {
      if (!queue.includes(next) && !/^(page|maplibre-gl)-worker-/.test(next)) queue.push(next);
    }
  }
  return scripts;
}

test("the page's own scripts stay within the budget in total", async () => {
  const html = await readFile(`${PAGE_FOLDER}/index.html`, "utf8");
  const [, first = ""] = /assets\/(page-[\w-]+\.js)/.exec(html) ?? [];
  const scripts = await scriptsFrom(first);
  // MapLibre, which loads later, is among them.
  expect(Math.max(...Array.from(scripts.values(), ({ byteLength }) => byteLength))).toBeGreaterThan(900_000);
  const sizes = Array.from(scripts, ([name, script]) => ({ name, bytes: gzipSync(script).byteLength }));
  // English is part of the page. Other users load one more language.
  const isLanguage = (name: string) => LANGUAGES.some((code) => name.startsWith(`${code}-`));
  const languages = sizes.filter(({ name }) => isLanguage(name));
  expect(languages).toHaveLength(LANGUAGES.length - 1);
  const page = sizes.filter(({ name }) => !isLanguage(name)).reduce((sum, { bytes }) => sum + bytes, 0);
  const bytes = page + Math.max(...languages.map((language) => language.bytes));
  expect(bytes, `compressed bytes of ${[...scripts.keys()].join(" ")}`).toBeLessThanOrEqual(PAGE_SCRIPT_BYTES);
});

test("scripts that load later do not import the worker's script, which WebKit would run twice", async () => {
  const names = (await readdir(`${PAGE_FOLDER}/assets`)).filter((name) => name.endsWith(".js"));
  const scripts = await Promise.all(names.map((name) => readFile(`${PAGE_FOLDER}/assets/${name}`, "utf8")));
  const isImporting = (script: string) => /(from|import)\s*["'`]\.\/page-worker-/.test(script);
  expect(names.filter((_, place) => isImporting(scripts[place] ?? ""))).toEqual([]);
  expect(names.some((name) => name.startsWith("page-worker-"))).toBe(true);
});

test("the same search again only requests the manifest", async ({ page, home, host }) => {
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await serviceWorkerReady(page);
  await atRest(page, host);
  await openPages(page);
  await atRest(page, host);
  host.forget();
  await page.getByRole("button", { name: "Next page" }).click();
  await expect(page.getByRole("main")).toContainText("26–50 of 2,413");
  // Rows that the first page did not need: a slice of the primary copy, and joined ranges of records.
  const next = host.sent.filter((file) => !isGround(file));
  expect(next.length).toBeLessThanOrEqual(4);
  expect(sum(next)).toBeLessThanOrEqual(400_000);

  host.forget();
  await page.goto(home);
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  expect(host.sent.filter((file) => [200, 206].includes(file.status) && !isGround(file))).toEqual([]);
});
