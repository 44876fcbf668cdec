/**
 * Takes the screenshots in `docs/screens/`: nine states, wide and phone, light and dark, one right to left. Builds the
 * sample dataset, the page and a project with shops if their sources changed.
 *
 * npm run screens [-- <name> ..]
 * @module
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { buildDataset } from "../../pipeline/builder/dataset/build.ts";
import { makeSite } from "../../pipeline/cli/commands/make-site.ts";
import { ensureDataset, ensurePage } from "../../pipeline/cli/freshness.ts";
import { parseSettings } from "../../pipeline/cli/map/settings.ts";
import { DATASET_FOLDER, PAGE_FOLDER, SAMPLE_FOLDER } from "../support/folders.ts";
import { DRAWN_IN_SOFTWARE, launchBrowser } from "../support/launch-browser.ts";
import { readOptions } from "../support/options.ts";
import { startStaticServer } from "../support/static-server.ts";
import { SHOTS, type Shot } from "./shots.ts";

const FOLDER = "docs/screens";
const SIZES: Readonly<Record<Shot["size"], BrowserContextOptions>> = {
  wide: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
};
/** Sharp text, with the largest file below the limit. */
const QUALITY = 84;
const MOST_BYTES = 250_000;
/** The map is complete after this many equal screenshots: a tile may take a second or two. */
const STILL_LOOKS = 4;
const LOOK_MS = 2000;
const MOST_LOOKS = 60;
/** Of the visitor who looks for a shop. */
const GALWAY = { latitude: 53.2743, longitude: -9.0514 };
/** Maps are drawn in software here. */
const TIMEOUT_MS = 120_000;

async function take(browser: Browser, home: string, shot: Shot): Promise<void> {
  const { name, size, colorScheme, locale = "en-GB", address, prepare, time } = shot;
  const where = { geolocation: GALWAY, permissions: ["geolocation"], timezoneId: "Europe/Dublin" };
  const context = await browser.newContext({ ...SIZES[size], ...where, colorScheme, locale, reducedMotion: "reduce" });
  const page = await context.newPage();
  if (time !== undefined) await page.clock.setFixedTime(new Date(time));
  page.setDefaultTimeout(TIMEOUT_MS);
  try {
    await page.goto(home + address);
    await prepare(page);
    await standStill(page);
    const session = await context.newCDPSession(page);
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
    const picture = Buffer.from(data, "base64");
    if (picture.byteLength > MOST_BYTES)
      throw new Error(`${name} has ${picture.byteLength} bytes, at most ${MOST_BYTES}`);
    await writeFile(`${FOLDER}/${name}.webp`, picture);
    console.log(`${name.padEnd(16)} ${picture.byteLength} bytes`);
  } finally {
    await context.close();
  }
}

/** Waits until the page stops changing. */
async function standStill(page: Page): Promise<void> {
  let before = await page.screenshot();
  let same = 0;
  for (let look = 0; look < MOST_LOOKS; look++) {
    await page.waitForTimeout(LOOK_MS);
    const now = await page.screenshot();
    same = now.equals(before) ? same + 1 : 0;
    if (same === STILL_LOOKS) return;
    before = now;
  }
  throw new Error("the page does not come to rest");
}

/** The site of a new project with a table, as `cairn init --from` makes it. */
async function makeShops(folder: string): Promise<string> {
  const [dataset, out] = [join(folder, "dataset"), join(folder, "site")];
  await buildDataset({ sources: ["docs/examples/bike-shops.csv"], out: dataset });
  const filters = ["Category", "Town", "Cargo bikes"];
  const map = parseSettings({ title: "Velo Ireland", table: "bike-shops.csv", filters });
  await makeSite({ dataset, out, page: PAGE_FOLDER, map });
  return out;
}

const NAMES = SHOTS.map(({ name }) => name);
const { positionals: wanted, refuse } = readOptions({
  usage: `npm run screens -- [<name>...]\n\nNames: ${NAMES.join(", ")}`,
  options: {},
  mostArguments: NAMES.length,
});
const unknown = wanted.find((name) => !NAMES.includes(name));
if (unknown !== undefined) throw refuse(`no picture is called ${unknown}`);
await ensureDataset(SAMPLE_FOLDER, DATASET_FOLDER, "small");
await ensurePage(PAGE_FOLDER, "small");
await mkdir(FOLDER, { recursive: true });
const shots = SHOTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const folder = await mkdtemp(join(tmpdir(), "cairn-screens-"));
const shops = shots.some(({ site }) => site === "shops") ? await makeShops(folder) : folder;
const host = await startStaticServer({
  folders: { "/shops/": shops, "/": PAGE_FOLDER, "/dataset/": DATASET_FOLDER },
});
const browser = await launchBrowser([...DRAWN_IN_SOFTWARE, "--hide-scrollbars"]);
try {
  for (const shot of shots) await take(browser, shot.site === "shops" ? `${host.url}shops/` : host.url, shot);
} finally {
  await browser.close();
  await host.close();
  await rm(folder, { recursive: true });
}
