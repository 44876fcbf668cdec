/**
 * What a person feels of the page in Chromium: first visits over lines with latency and limited bandwidth (first result, largest
 * paint, layout shift, what was sent), and interactions with a processor slowed down (time to the next paint).
 *
 *     npm run bench:feel -- [--networks fast,slow] [--runs 5] [--slowdown 4] [--page dist] [--write]
 * @module
 */
import { cpus, loadavg } from "node:os";
import type { Browser, Page } from "@playwright/test";
import { ensureDataset, ensurePage } from "../../pipeline/cli/freshness.ts";
import { refuseWebGl } from "../support/fixtures.ts";
import { DATASET_FOLDER, PAGE_FOLDER, SAMPLE_FOLDER } from "../support/folders.ts";
import { DRAWN_IN_SOFTWARE, launchBrowser } from "../support/launch-browser.ts";
import { readOptions } from "../support/options.ts";
import { BOULDER } from "../support/searches.ts";
import { BENCHMARKS, writeSection } from "./document.ts";
import { makeCertificate, trustArgument } from "./peers/certificate.ts";
import { NETWORKS, type NetworkName, type Sent, type SlowHost, startSlowHost } from "./peers/slow-host.ts";
import { median } from "./peers/statistics.ts";

const { values, refuse } = readOptions({
  usage: `npm run bench:feel -- [--networks ${Object.keys(NETWORKS).join(",")}] [--runs 5] [--slowdown 4] [--page <folder>] [--write]`,
  options: {
    networks: { type: "string", default: "fast,slow" },
    runs: { type: "string", default: "5" },
    slowdown: { type: "string", default: "4" },
    page: { type: "string", default: PAGE_FOLDER },
    write: { type: "boolean", default: false },
  },
});

function wholeNumber(name: "runs" | "slowdown"): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 1) return value;
  throw refuse(`--${name} has ${values[name]}, expected a whole number from 1`);
}

const isNetwork = (name: string): name is NetworkName => Object.hasOwn(NETWORKS, name);

/** What the browser tells of a page; names and units are those of its performance entries. */
interface Felt {
  /** Of the largest paint so far, milliseconds after the navigation began. */
  largestPaint: number;
  /** Sum of the scores of layout shifts that no interaction explains. */
  shift: number;
  /** Of each interaction its longest event: milliseconds from the input to the next paint. */
  readonly interactions: Record<number, number>;
}

declare global {
  var felt: Felt;
}

/** Run in a page before its own scripts. */
function observeFelt(): void {
  interface Entry extends PerformanceEntry {
    readonly value?: number;
    readonly hadRecentInput?: boolean;
    readonly interactionId?: number;
  }
  const felt: Felt = { largestPaint: 0, shift: 0, interactions: {} };
  globalThis.felt = felt;
  const observe = (type: string, take: (entry: Entry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
      durationThreshold: 16,
    } as PerformanceObserverInit);
  observe("largest-contentful-paint", ({ startTime }) => {
    felt.largestPaint = startTime;
  });
  observe("layout-shift", ({ value = 0, hadRecentInput }) => {
    if (!hadRecentInput) felt.shift += value;
  });
  observe("event", ({ interactionId = 0, duration }) => {
    if (interactionId > 0) felt.interactions[interactionId] = Math.max(felt.interactions[interactionId] ?? 0, duration);
  });
  new MutationObserver((_, observer) => {
    if (!document.querySelector(".result")) return;
    performance.mark("first-result");
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
}

interface Visit extends Sent, Pick<Felt, "largestPaint" | "shift"> {
  /** From the beginning of the navigation to the first result. */
  readonly ms: number;
}

/** Until the page is at rest: what comes late may shift what is there. */
const AT_REST_MS = 3000;

async function visit(browser: Browser, host: SlowHost): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(observeFelt);
    host.forget();
    await page.goto(`${host.url}${BOULDER}`, { waitUntil: "commit" });
    await page.locator(".result").first().waitFor();
    const sent = host.sent();
    const ms = await page.evaluate(() => performance.getEntriesByName("first-result")[0]?.startTime ?? Number.NaN);
    await page.waitForTimeout(AT_REST_MS);
    const { largestPaint, shift } = await page.evaluate(() => globalThis.felt);
    return { ...sent, ms, largestPaint, shift };
  } finally {
    await context.close();
  }
}

const record = (page: Page) => page.getByRole("article");
const result = (page: Page) =>
  page.getByRole("list", { name: "Results" }).getByRole("listitem").nth(2).getByRole("button");

/** What a person does, in order; each is one or a few interactions. */
const ACTS: readonly (readonly [name: string, act: (page: Page) => Promise<void>])[] = [
  [
    "types into the box",
    (page) => page.getByRole("combobox", { name: "Search" }).pressSequentially("coffee", { delay: 120 }),
  ],
  ["clears the box", (page) => page.getByRole("button", { name: "Clear the search box" }).click()],
  ["opens a record", (page) => result(page).click()],
  ["goes to the next record", (page) => record(page).getByRole("button", { name: "Next record" }).click()],
  ["goes back to the list", (page) => page.keyboard.press("Escape")],
  ["opens the filters", (page) => page.getByRole("button", { name: "Filters" }).click()],
  ["ticks a filter", (page) => page.getByText("Phone", { exact: true }).click()],
  ["takes it away", (page) => page.getByText("Phone", { exact: true }).click()],
  ["closes the filters", (page) => page.getByRole("button", { name: "Filters" }).click()],
  ["goes to the next page", (page) => page.getByRole("button", { name: "Next page" }).click()],
  ["opens the menu", (page) => page.getByRole("button", { name: "Menu" }).click()],
  ["turns the page dark", (page) => page.getByText("Dark", { exact: true }).click()],
  ["closes the menu", (page) => page.keyboard.press("Escape")],
];

interface Acted {
  readonly name: string;
  /** The next paint of each interaction, milliseconds; what is below 16 the browser does not tell. */
  readonly paints: readonly number[];
}

/** Longer than any interaction, and than what it brings. */
const BETWEEN_MS = 2500;

async function interact(browser: Browser, host: SlowHost, hasMap: boolean): Promise<Acted[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    if (!hasMap) await page.addInitScript(refuseWebGl);
    await page.addInitScript(observeFelt);
    await page.goto(`${host.url}${BOULDER}`);
    await page.locator(".result").first().waitFor();
    await page.waitForTimeout(2 * AT_REST_MS);
    const debugging = await context.newCDPSession(page);
    await debugging.send("Emulation.setCPUThrottlingRate", { rate: wholeNumber("slowdown") });
    const acted: Acted[] = [];
    for (const [name, act] of ACTS) {
      const before = new Set(await page.evaluate(() => Object.keys(globalThis.felt.interactions)));
      await act(page);
      await page.waitForTimeout(BETWEEN_MS);
      const told = Object.entries(await page.evaluate(() => globalThis.felt.interactions));
      const paints = told.flatMap(([id, ms]) => (before.has(id) ? [] : [ms]));
      acted.push({ name, paints: paints.length > 0 ? paints : [0] });
    }
    return acted;
  } finally {
    await context.close();
  }
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

await ensureDataset(SAMPLE_FOLDER, DATASET_FOLDER);
if (values.page === PAGE_FOLDER) await ensurePage(PAGE_FOLDER);
const certificate = await makeCertificate();
const browser = await launchBrowser([trustArgument(certificate), ...DRAWN_IN_SOFTWARE]);
const host = await startSlowHost({ "/": values.page, "/dataset/": DATASET_FOLDER }, certificate);
const load = loadavg()[0] ?? 0;
const lines: string[] = [];
try {
  const runs = wholeNumber("runs");
  lines.push(
    "| first visit | first result | largest paint | layout shift | requests, KB until the first result |",
    "|---|---|---|---|---|",
  );
  for (const name of values.networks.split(",")) {
    if (!isNetwork(name)) throw refuse(`--networks has ${name}, allowed are ${Object.keys(NETWORKS).join(", ")}`);
    host.use(NETWORKS[name]);
    const visits: Visit[] = [];
    for (let run = 0; run < runs; run++) visits.push(await visit(browser, host));
    const middle = (value: (one: Visit) => number) => Math.round(median(visits.map(value)));
    const shift = Math.max(...visits.map((one) => one.shift));
    const [ms, paint] = [middle((one) => one.ms), middle((one) => one.largestPaint)];
    const sent = `${middle(({ requests }) => requests)}, ${Math.round(middle(({ bytes }) => bytes) / 1000)}`;
    lines.push(`| ${NETWORKS[name].name} | ${ms} ms | ${paint} ms | ${shift.toFixed(3)} | ${sent} |`);
  }
  host.use(NETWORKS.fast);
  lines.push("", "| interaction | with the map, ms | without, ms |", "|---|---|---|");
  const [withMap, without] = [await interact(browser, host, true), await interact(browser, host, false)];
  const cell = (paints: readonly number[]) => (Math.max(...paints) < 16 ? "under 16" : String(Math.max(...paints)));
  for (const [place, { name, paints }] of withMap.entries())
    lines.push(`| ${name} | ${cell(paints)} | ${cell(without[place]?.paints ?? [])} |`);
  const p75 = (acted: readonly Acted[]) =>
    quantile(
      acted.flatMap(({ paints }) => paints),
      0.75,
    );
  lines.push(`| three of four interactions | ${p75(withMap)} | ${p75(without)} |`);
} finally {
  await browser.close();
  await host.close();
}
const [cpu] = cpus();
const report = [
  `Written by \`npm run bench:feel\`. Machine: ${cpus().length} cores (${cpu?.model.trim()}), load ${load.toFixed(1)} before; the map is drawn by the processor, without a graphics card. First visits: medians of ${values.runs}, layout shift the worst of them. Interactions: from the input to the next paint, processor slowed ${values.slowdown} times, the longest of each act.`,
  lines.join("\n"),
].join("\n\n");
console.log(report);
if (values.write) {
  await writeSection(BENCHMARKS, { name: "feel", command: "npm run bench:feel", heading: "## What is felt" }, report);
}
