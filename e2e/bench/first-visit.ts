/**
 * Opens the page with a search in its address, in a browser that was never here, over a line with latency and limited
 * bandwidth, and prints when the first results stand there, and what was sent until then.
 *
 *     npm run bench:first-visit -- [--networks fast,slow] [--runs 5] [--page dist]
 * @module
 */
import type { Browser } from "@playwright/test";
import { ensureDataset, ensurePage } from "../../pipeline/cli/freshness.ts";
import { DATASET_FOLDER, PAGE_FOLDER, SAMPLE_FOLDER } from "../support/folders.ts";
import { DRAWN_IN_SOFTWARE, launchBrowser } from "../support/launch-browser.ts";
import { readOptions } from "../support/options.ts";
import { BOULDER } from "../support/searches.ts";
import { makeCertificate, trustArgument } from "./peers/certificate.ts";
import { NETWORKS, type NetworkName, type Sent, type SlowHost, startSlowHost } from "./peers/slow-host.ts";
import { median } from "./peers/statistics.ts";

const { values, refuse } = readOptions({
  usage: `npm run bench:first-visit -- [--networks ${Object.keys(NETWORKS).join(",")}] [--runs 5] [--page <folder>]`,
  options: {
    networks: { type: "string", default: "fast,slow" },
    runs: { type: "string", default: "5" },
    page: { type: "string", default: PAGE_FOLDER },
  },
});

const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw refuse(`--runs has ${values.runs}, expected a whole number from 1`);

const isNetwork = (name: string): name is NetworkName => Object.hasOwn(NETWORKS, name);

interface Visit extends Sent {
  /** From the beginning of the navigation to the first result. */
  readonly ms: number;
}

async function visit(browser: Browser, host: SlowHost): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector(".result")) return;
        performance.mark("first-result");
        observer.disconnect();
      });
      observer.observe(document, { childList: true, subtree: true });
    });
    host.forget();
    await page.goto(`${host.url}${BOULDER}`, { waitUntil: "commit" });
    await page.locator(".result").first().waitFor();
    const sent = host.sent();
    const ms = await page.evaluate(() => performance.getEntriesByName("first-result")[0]?.startTime ?? Number.NaN);
    return { ...sent, ms };
  } finally {
    await context.close();
  }
}

await ensureDataset(SAMPLE_FOLDER, DATASET_FOLDER);
if (values.page === PAGE_FOLDER) await ensurePage(PAGE_FOLDER);
const certificate = await makeCertificate();
const browser = await launchBrowser([trustArgument(certificate), ...DRAWN_IN_SOFTWARE]);
const host = await startSlowHost({ "/": values.page, "/dataset/": DATASET_FOLDER }, certificate);
try {
  for (const name of values.networks.split(",")) {
    if (!isNetwork(name)) throw refuse(`--networks has ${name}, allowed are ${Object.keys(NETWORKS).join(", ")}`);
    host.use(NETWORKS[name]);
    const visits: Visit[] = [];
    for (let run = 0; run < runs; run++) visits.push(await visit(browser, host));
    const middle = (value: (one: Visit) => number) => Math.round(median(visits.map(value)));
    const sent = `${middle(({ requests }) => requests)} requests, ${Math.round(middle(({ bytes }) => bytes) / 1000)} KB`;
    console.log(`${NETWORKS[name].name}: first result after ${middle(({ ms }) => ms)} ms, ${sent} until then`);
  }
} finally {
  await browser.close();
  await host.close();
}
