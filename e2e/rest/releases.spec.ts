import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { keepRelease } from "../../pipeline/tools/changes/keep-release.ts";
import { startServer } from "../../web/hosts/node/server.ts";
import { saveHere } from "../support/areas.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { PAGE_FOLDER } from "../support/folders.ts";
import { openPages } from "../support/pages.ts";
import { AROUND_RELEASES, publishRelease, type Release } from "../support/releases.ts";
import { serviceWorkerReady, watchServiceWorker } from "../support/service-worker.ts";
import { type StaticServer, startStaticServer } from "../support/static-server.ts";

interface Fixtures {
  /** A folder with `dataset`, which the host serves next to the page. First it is March. */
  readonly folder: string;
}

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "cairn-releases-"));
    await use(folder);
    await rm(folder, { recursive: true, force: true });
  },
  host: async ({ folder }, use) => {
    const dataset = join(folder, "dataset");
    await publishRelease(dataset, MARCH);
    const host = await startStaticServer({ folders: { "/": PAGE_FOLDER, "/dataset/": dataset } });
    await use(host);
    await host.close().catch(() => {});
  },
  home: ({ host }, use) => use(host.url),
});
test.use({ hasMap: false });

const MARCH: Release = { name: "march", places: 60, nameOf: (i) => `March ${i}` };
/** Lacks the first three places and has three others. No file is of both releases. */
const APRIL: Release = { name: "april", places: 70, first: 3, firstLon: 7.4201, nameOf: (i) => `April ${i}` };

const titles = (page: Page) => page.getByRole("list", { name: "Results" }).locator(".result-title").allTextContents();
const turn = (page: Page, to: string) =>
  page.getByRole("navigation", { name: "Pages of results" }).getByRole("button", { name: to }).click();

/** The user returns after a day, and the page asks for a new release. */
async function comeBack(page: Page, host: StaticServer): Promise<void> {
  host.forget();
  await page.evaluate(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 24 * 60 * 60_000;
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect.poll(() => host.sent.some(({ path }) => path.endsWith("/manifest.json"))).toBe(true);
}

/** Opens a search that finds 60 places of March. */
async function openMarch(page: Page, home: string): Promise<void> {
  await page.goto(`${home}#/places?${AROUND_RELEASES}`);
  await expect(page.getByRole("status")).toHaveText("60 places found");
  await openPages(page);
}

/** Replaces March by April in the served folder. */
async function publishApril(folder: string, { keepsMarch }: { readonly keepsMarch: boolean }): Promise<void> {
  const [dataset, march] = [join(folder, "dataset"), join(folder, "march")];
  await cp(dataset, march, { recursive: true });
  await publishRelease(dataset, APRIL);
  if (keepsMarch) await keepRelease(march, dataset);
}

test("the next page of a list is of the release that the host keeps, and the first page of the new one", async ({
  page,
  folder,
  home,
  host,
}) => {
  await openMarch(page, home);
  const shown = new Set(await titles(page));
  await publishApril(folder, { keepsMarch: true });
  await comeBack(page, host);
  for (const range of ["26–50 of 60", "51–60 of 60"]) {
    await turn(page, "Next page");
    await expect(page.getByRole("main")).toContainText(range);
    for (const title of await titles(page)) shown.add(title);
  }
  expect([...shown].sort()).toEqual(Array.from({ length: 60 }, (_, i) => `March ${i}`).sort());
  await turn(page, "First page");
  await expect(page.getByRole("status")).toHaveText("70 places found");
  await turn(page, "Next page");
  await expect(page.getByRole("main")).toContainText("26–50 of 70");
  for (const title of await titles(page)) expect(title).toMatch(/^April /);
});

test("the next page of a release that is gone is refused, with a way to the first page of the new one", async ({
  page,
  folder,
  home,
  host,
}) => {
  await openMarch(page, home);
  await publishApril(folder, { keepsMarch: false });
  await comeBack(page, host);
  await turn(page, "Next page");
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("The map data changed");
  await expect(alert).toContainText("Start with the first page.");
  await expect(page.getByRole("list", { name: "Results" })).toBeHidden();
  await alert.getByRole("button", { name: "First page" }).click();
  await expect(page.getByRole("status")).toHaveText("70 places found");
  for (const title of await titles(page)) expect(title).toMatch(/^April /);
});

/** An answer of the REST interface in this page, with the headers of its release. */
function ask(page: Page, address: string, tag = '"none"') {
  return page.evaluate(
    async ([address, tag]) => {
      const { status, headers } = await fetch(address, { cache: "no-store", headers: { "If-None-Match": tag } });
      const [release, count] = ["Cairn-Release", "Pagination-Count"].map((name) => headers.get(name));
      return { status, release, count, tag: headers.get("ETag") ?? "", link: headers.get("Link") ?? "" };
    },
    [address, tag] as const,
  );
}

test("without the host, an answer of a saved older release has its name and tag, and its pages continue", async ({
  page,
  folder,
  home,
  host,
}) => {
  const address = `places?${AROUND_RELEASES}&limit=10`;
  await page.goto(`${home}#/${address}`);
  await expect(page.getByRole("status")).toHaveText("60 places found");
  await saveHere(page);
  await serviceWorkerReady(page);
  const march = await ask(page, address);
  expect(march).toMatchObject({ status: 200, release: "march", count: "60" });

  await publishApril(folder, { keepsMarch: false });
  const worker = await watchServiceWorker(page);
  await worker.kill();
  // The new worker reads the manifest of April, and none of its places.
  expect(await ask(page, "places/countries")).toMatchObject({ status: 200, release: "april" });
  const node = await startServer({ dataset: join(folder, "dataset"), port: 0 });
  const april = await fetch(node.url + address);
  await april.arrayBuffer();
  await node.close();
  // Weak, because Node compressed the answer.
  const aprilTag = (april.headers.get("ETag") ?? "").replace(/^W\//, "");
  expect([april.headers.get("Cairn-Release"), aprilTag]).toEqual(["april", expect.not.stringMatching(march.tag)]);
  await host.close();

  expect(await ask(page, address)).toEqual(march);
  expect(await ask(page, address, march.tag)).toMatchObject({ status: 304, release: "march", tag: march.tag });
  // The caller has the answer of April, so nothing is read.
  expect(await ask(page, address, aprilTag)).toMatchObject({ status: 304, release: "april", tag: aprilTag });
  const [, next = ""] = /<([^>]*)>; rel="next"/.exec(march.link) ?? [];
  expect(next).toContain("release=march");
  expect(await ask(page, next)).toMatchObject({ status: 200, release: "march", count: "60" });
});
