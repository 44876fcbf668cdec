/**
 * Measures a first visit in Chromium, over networks with latency and limited bandwidth: first result, largest paint,
 * layout shift and bytes, and when the start page shows land. Also measures the delay of keys and clicks, and of answers in
 * memory, on a processor slowed down four times, with and without the map.
 *
 * npm run bench:responsiveness -- [--networks fast,slow] [--runs 5] [--walks 3] [--page dist] [--write]
 * @module
 */
import { cpus, loadavg } from "node:os";
import type { Browser, BrowserContextOptions } from "@playwright/test";
import { ensureDataset, ensurePage } from "../../pipeline/cli/freshness.ts";
import { DATASET_FOLDER, PAGE_FOLDER, SAMPLE_FOLDER } from "../support/folders.ts";
import { DRAWN_IN_SOFTWARE, launchBrowser } from "../support/launch-browser.ts";
import { readOptions } from "../support/options.ts";
import { BOULDER } from "../support/searches.ts";
import { type Interaction, measureAnswersInMemory, measureInteractions } from "./interactions.ts";
import { makeCertificate, trustArgument } from "./peers/certificate.ts";
import { NETWORKS, type NetworkName, type Sent, type SlowHost, startSlowHost } from "./peers/slow-host.ts";
import { median } from "./peers/statistics.ts";
import { writeResult } from "./results.ts";

const { values, refuse } = readOptions({
  usage: `npm run bench:responsiveness -- [--networks ${Object.keys(NETWORKS).join(",")}] [--runs 5] [--walks 3] [--page <folder>] [--write]`,
  options: {
    networks: { type: "string", default: "fast,slow" },
    runs: { type: "string", default: "5" },
    walks: { type: "string", default: "3" },
    page: { type: "string", default: PAGE_FOLDER },
    write: { type: "boolean", default: false },
  },
});

const [runs, walks] = [whole("runs"), whole("walks")];

function whole(name: "runs" | "walks"): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 1) return number;
  throw refuse(`--${name} has ${values[name]}, expected a whole number from 1`);
}

const isNetwork = (name: string): name is NetworkName => Object.hasOwn(NETWORKS, name);

/** Measurements of the browser, with the names and units of its performance entries. */
interface Felt {
  /** Time of the largest paint, milliseconds after the start of the navigation. */
  largestPaint: number;
  /** Sum of the layout shift scores without a recent interaction. */
  shift: number;
}

declare global {
  var felt: Felt;
}

/** Runs in a page before its scripts. Its functions must be anonymous, because names add a helper that pages lack. */
function observeFelt(): void {
  globalThis.felt = { largestPaint: 0, shift: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) globalThis.felt.largestPaint = startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (!entry.hadRecentInput) globalThis.felt.shift += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
  new MutationObserver((_, observer) => {
    if (!document.querySelector(".result")) return;
    performance.mark("first-result");
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
  new MutationObserver((_, observer) => {
    if (!document.querySelector("svg.map path")) return;
    observer.disconnect();
    // in the frame that paints it
    requestAnimationFrame(() => setTimeout(() => performance.mark("first-land")));
  }).observe(document, { childList: true, subtree: true });
}

interface Visit extends Sent, Pick<Felt, "largestPaint" | "shift"> {
  /** From the start of the navigation to the first result. */
  readonly ms: number;
}

/** Time until the page is idle, because late content may shift the layout. */
const AT_REST_MS = 3000;

const WIDE: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

async function visit(browser: Browser, host: SlowHost, device: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext(device);
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

/** Returns the milliseconds from the first paint of the start page to the first one with the outline of land; 0 if it is the first. */
async function landAfterPaint(browser: Browser, host: SlowHost): Promise<number> {
  const context = await browser.newContext(WIDE);
  try {
    const page = await context.newPage();
    await page.addInitScript(observeFelt);
    await page.goto(host.url, { waitUntil: "commit" });
    const read = await page.waitForFunction(() => {
      const entries = ["first-land", "first-paint"].map((name) => performance.getEntriesByName(name)[0]?.startTime);
      return entries.includes(undefined) ? undefined : entries;
    });
    const [land = Number.NaN, paint = Number.NaN] = (await read.jsonValue()) ?? [];
    return Math.max(0, land - paint);
  } finally {
    await context.close();
  }
}

/** A slow phone compared with this machine. */
const SLOWDOWN = 4;
/** Only the map uses software drawing. For the whole page it would take several times as long. */
const MAP_ALONE_DRAWN = [...DRAWN_IN_SOFTWARE, "--disable-gpu-compositing"];
const PERCENTILE = 0.75;
const SLOWEST_STEPS = 3;

/** Returns a line per mode: interactions with their slowest steps, and answers in memory. */
async function interactionLine(name: string, { hasMap }: { readonly hasMap: boolean }): Promise<string> {
  const walked: Interaction[] = [];
  const answers: number[] = [];
  for (let run = 0; run < walks; run++) {
    const browser = await launchBrowser([
      trustArgument(certificate),
      ...(hasMap ? MAP_ALONE_DRAWN : ["--disable-gpu", "--disable-3d-apis"]),
    ]);
    try {
      const options = { url: host.url, slowdown: SLOWDOWN, hasMap };
      walked.push(...(await measureInteractions(browser, options)));
      answers.push(...(await measureAnswersInMemory(browser, options)));
    } finally {
      await browser.close();
    }
  }
  const durations = walked.map(({ duration }) => duration).sort((a, b) => a - b);
  const highest = (times: readonly number[]) =>
    times.toSorted((a, b) => a - b)[Math.ceil(PERCENTILE * times.length) - 1];
  const [most, late] = [durations, answers].map((times) => Math.round(highest(times) ?? Number.NaN));
  const steps = [...new Set(walked.map(({ step }) => step))]
    .map((step) => ({
      step,
      ms: median(walked.filter((each) => each.step === step).map(({ duration }) => duration)),
    }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST_STEPS);
  const slowest = steps.map(({ step, ms }) => `${step} ${Math.round(ms)} ms`).join(", ");
  const inMemory = `${Math.round(median(answers))}, ${late} ms`;
  return `| ${name} | ${durations.length} | ${median(durations)} ms | ${most} ms | ${inMemory} | ${slowest} |`;
}

await ensureDataset(SAMPLE_FOLDER, DATASET_FOLDER, "small");
if (values.page === PAGE_FOLDER) await ensurePage(PAGE_FOLDER, "small");
const certificate = await makeCertificate();
const browser = await launchBrowser([trustArgument(certificate), ...DRAWN_IN_SOFTWARE]);
const host = await startSlowHost({ "/": values.page, "/dataset/": DATASET_FOLDER }, certificate);
const load = loadavg()[0] ?? 0;
const lines: string[] = [];
const interactions: string[] = [];
try {
  lines.push(
    "| first visit | first result | largest paint | land after the first paint | layout shift, on a phone | requests, KB until the first result |",
    "|---|---|---|---|---|---|",
  );
  for (const name of values.networks.split(",")) {
    if (!isNetwork(name)) throw refuse(`--networks has ${name}, allowed are ${Object.keys(NETWORKS).join(", ")}`);
    host.use(NETWORKS[name]);
    const visits: Visit[] = [];
    const lands: number[] = [];
    for (let run = 0; run < runs; run++) {
      visits.push(await visit(browser, host, WIDE));
      lands.push(await landAfterPaint(browser, host));
    }
    const middle = (value: (one: Visit) => number) => Math.round(median(visits.map(value)));
    const shift = Math.max(...visits.map((one) => one.shift));
    const onPhone = await visit(browser, host, PHONE);
    const [ms, paint] = [middle((one) => one.ms), middle((one) => one.largestPaint)];
    const sent = `${middle(({ requests }) => requests)}, ${Math.round(middle(({ bytes }) => bytes) / 1000)}`;
    lines.push(
      `| ${NETWORKS[name].name} | ${ms} ms | ${paint} ms | ${Math.round(median(lands))} ms | ${shift.toFixed(3)}, ${onPhone.shift.toFixed(3)} | ${sent} |`,
    );
  }
  host.use(NETWORKS.none);
  interactions.push(
    "| keys and clicks | how many | median | p75 | answer in memory, median and p75 | slowest steps, medians |",
    "|---|---|---|---|---|---|",
    await interactionLine("with the map", { hasMap: true }),
    await interactionLine("with the list alone", { hasMap: false }),
  );
} finally {
  await browser.close();
  await host.close();
}
const [cpu] = cpus();
const report = [
  `Written by \`npm run bench:responsiveness\`. Machine: ${cpus().length} cores (${cpu?.model.trim()}), load ${load.toFixed(1)} before; the map is drawn in software. First visits: medians of ${values.runs}, layout shift: the worst.`,
  lines.join("\n"),
  `Keys and clicks of ${walks} walks through a search, no latency added, the main thread slowed down ${SLOWDOWN} times: time from the event to the next paint, in the browser's steps of 8 ms. A graphics card would do the drawing of the map.`,
  interactions.join("\n"),
].join("\n\n");
console.log(report);
if (values.write) {
  await writeResult({ name: "responsiveness", command: "npm run bench:responsiveness" }, report);
}
