import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { open } from "../../web/embed/node/index.ts";
import { PAGE_FOLDER } from "../support/folders.ts";
import { buildOwnDataset, OWN_ROWS } from "../support/own-dataset.ts";
import { type StaticServer, startStaticServer } from "../support/static-server.ts";
import { drawnMap } from "./drawn-map.ts";
import { type ExamplesServer, startExamples } from "./examples-server.ts";

let folder: string;
let dataset: string;
let site: StaticServer;
let examples: ExamplesServer;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-own-"));
  dataset = await buildOwnDataset(folder);
  site = await startStaticServer({ folders: { "/": PAGE_FOLDER, "/dataset/": dataset } });
  examples = await startExamples(site.url);
});
test.afterAll(async () => {
  await examples.close();
  await site.close();
  await rm(folder, { recursive: true });
});

test("the map element draws tables by name, without a place, and reports those of the dataset", async ({ page }) => {
  await page.goto(`${examples.url}html/element.html`);
  const element = page.locator("cairn-map");
  const status = element.getByRole("status");
  await element.evaluate((map) => {
    for (const name of ["lat", "lng", "radius"]) map.removeAttribute(name);
    map.setAttribute("path", "my_shops");
    map.addEventListener("cairn-select", (event) => map.setAttribute("data-chosen", (event as CustomEvent).detail.id));
  });
  await expect(status).toHaveText(`${OWN_ROWS} found`);
  await expect(page.locator("#told")).toHaveText(`${OWN_ROWS} places`);

  // Without a place the map shows the records: the only one is in the middle.
  const [first] = (await (await open(dataset)).search("my_shops", { limit: 1 })).features;
  await element.evaluate((map) => map.setAttribute("limit", "1"));
  await expect(status).toHaveText(`${OWN_ROWS} found, the first 1 drawn`);
  await expect(async () => {
    // A click before the dot is drawn starts a search there.
    await element.evaluate((map) => {
      for (const name of ["lat", "lng"]) map.removeAttribute(name);
    });
    await expect(status).toHaveText(`${OWN_ROWS} found, the first 1 drawn`);
    await page.waitForTimeout(500);
    await element.locator("canvas").click();
    expect(await element.getAttribute("data-chosen")).toBe(first?.id);
  }).toPass();

  // The other table has dots around the record.
  const look = () => element.locator("canvas").screenshot();
  const bare = await drawnMap(element.locator("canvas"));
  await element.evaluate((map) => map.setAttribute("tiles", "tile"));
  await expect.poll(async () => (await look()).equals(bare)).toBe(false);
  await element.evaluate((map) => map.setAttribute("tiles", "shops"));
  await expect(status).toHaveText("tiles must be collections of the dataset, of my_shops, tile, got shops");
  await element.evaluate((map) => map.removeAttribute("tiles"));

  await element.evaluate((map) => map.setAttribute("path", "shops"));
  await expect(status).toHaveText(/^no path \/shops, expected one of \/places, .*, \/my_shops, \/tile$/);
});
