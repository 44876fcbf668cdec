import { defineConfig } from "@playwright/test";
import { findChromium } from "./.ci/chromium.mjs";
import type { FixtureOptions } from "./e2e/support/fixtures.ts";
import { freePort } from "./e2e/support/stranger-trap.ts";

const executablePath = await findChromium();
if (!executablePath) throw new Error("no Chromium for the tests: run `node .ci/setup.mjs --packages test --browser`");

// Chosen once for the run: workers read this file too.
process.env.CAIRN_E2E_TRAP_PORT ??= String(await freePort());

/** Things keep still: a map that flies is drawn by the processor, frame by frame. */
const STILL = { contextOptions: { reducedMotion: "reduce" as const } };
/** A phone, whose reader saves data and wants things to keep still. */
const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  savesData: true,
  ...STILL,
};
const WIDE = { viewport: { width: 1280, height: 800 } };
/**
 * A page must need neither a service worker nor WebGL2, and both are most of a visit's work: *wide* runs without them, *phone*
 * without WebGL2, but where a test says that it needs them.
 */
const PAGE_ALONE = { testMatch: "**/page/*.spec.ts" };

export default defineConfig<FixtureOptions>({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  globalSetup: "./e2e/support/global-setup.ts",
  outputDir: ".cairn/playwright",
  // Browsers wait now and then, for frames and for animations: a second one uses the time, more would wait for each other.
  workers: 2,
  // for what hangs, not for what is slow: machines differ by a factor of ten
  timeout: 240_000,
  expect: { timeout: 60_000 },
  // One retry for what a slow machine upsets; the summary names it as flaky.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  use: {
    launchOptions: {
      executablePath,
      args: [
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-background-networking",
        `--proxy-server=127.0.0.1:${process.env.CAIRN_E2E_TRAP_PORT}`,
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        // only the map is drawn as a graphics card would: for all of a page that takes the processor several times as long
        "--disable-gpu-compositing",
      ],
    },
    locale: "en-GB",
    actionTimeout: 60_000,
    // a fifth of a test's processor time
    trace: "on-first-retry",
  },
  // `npm test` runs the first three, `npm run e2e:schemes` the page in the other scheme of each.
  projects: [
    { name: "wide", ...PAGE_ALONE, use: { ...WIDE, colorScheme: "light", hasServiceWorker: false, hasMap: false } },
    { name: "phone", ...PAGE_ALONE, use: { ...PHONE, colorScheme: "dark", hasMap: false } },
    { name: "site", testIgnore: PAGE_ALONE.testMatch, use: { ...WIDE, ...STILL, colorScheme: "light" } },
    { name: "wide-dark", ...PAGE_ALONE, use: { ...WIDE, colorScheme: "dark" } },
    { name: "phone-light", ...PAGE_ALONE, use: { ...PHONE, colorScheme: "light" } },
  ],
});
