import type { Page } from "@playwright/test";
import { startServer } from "../../web/hosts/node/server.ts";
import { expect, test } from "../support/fixtures.ts";
import { DATASET_FOLDER } from "../support/folders.ts";
import { serviceWorkerReady, watchServiceWorker } from "../support/service-worker.ts";

test.use({ hasMap: false });

/** Megabytes of JSON, of which the browser buffers a small part. */
const LARGE = "places?lat=40.0165&lng=-105.271&radius=20000&limit=25000";
const SMALL = "places?lat=43.7384&lng=7.4246&radius=700&limit=100";

/** Returns the complete body, or that it was interrupted. */
async function ask(page: Page, address: string): Promise<string> {
  return page.evaluate(async (address) => {
    try {
      return await (await fetch(address, { cache: "no-store" })).text();
    } catch (error) {
      return String(error);
    }
  }, address);
}

test("a service worker killed during an answer gives no shortened answer, and the next one is correct", async ({
  page,
  home,
  context,
}) => {
  const node = await startServer({ dataset: DATASET_FOLDER, port: 0 });
  const [large, small] = await Promise.all(
    [LARGE, SMALL].map(async (address) => (await fetch(node.url + address)).text()),
  );
  await node.close();
  await page.goto(home);
  await serviceWorkerReady(page);
  const worker = await watchServiceWorker(page);

  // While it waits for a file.
  const files = /\/dataset\/place\/.*\.(pack|parquet)$/;
  const isAsked = new Promise<void>((resolve) => void context.route(files, () => resolve()));
  const waiting = ask(page, SMALL);
  await isAsked;
  await worker.kill();
  await context.unroute(files);
  expect([small, "TypeError: Failed to fetch"]).toContain(await waiting);
  expect(await ask(page, SMALL)).toBe(small);
  expect(worker.states.slice(worker.states.indexOf("stopped"))).toContain("running");

  // While the page reads its answer.
  const begun = await page.evaluate(async (address) => {
    const response = await fetch(address, { cache: "no-store" });
    Object.assign(window, { begun: response });
    return [response.status, response.headers.get("Pagination-Count")];
  }, LARGE);
  expect(begun).toEqual([200, "3545"]);
  await worker.kill();
  const body = await page
    .evaluate(() => (Reflect.get(window, "begun") as Response).text())
    .catch((error: unknown) => String(error));
  // On a slow machine the answer may be complete before the kill.
  if (body !== large) expect(body).toMatch(/TypeError: (network error|Failed to fetch)/);
  expect(await ask(page, LARGE)).toBe(large);
});
