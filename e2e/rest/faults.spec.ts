import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, Route } from "@playwright/test";
import { expect, refuseWebGl, test } from "../support/fixtures.ts";
import { DATASET_FOLDER, PAGE_FOLDER } from "../support/folders.ts";
import { AROUND_RELEASES, publishRelease } from "../support/releases.ts";
import { answersOfNode, ask } from "../support/rest.ts";
import { serviceWorkerReady, watchServiceWorker } from "../support/service-worker.ts";
import { startStaticServer } from "../support/static-server.ts";

test.use({ hasMap: false });

const MONACO = "lat=43.7384&lng=7.4246&radius=500&limit=5";
const BOULDER = "lat=40.0165&lng=-105.271&radius=300&limit=5";

const FILES = /\/dataset\/.*\.(pack|parquet)/;
const status = (code: number) => (route: Route) => route.fulfill({ status: code, body: "no" });

/** Faults of a host or network in every file of the dataset, and a search that needs new files. */
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

/** Faults that an answer must survive unchanged. */
const TROUBLES: readonly (readonly [
  trouble: string,
  search: string,
  spoil: (page: Page, home: string) => Promise<unknown>,
])[] = [
  [
    "a slow network",
    `addresses?${BOULDER}`,
    (page) =>
      page.context().route(FILES, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        await route.continue();
      }),
  ],
  [
    "redirects to the files",
    `places/buildings?${MONACO}`,
    (page) =>
      page.context().route(FILES, async (route) => {
        const url = new URL(route.request().url());
        if (url.search !== "") return route.continue();
        url.search = "?moved";
        await route.fulfill({ status: 302, headers: { Location: url.href } });
      }),
  ],
  [
    "a cache that is full",
    `places/buildings?${BOULDER}`,
    async (page, home) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Storage.overrideQuotaForOrigin", { origin: new URL(home).origin, quotaSize: 1 });
    },
  ],
  [
    "a cache that is deleted under the search",
    `buildings?${BOULDER}`,
    (page) =>
      page.context().route(FILES, async (route) => {
        await page.evaluate(() => caches.delete("cairn-dataset"));
        await route.continue();
      }),
  ],
];

test("each fault of a host is a named error in the service worker, and ends with its cause", async ({
  page,
  home,
  context,
}) => {
  const expected = await answersOfNode(
    DATASET_FOLDER,
    FAULTS.map(([, search]) => search),
  );
  await page.goto(home);
  await serviceWorkerReady(page);
  for (const [index, [fault, search, spoil]] of FAULTS.entries()) {
    await context.route(FILES, spoil);
    const damaged = await ask(page, search);
    expect(damaged.status, fault).toBeGreaterThanOrEqual(500);
    expect(JSON.parse(damaged.body), fault).toMatchObject({ message: [expect.stringMatching(/\.(pack|parquet)/)] });
    await context.unrouteAll({ behavior: "wait" });
    expect(await ask(page, search), fault).toEqual(expected[index]);
  }
});

test("recoverable faults do not change an answer", async ({ page, home, context, host }) => {
  const expected = await answersOfNode(
    DATASET_FOLDER,
    TROUBLES.map(([, search]) => search),
  );
  await page.goto(home);
  await serviceWorkerReady(page);
  for (const [index, [trouble, search, spoil]] of TROUBLES.entries()) {
    host.forget();
    await spoil(page, home);
    expect(await ask(page, search), trouble).toEqual(expected[index]);
    expect(
      host.sent.some(({ path }) => FILES.test(path)),
      trouble,
    ).toBe(true);
    await context.unrouteAll({ behavior: "wait" });
  }
});

for (const keeps of [true, false]) {
  const files = keeps ? "next to the older files" : "in the place of the older files";
  test(`a manifest that is replaced during a search, ${files}: each answer has one release`, async ({ browser }) => {
    const folder = await mkdtemp(join(tmpdir(), "cairn-replaced-"));
    const served = join(folder, "served");
    const search = `places?${AROUND_RELEASES}&limit=100`;
    const later = { name: "second", places: 33, firstLon: 7.4201 };
    const [first, second] = await Promise.all(
      [{ name: "first", places: 30 }, later].map(async (release) => {
        await publishRelease(join(folder, release.name), release);
        return (await answersOfNode(join(folder, release.name), [search]))[0];
      }),
    );
    await cp(join(folder, "first"), served, { recursive: true });
    const host = await startStaticServer({ folders: { "/": PAGE_FOLDER, "/dataset/": served } });
    const context = await browser.newContext();
    await context.addInitScript(refuseWebGl);
    try {
      const page = await context.newPage();
      await page.goto(host.url);
      await serviceWorkerReady(page);
      const worker = await watchServiceWorker(page);
      let replaced: Promise<void> | undefined;
      await context.route(FILES, async (route) => {
        replaced ??= publishRelease(served, later, { keeps });
        await replaced;
        await route.continue();
      });
      expect(await ask(page, search)).toEqual(keeps ? first : second);
      expect(replaced).toBeDefined();
      await context.unrouteAll({ behavior: "wait" });
      await worker.kill();
      expect(await ask(page, search)).toEqual(second);
    } finally {
      await context.close();
      await host.close();
      await rm(folder, { recursive: true });
    }
  });
}
