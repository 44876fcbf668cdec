import { defineConfig } from "@playwright/test";
import { findChromium } from "./.ci/chromium.mjs";
import { DEEP_SPECS } from "./.ci/tests.mjs";
import type { FixtureOptions } from "./e2e/support/fixtures.ts";
import { freePort } from "./e2e/support/trap-proxy.ts";

const executablePath = await findChromium();
if (!executablePath) throw new Error("no Chromium for the tests: run `node .ci/setup.mjs --packages test --browser`");

// Chosen once for the run: Playwright's workers read this file too.
process.env.CAIRN_E2E_TRAP_PORT ??= String(await freePort());

/** Animations off: the processor draws each frame of a map that flies. */
const STILL = { contextOptions: { reducedMotion: "reduce" as const } };
const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  savesData: true,
  ...STILL,
};
const WIDE = { viewport: { width: 1280, height: 800 } };
const PAGE = "**/page/*.spec.ts";
/** A page works without a service worker and without WebGL2. Both take most of a visit's time, so a test that needs one asks for it. */
const PLAIN_PAGE = { ...WIDE, colorScheme: "light" as const, hasServiceWorker: false, hasMap: false };
const SITE = { ...WIDE, ...STILL, colorScheme: "light" as const };
/** Page tests whose steps or layout differ on a phone. */
const ON_PHONE = ["accessibility", "map", "moves", "reach", "record", "results"].map(
  (name) => `**/page/${name}.spec.ts`,
);
const deepPages = DEEP_SPECS.filter((glob) => glob.includes("/page/")).map((glob) => `**/${glob}`);
const deepSites = DEEP_SPECS.filter((glob) => !glob.includes("/page/")).map((glob) => `**/${glob}`);

export default defineConfig<FixtureOptions>({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  globalSetup: "./e2e/support/global-setup.ts",
  outputDir: ".cairn/playwright",
  // A browser waits often for frames. A second one uses the time, and more would wait for each other.
  workers: 2,
  // A limit for tests that hang. Slow machines are ten times slower than fast ones.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  // One retry on a slow machine. The summary lists a test that needed it as flaky.
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
        // The software renderer draws the map only. To draw the whole page takes it several times as long.
        "--disable-gpu-compositing",
      ],
    },
    locale: "en-GB",
    actionTimeout: 60_000,
    // A trace costs a fifth of a test's processor time.
    trace: "on-first-retry",
  },
  // `npm test` runs the first two, `npm run test:all` the next three, `npm run e2e:schemes` the page in the other colour scheme.
  projects: [
    { name: "page", testMatch: PAGE, testIgnore: deepPages, use: PLAIN_PAGE },
    { name: "site", testIgnore: [PAGE, ...deepSites], use: SITE },
    { name: "deep-page", testMatch: deepPages, use: PLAIN_PAGE },
    { name: "deep-site", testMatch: deepSites, use: SITE },
    { name: "phone", testMatch: ON_PHONE, use: { ...PHONE, colorScheme: "dark", hasMap: false } },
    { name: "wide-dark", testMatch: PAGE, use: { ...WIDE, colorScheme: "dark" } },
    { name: "phone-light", testMatch: PAGE, use: { ...PHONE, colorScheme: "light" } },
  ],
});
