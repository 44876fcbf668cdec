/**
 * The built page over the sample, on a free port, with a browser that draws in software.
 * @module
 */
import type { Browser } from "@playwright/test";
import { ensureDataset, ensurePage } from "../../pipeline/cli/freshness.ts";
import { DATASET_FOLDER, PAGE_FOLDER, SAMPLE_FOLDER } from "../support/folders.ts";
import { DRAWN_IN_SOFTWARE, launchBrowser } from "../support/launch-browser.ts";
import { type StaticServer, startStaticServer } from "../support/static-server.ts";

/** Builds missing or outdated files, and runs the work. Then ends browser and server. */
export async function withBuiltPage(work: (browser: Browser, host: StaticServer) => Promise<void>): Promise<void> {
  await ensureDataset(SAMPLE_FOLDER, DATASET_FOLDER, "small");
  await ensurePage(PAGE_FOLDER, "small");
  const host = await startStaticServer({ folders: { "/": PAGE_FOLDER, "/dataset/": DATASET_FOLDER } });
  try {
    const browser = await launchBrowser(DRAWN_IN_SOFTWARE);
    try {
      await work(browser, host);
    } finally {
      await browser.close();
    }
  } finally {
    await host.close();
  }
}
