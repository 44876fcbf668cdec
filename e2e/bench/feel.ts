/**
 * What a person feels of a first visit in Chromium, over lines with latency and limited bandwidth: first result, largest paint,
 * layout shift, and what was sent.
 *
 *     npm run bench:feel -- [--networks fast,slow] [--runs 5] [--page dist] [--write]
 * @module
 */
import { cpus, loadavg } from "node:os";
import type { Browser } from "@playwright/test";
import { ensureDataset, ensurePage } from "../../pipeline/cli/freshness.ts";
import { DATASET_FOLDER, PAGE_FOLDER, SAMPLE_FOLDER } from "../support/folders.ts";
import { DRAWN_IN_SOFTWARE, launchBrowser } from "../support/launch-browser.ts";
import { readOptions } from "../support/options.ts";
import { BOULDER } from "../support/searches.ts";
import { BENCHMARKS, writeSection } from "./document.ts";
import { makeCertificate, trustArgument } from "./peers/certificate.ts";
import { NETWORKS, type NetworkName, type Sent, type SlowHost, startSlowHost } from "./peers/slow-host.ts";
import { median } from "./peers/statistics.ts";

const { values, refuse } = readOptions({
  usage: `npm run bench:feel -- [--networks ${Object.keys(NETWORKS).join(",")}] [--runs 5] [--page <folder>] [--write]`,
  options: {
    networks: { type: "string", default: "fast,slow" },
    runs: { type: "string", default: "5" },
    page: { type: "string", default: PAGE_FOLDER },
    write: { type: "boolean", default: false },
  },
});

const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw refuse(`--runs has ${values.runs}, expected a whole number from 1`);

const isNetwork = (name: string): name is NetworkName => Object.hasOwn(NETWORKS, name);

/** What the browser tells of a page; names and units are those of its performance entries. */
interface Felt {
  /** Of the largest paint so far, milliseconds after the navigation began. */
  largestPaint: number;
  /** Sum of the scores of layout shifts that no interaction explains. */
  shift: number;
}

declare global {
  var felt: Felt;
}

/** Run in a page before its own scripts; no function in it may have a name, which would be noted in a helper that no page has. */
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

await ensureDataset(SAMPLE_FOLDER, DATASET_FOLDER);
if (values.page === PAGE_FOLDER) await ensurePage(PAGE_FOLDER);
const certificate = await makeCertificate();
const browser = await launchBrowser([trustArgument(certificate), ...DRAWN_IN_SOFTWARE]);
const host = await startSlowHost({ "/": values.page, "/dataset/": DATASET_FOLDER }, certificate);
const load = loadavg()[0] ?? 0;
const lines: string[] = [];
try {
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
} finally {
  await browser.close();
  await host.close();
}
const [cpu] = cpus();
const report = [
  `Written by \`npm run bench:feel\`. Machine: ${cpus().length} cores (${cpu?.model.trim()}), load ${load.toFixed(1)} before; the map is drawn by the processor, without a graphics card. First visits: medians of ${values.runs}, layout shift the worst of them.`,
  lines.join("\n"),
].join("\n\n");
console.log(report);
if (values.write) {
  await writeSection(BENCHMARKS, { name: "feel", command: "npm run bench:feel", heading: "## What is felt" }, report);
}
