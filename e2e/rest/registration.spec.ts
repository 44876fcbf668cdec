import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { contentSecurityPolicy } from "../../web/hosts/http/policy.ts";
import { buildSite } from "../../web/site/publish.ts";
import { expect, test } from "../support/fixtures.ts";
import { DATASET_FOLDER, PAGE_FOLDER } from "../support/folders.ts";
import { AROUND_RELEASES, publishRelease } from "../support/releases.ts";
import { type Answer, answersOfNode, ask } from "../support/rest.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";
import { type StaticServer, startStaticServer } from "../support/static-server.ts";

test.use({ hasMap: false });

const SEARCH = `places?${AROUND_RELEASES}&limit=5`;

let folder: string;
/** Has a dataset with other places at the same position. */
let outside: StaticServer;
let right: Answer | undefined;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-registration-"));
  await publishRelease(join(folder, "outside"), { name: "outside", places: 30 });
  outside = await startStaticServer({ folders: { "/": join(folder, "outside") } });
  [right] = await answersOfNode(DATASET_FOLDER, [SEARCH]);
});
test.afterAll(async () => {
  await outside.close();
  await rm(folder, { recursive: true, force: true });
});

interface Registered {
  /** Addresses that the page registered. */
  readonly asked: readonly string[];
  readonly active: string | undefined;
  readonly isWaiting: boolean;
}

/** Records what the page registers. */
async function watchRegistrations(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const asked: string[] = [];
    const { serviceWorker } = navigator;
    const register = serviceWorker.register.bind(serviceWorker);
    serviceWorker.register = (script, options) => {
      asked.push(new URL(script, location.href).href);
      return register(script, options);
    };
    Object.assign(window, { asked });
  });
}

function registered(page: Page): Promise<Registered> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return {
      asked: Reflect.get(window, "asked") as string[],
      active: registration?.active?.scriptURL,
      isWaiting: Boolean(registration?.waiting ?? registration?.installing),
    };
  });
}

test("a link cannot choose the service worker or the dataset", async ({ page, home }) => {
  outside.forget();
  const script = `${home}service-worker.js`;
  const dataset = encodeURIComponent(outside.url);
  await watchRegistrations(page);
  for (const link of [`?dataset=${dataset}&executor=sql`, `?fbclid=abc`, `?${outside.url}`, `#/?dataset=${dataset}`]) {
    await page.goto(home + link);
    await expect.poll(async () => (await registered(page)).asked, link).toEqual([script]);
    await serviceWorkerReady(page);
    expect(await ask(page, SEARCH), link).toEqual(right);
    expect(await registered(page), link).toMatchObject({ active: script, isWaiting: false });
    await expect(page.getByText("A new version of this page is available."), link).toBeHidden();
  }
  await page.goto(`${home}docs/?dataset=${dataset}`);
  await expect.poll(async () => (await registered(page)).asked).toEqual([script]);
  expect(await ask(page, `../${SEARCH}`)).toEqual(right);
  expect(outside.sent).toEqual([]);
});

/** How the first version used its address. */
const EARLIER_WORKER = `
const dataset = new URL(self.location.href).searchParams.get("dataset");
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (new URL(event.request.url).pathname.endsWith("/places")) event.respondWith(fetch(dataset + "manifest.json"));
});`;

test("a service worker that a link redirected in an earlier version is repaired by the next visit", async ({
  browser,
}) => {
  const site = join(folder, "site");
  await cp(PAGE_FOLDER, site, { recursive: true, filter: (path) => !path.startsWith(join(PAGE_FOLDER, "dataset")) });
  const file = join(site, "service-worker.js");
  const present = await readFile(file);
  const host = await startStaticServer({ folders: { "/": site, "/dataset/": DATASET_FOLDER } });
  const poisonous = `service-worker.js?dataset=${encodeURIComponent(outside.url)}`;
  const poisoned = async () => {
    const page = await (await browser.newContext({ locale: "en-GB" })).newPage();
    await writeFile(file, EARLIER_WORKER);
    await page.goto(`${host.url}empty.html`);
    await page.evaluate((script) => navigator.serviceWorker.register(script), poisonous);
    await serviceWorkerReady(page);
    expect((await ask(page, SEARCH)).body).toContain('"release": "outside"');
    await writeFile(file, present);
    return page;
  };
  try {
    await writeFile(join(site, "empty.html"), "");
    const visitor = await poisoned();
    await visitor.goto(host.url);
    // Until then the page's policy blocks the other dataset.
    await expect.poll(() => ask(visitor, SEARCH).catch(() => undefined)).toEqual(right);
    await expect.poll(async () => (await registered(visitor)).active).toBe(`${host.url}service-worker.js`);
    expect((await registered(visitor)).isWaiting).toBe(false);
    await expect(visitor.getByText("A new version of this page is available.")).toBeHidden();
    // An old cached page that follows such a link again.
    const follow = async () => {
      await visitor.evaluate((script) => navigator.serviceWorker.register(script), poisonous);
      return (await registered(visitor)).active;
    };
    await expect.poll(follow).toBe(host.url + poisonous);
    expect(await ask(visitor, SEARCH)).toEqual(right);
    await visitor.context().close();

    // A program that only requests addresses, and never opens the page.
    const caller = await poisoned();
    // A browser checks for a new version some time after a navigation, and later after each further one.
    await expect
      .poll(async () => (await caller.goto(host.url + SEARCH))?.text(), { intervals: [5000] })
      .toBe(right?.body);
    await caller.context().close();
  } finally {
    await host.close();
  }
});

test("the page, the reference and register() of a site with a remote dataset use one service worker", async ({
  browser,
}) => {
  test.slow();
  const site = join(folder, "elsewhere");
  const data = await startStaticServer({ folders: { "/dataset/": DATASET_FOLDER } });
  await buildSite({ out: site, dataset: `${data.url}dataset` });
  // Under the site's policy, scripts of a page must be in files.
  await writeFile(join(site, "own.html"), '<!doctype html><script type="module" src="own.js"></script>');
  await writeFile(join(site, "own.js"), 'import { register } from "./embed/cairn.js"; await register();');
  const headers = { "Content-Security-Policy": contentSecurityPolicy("site", data.url) };
  const host = await startStaticServer({ folders: { "/": site }, headers });
  expect(await readFile(join(site, "_headers"), "utf8")).toContain(headers["Content-Security-Policy"]);
  try {
    for (const path of ["", "docs/", "own.html"]) {
      const context = await browser.newContext({ locale: "en-GB" });
      const page = await context.newPage();
      await watchRegistrations(page);
      await page.goto(host.url + path);
      await serviceWorkerReady(page);
      expect(await ask(page, `${host.url}${SEARCH}`), path).toEqual(right);
      expect(await registered(page), path).toMatchObject({
        asked: [`${host.url}service-worker.js`],
        active: `${host.url}service-worker.js`,
      });
      if (path === "") await expect(page.getByRole("button", { name: /^Online/ })).toBeVisible();
      await context.close();
    }
  } finally {
    await host.close();
    await data.close();
  }
});
