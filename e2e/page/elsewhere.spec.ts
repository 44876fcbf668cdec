import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ELSEWHERE_BOX, elsewhereFiles } from "../../web/engine/testing/elsewhere.ts";
import { contentSecurityPolicy } from "../../web/hosts/http/policy.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { PAGE_FOLDER } from "../support/folders.ts";
import { startStaticServer } from "../support/static-server.ts";

const SAMPLE = /Boulder|Monaco|Japan|United States|France|\bUS\b|\bMC\b|\bJP\b/;

async function write(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
}

const test = base.extend<object, { readonly folder: string }>({
  folder: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), "cairn-elsewhere-"));
      await write(join(folder, "two"), await elsewhereFiles());
      await write(join(folder, "one"), await elsewhereFiles(["building"]));
      await use(folder);
      await rm(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
  host: async ({ folder }, use) => {
    const host = await startStaticServer({
      folders: {
        "/maps/": PAGE_FOLDER,
        "/maps/dataset/": join(folder, "two"),
        "/one/": PAGE_FOLDER,
        "/one/dataset/": join(folder, "one"),
      },
      headers: { "Content-Security-Policy": contentSecurityPolicy("site") },
    });
    await use(host);
    await host.close();
  },
  home: async ({ host }, use) => use(`${host.url}maps/`),
});

// The service worker answers the reference's requests.
test.use({ hasServiceWorker: true, hasMap: true });

test("the first view of a custom dataset only uses that dataset", async ({ page, home }) => {
  await page.goto(home);
  const examples = page.locator(".examples a");
  await expect(examples).toHaveText([
    "Liechtenstein Places: 40",
    "Places · LiechtensteinEverything within 400 m of the centre, nearest first",
    "Buildings · LiechtensteinEverything within 400 m of the centre, nearest first",
    "Places · LiechtensteinA whole country instead of a circle",
  ]);
  const chips = page.getByRole("group", { name: "What to search for" });
  await expect(chips.getByRole("radio")).toHaveCount(2);
  await expect(page.locator("section.map canvas")).toBeVisible();
  await expect(page.locator("body")).not.toContainText(SAMPLE);
  // No dots at this zoom.
  await expect(page.getByText("Dots on the map")).toHaveCount(0);

  await page.getByRole("button", { name: "Search the centre of the map" }).click();
  await expect(page.getByRole("status")).toHaveText("40 places found");
  const [, lat, lng] = /lat=([\d.-]+)&lng=([\d.-]+)/.exec(page.url()) ?? [];
  const [west, south, east, north] = ELSEWHERE_BOX;
  expect(Number(lat)).toBeGreaterThan(south);
  expect(Number(lat)).toBeLessThan(north);
  expect(Number(lng)).toBeGreaterThan(west);
  expect(Number(lng)).toBeLessThan(east);

  await page.goto(home);
  await examples.nth(2).click();
  await expect(page.getByRole("status")).toHaveText("40 buildings found");
  await expect(page.locator("body")).not.toContainText(SAMPLE);
});

test("a dataset with one collection starts with it, and text typed before it loaded stays", async ({ page, host }) => {
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.context().route("**/dataset/manifest.json", async (route) => {
    await isOpen;
    await route.continue();
  });
  await page.goto(`${host.url}one/`);
  const box = page.getByRole("combobox", { name: "Search" });
  await box.fill("47.14, 9.52");
  open();
  const chips = page.getByRole("group", { name: "What to search for" });
  await expect(chips.getByRole("radio")).toHaveCount(1);
  await expect(chips.getByRole("radio", { name: "Buildings" })).toBeChecked();
  await expect(box).toHaveValue("47.14, 9.52");
  await box.press("Enter");
  await expect(page.getByRole("status")).toHaveText("40 buildings found");
});

test("the REST reference starts where the dataset has rows", async ({ page, home }) => {
  await page.goto(`${home}docs/`);
  const places = page.locator(".opblock-get").filter({ has: page.getByText("/places", { exact: true }) });
  await places.locator(".opblock-summary-control").click();
  await places.getByRole("button", { name: "Execute" }).click();
  await expect(places.locator(".live-responses-table")).toContainText("pagination-count: 40");
  await expect(page.locator("body")).not.toContainText(SAMPLE);
});
