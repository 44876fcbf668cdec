import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepRelease } from "../../pipeline/tools/changes/keep-release.ts";
import { startServer } from "../../web/hosts/node/server.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { PAGE_FOLDER } from "../support/folders.ts";
import { AROUND_RELEASES, publishRelease } from "../support/releases.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";
import { startStaticServer } from "../support/static-server.ts";

/** A dataset that keeps the previous release: since then one place was removed, one added, one renamed. */
const test = base.extend<{ readonly dataset: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  dataset: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "cairn-changes-"));
    const [march, april] = [join(folder, "march"), join(folder, "april")];
    await publishRelease(march, { name: "march", places: 12, nameOf: (i) => `Bar ${i}` });
    await publishRelease(april, {
      name: "april",
      first: 1,
      places: 12,
      nameOf: (i) => (i === 5 ? "Bistro 5" : `Bar ${i}`),
    });
    await keepRelease(march, april);
    await use(april);
    await rm(folder, { recursive: true });
  },
  host: async ({ dataset }, use) => {
    const host = await startStaticServer({ folders: { "/maps/": PAGE_FOLDER, "/maps/dataset/": dataset } });
    await use(host);
    await host.close();
  },
  home: async ({ host }, use) => use(`${host.url}maps/`),
});

test("shows what changed here since the release that the dataset keeps", async ({ page, home, host }) => {
  await page.goto(`${home}#/places?${AROUND_RELEASES}`);
  await expect(page.getByRole("status")).toHaveText("12 places found");
  await page.getByRole("button", { name: /2 km around/ }).click();
  const where = page.getByRole("form", { name: "Where" });
  const kept = () => host.sent.filter(({ path }) => path.includes("/kept/"));
  expect(kept(), "reads nothing of the older release before the user asks").toEqual([]);
  await where.getByText("What changed here since march").click();
  await expect(where).toContainText("1 added, 1 removed, 1 changed");
  await expect(where.getByRole("listitem")).toHaveText(["Removed Bar 0", /^Changed Bistro 5 Names?$/, "Added Bar 12"]);
  expect(kept()).toHaveLength(1);
  await expect(where.getByRole("link", { name: "Bar 0" })).toHaveCount(0);
  await where.getByRole("link", { name: "Bistro 5" }).click();
  await expect(page.getByRole("article", { name: /Bistro 5/ })).toBeVisible();
});

test("changes whose code fails to load are reported, and a retry lists them", async ({ page, home, host }) => {
  await page.goto(`${home}#/places?${AROUND_RELEASES}`);
  await expect(page.getByRole("status")).toHaveText("12 places found");
  await page.getByRole("button", { name: /2 km around/ }).click();
  const where = page.getByRole("form", { name: "Where" });
  const find = host.lose(/\/assets\/changed-records-[\w-]+\.js$/);
  await where.getByText("What changed here since march").click();
  await expect(where.getByRole("alert")).toContainText("This part could not be loaded");
  find();
  await where.getByRole("button", { name: "Try again" }).click();
  await expect(where).toContainText("1 added, 1 removed, 1 changed");
});

test.describe(() => {
  test.use({ hasServiceWorker: true });
  test("the service worker answers /changes as the Node host does", async ({ page, home, dataset }) => {
    const node = await startServer({ dataset, port: 0 });
    await page.goto(home);
    await serviceWorkerReady(page);
    for (const since of ["march", "february"]) {
      const address = `changes?since=${since}&${AROUND_RELEASES}`;
      const answer = await page.evaluate(async (address) => {
        const response = await fetch(address);
        return { status: response.status, body: await response.text() };
      }, address);
      const expected = await fetch(node.url + address);
      expect(answer).toEqual({ status: expected.status, body: await expected.text() });
      expect(answer.status).toBe(since === "march" ? 200 : 400);
    }
    await node.close();
  });
});
