import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOtherBrowsers } from "../../.ci/other-browsers.mjs";
import { expect, test } from "../support/fixtures.ts";
import { startDisplay } from "./display.ts";
import { openFirefox } from "./firefox.ts";
import type { Tab, TabOptions } from "./tab.ts";
import { walk, walkInPrivate } from "./walk.ts";
import { openWebKit } from "./webkit.ts";

const { firefox, webkit, leftOut } = findOtherBrowsers();
if (process.env.CI) expect(leftOut, "browsers that are not here").toEqual([]);

/** Runs the work in a new browser on a new screen, and closes both. */
async function inBrowser(
  open: (options: TabOptions) => Promise<Tab>,
  options: Pick<TabOptions, "isPrivate">,
  work: (tab: Tab) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-browser-"));
  const display = await startDisplay();
  try {
    const trapPort = Number(process.env.CAIRN_E2E_TRAP_PORT);
    const tab = await open({ display: display.name, trapPort, folder, ...options });
    try {
      await tab.resize(1280, 800);
      await work(tab);
    } catch (error) {
      await test.info().attach(`${tab.browser}.png`, { body: Buffer.from(await tab.screenshot()) });
      throw error;
    } finally {
      await tab.close();
    }
  } finally {
    await display.close();
    await rm(folder, { recursive: true, force: true });
  }
}

// For hangs only: browsers draw on the processor, in parallel with other tests.
test.describe.configure({ timeout: 600_000 });

if (firefox) {
  const open = (options: TabOptions) => openFirefox(firefox, options);
  test("the main walkthrough in Firefox", async ({ host, home }) => {
    await inBrowser(open, {}, (tab) => walk(tab, host, home));
  });

  test("a private window of Firefox serves a saved area without its host", async ({ host, home }) => {
    await inBrowser(open, { isPrivate: true }, (tab) => walkInPrivate(tab, host, home));
  });
}

if (webkit) {
  const open = (options: TabOptions) => openWebKit(webkit, options);
  test("the main walkthrough in WebKit", async ({ host, home }) => {
    await inBrowser(open, {}, (tab) => walk(tab, host, home));
  });
}
