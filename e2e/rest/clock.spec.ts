import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saveHere } from "../support/areas.ts";
import { expect, refuseWebGl, test } from "../support/fixtures.ts";
import { DATASET_FOLDER, PAGE_FOLDER } from "../support/folders.ts";
import { answersOfNode, ask } from "../support/rest.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";
import { startStaticServer } from "../support/static-server.ts";

const CIRCLE = "lat=43.7384&lng=7.4246&radius=700";
const YEAR_MS = 31_557_600_000;

/** Changes the clock in each script of the page and its workers. */
async function pageWithClock(folder: string, offMs: number): Promise<void> {
  await cp(PAGE_FOLDER, folder, { recursive: true, filter: (path) => path !== join(PAGE_FOLDER, "dataset") });
  const shift = `globalThis.Date.off ??= ((Real) => {
    globalThis.Date = class Date extends Real {
      constructor(...parts) { if (parts.length > 0) super(...parts); else super(Date.now()); }
      static now() { return Real.now() + ${offMs}; }
      static off = ${offMs};
    };
    return ${offMs};
  })(Date);\n`;
  for (const entry of await readdir(folder, { recursive: true })) {
    if (!entry.endsWith(".js")) continue;
    const file = join(folder, entry);
    await writeFile(file, shift + (await readFile(file, "utf8")));
  }
}

for (const years of [-40, 40]) {
  test(`a clock that is ${Math.abs(years)} years ${years < 0 ? "late" : "early"} changes no answer, and loses no saved data`, async ({
    browser,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), "cairn-clock-"));
    await pageWithClock(folder, years * YEAR_MS);
    const host = await startStaticServer({ folders: { "/": folder, "/dataset/": DATASET_FOLDER } });
    const context = await browser.newContext({ locale: "en-GB" });
    await context.addInitScript(refuseWebGl);
    const searches = ["places", "buildings", "divisions"].map((path) => `${path}?${CIRCLE}&limit=25`);
    const expected = await answersOfNode(DATASET_FOLDER, searches);
    try {
      const page = await context.newPage();
      await page.goto(`${host.url}#/places?${CIRCLE}`);
      const offMs = await page.evaluate(() => Date.now() - performance.timeOrigin);
      expect(Math.round(offMs / YEAR_MS)).toBe(years);
      const found = page.getByText(/^[\d,]+ places found$/);
      await expect(found).toBeVisible();
      await saveHere(page);
      await expect(page.getByText(/saved now/)).toBeVisible();
      await serviceWorkerReady(page);
      const answers = async () => {
        for (const [i, search] of searches.entries()) expect(await ask(page, search), search).toEqual(expected[i]);
      };
      await answers();
      await host.close();
      await page.reload();
      await expect(found).toBeVisible();
      await answers();
    } finally {
      await context.close();
      await host.close().catch(() => {});
      await rm(folder, { recursive: true });
    }
  });
}
