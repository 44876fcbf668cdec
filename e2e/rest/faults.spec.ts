import type { Page, Route } from "@playwright/test";
import { startServer } from "../../web/hosts/node/server.ts";
import { expect, test } from "../support/fixtures.ts";
import { DATASET_FOLDER } from "../support/folders.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";

const MONACO = "lat=43.7384&lng=7.4246&radius=500&limit=5";
const BOULDER = "lat=40.0165&lng=-105.271&radius=300&limit=5";

const status = (code: number) => (route: Route) => route.fulfill({ status: code, body: "no" });

/** What a host or a network does to every file of the dataset, and a search whose files nobody has read before. */
const FAULTS: readonly (readonly [fault: string, search: string, spoil: (route: Route) => Promise<void>])[] = [
  ["404", `places?${MONACO}`, status(404)],
  ["403", `buildings?${MONACO}`, status(403)],
  ["500", `addresses?${MONACO}`, status(500)],
  ["503", `transportation?${MONACO}`, status(503)],
  ["200 with HTML", `base?${MONACO}`, (route) => route.fulfill({ contentType: "text/html", body: "<h1>Hello</h1>" })],
  [
    "a truncated file",
    `places?${BOULDER}`,
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ status: 200, body: (await response.body()).subarray(0, 1000) });
    },
  ],
  [
    "another file of that length",
    `buildings?${BOULDER}`,
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ status: 200, body: Buffer.alloc((await response.body()).length, 7) });
    },
  ],
  ["a connection that is reset", `transportation?${BOULDER}`, (route) => route.abort("connectionreset")],
];

const ask = (page: Page, address: string) =>
  page.evaluate(async (address) => {
    const response = await fetch(address, { cache: "no-store" });
    return { status: response.status, body: await response.text() };
  }, address);

test("each fault of a host is a named error in the service worker, and does not outlive its cause", async ({
  page,
  home,
  context,
}) => {
  const node = await startServer({ dataset: DATASET_FOLDER, port: 0 });
  const expected = await Promise.all(FAULTS.map(async ([, search]) => (await fetch(node.url + search)).text()));
  await node.close();
  await page.goto(home);
  await serviceWorkerReady(page);
  const files = /\/dataset\/.*\.parquet$/;
  for (const [index, [fault, search, spoil]] of FAULTS.entries()) {
    await context.route(files, spoil);
    const spoilt = await ask(page, search);
    expect(spoilt.status, fault).toBeGreaterThanOrEqual(500);
    expect(JSON.parse(spoilt.body), fault).toMatchObject({ message: [expect.stringMatching(/\.parquet/)] });
    await context.unroute(files);
    expect(await ask(page, search), fault).toEqual({ status: 200, body: expected[index] });
  }
});
