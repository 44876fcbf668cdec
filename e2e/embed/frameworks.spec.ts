import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build, type PluginOption } from "vite";
import { open } from "../../web/embed/node/index.ts";
import { DATASET_FOLDER, PAGE_FOLDER } from "../support/folders.ts";
import { type StaticServer, startStaticServer } from "../support/static-server.ts";
import { EXAMPLE_SITE, type ExamplesServer, startExamples } from "./examples-server.ts";

const NEAR = { lat: 43.7347, lng: 7.4206 };

let site: StaticServer;
let examples: ExamplesServer;
let faults: string[];

test.beforeAll(async () => {
  site = await startStaticServer({ folders: { "/": PAGE_FOLDER, "/dataset/": DATASET_FOLDER } });
  examples = await startExamples(site.url);
});
test.afterAll(async () => {
  await examples.close();
  await site.close();
});
test.beforeEach(({ page }) => {
  faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
});
test.afterEach(() => expect(faults).toEqual([]));

/** Builds an example with Vite, with this repository's modules as the package, and opens it from another origin. */
async function withBuilt(page: Page, name: string, plugins: PluginOption[], use: () => Promise<void>): Promise<void> {
  const outDir = await mkdtemp(join(tmpdir(), `cairn-${name}-`));
  const embed = (file: string) => resolve(PAGE_FOLDER, "embed", file);
  await build({
    root: `docs/examples/${name}`,
    configFile: false,
    logLevel: "error",
    plugins: [
      {
        name: "site",
        enforce: "pre",
        transform: (code) => ({ code: code.replaceAll(EXAMPLE_SITE, site.url), map: null }),
      },
      ...plugins,
    ],
    resolve: {
      alias: [
        { find: "cairn-map/react", replacement: embed("cairn-map.js") },
        { find: "cairn-map", replacement: embed("cairn.js") },
      ],
    },
    build: { outDir, emptyOutDir: true },
  });
  const server = await startStaticServer({ folders: { "/": outDir } });
  try {
    await page.goto(server.url);
    await use();
  } finally {
    await server.close();
    await rm(outDir, { recursive: true });
  }
}

async function countOf(radius: number, categories?: readonly string[]): Promise<number> {
  const cairn = await open(DATASET_FOLDER);
  return (await cairn.search("places", { ...NEAR, radius, ...(categories ? { categories } : {}) })).count;
}

test("Leaflet shows the records of a search", async ({ page }) => {
  await page.goto(`${examples.url}leaflet/index.html`);
  const count = await countOf(500, ["cafe"]);
  await expect(page.locator("#found")).toHaveText(`${count} places`);
  await expect(page.locator("path.leaflet-interactive")).toHaveCount(count);
});

test("React shows the map element, and a new radius searches again", async ({ page }) => {
  await withBuilt(page, "react", [], async () => {
    await expect(page.locator("#found")).toHaveText(`${await countOf(300)} places`);
    await page.getByLabel("Radius in metres").fill("120");
    await expect(page.locator("#found")).toHaveText(`${await countOf(120)} places`);
  });
});

test("Svelte lists the records of a search, and a new radius searches again", async ({ page }) => {
  await withBuilt(page, "svelte", [svelte({ configFile: false })], async () => {
    await expect(page.locator("#found")).toHaveText(`${await countOf(300, ["cafe"])} places`);
    await page.getByLabel("Radius in metres").fill("500");
    const count = await countOf(500, ["cafe"]);
    await expect(page.locator("#found")).toHaveText(`${count} places`);
    await expect(page.getByRole("listitem")).toHaveCount(count);
  });
});
