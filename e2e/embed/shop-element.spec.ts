import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Response, test } from "@playwright/test";
import { build } from "esbuild";
import Papa from "papaparse";
import { buildDataset } from "../../pipeline/builder/dataset/build.ts";
import { PAGE_FOLDER } from "../support/folders.ts";
import { type StaticServer, startStaticServer } from "../support/static-server.ts";
import { type ExamplesServer, startExamples } from "./examples-server.ts";

const TABLE = "docs/examples/bike-shops.csv";
/** Before the visitor's first click. */
const MOST_BYTES = 60_000;

let folder: string;
let site: StaticServer;
let examples: ExamplesServer;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-shops-"));
  await buildDataset({ sources: [TABLE], out: join(folder, "dataset") });
  site = await startStaticServer({ folders: { "/": PAGE_FOLDER, "/dataset/": join(folder, "dataset") } });
  examples = await startExamples(site.url);
});
test.afterAll(async () => {
  await examples.close();
  await site.close();
  await rm(folder, { recursive: true });
});

async function countOf(isWanted: (shop: Readonly<Record<string, string>>) => boolean): Promise<number> {
  const { data } = Papa.parse<Record<string, string>>((await readFile(TABLE, "utf8")).trim(), { header: true });
  return data.filter(isWanted).length;
}

/** The documented React page as one script, without the element, which the page gets from the site. */
async function reactApp(): Promise<string> {
  const example = await readFile("docs/examples/bundler/shops.jsx", "utf8");
  const contents = example.replaceAll("https://maps.example/", site.url).replace('import "cairn-map/react";', "");
  const { outputFiles } = await build({
    stdin: { contents, loader: "jsx", resolveDir: process.cwd() },
    bundle: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return outputFiles[0]?.text ?? "";
}

test("in another page the map waits for a click with few bytes, and shows the rows of its conditions", async ({
  page,
}) => {
  let bytes = 0;
  const onResponse = async (response: Response) => {
    if (response.url().startsWith(site.url)) bytes += (await response.body()).byteLength;
  };
  page.on("response", onResponse);
  await page.goto(`${examples.url}html/shops.html`);
  const element = page.locator("cairn-map");
  const start = element.getByRole("button", { name: "Show our workshops on a map" });
  await expect(start).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(MOST_BYTES);
  page.off("response", onResponse);
  await start.click();
  const count = await countOf(({ Category = "" }) => /workshop/i.test(Category));
  await expect(page.locator("#told")).toHaveText(`${count} workshops`);
  await expect(element.getByRole("status")).toHaveText(`${count} found`);
  await expect(start).toBeHidden();
  await element.evaluate((map) => map.setAttribute("filter", "Colour=red"));
  await expect(element.getByRole("status")).toContainText('"Colour" is not a parameter here');
});

test("in a React page the element is a component with conditions and events", async ({ page }) => {
  const react = join(folder, "react");
  await mkdir(react);
  await writeFile(join(react, "app.js"), await reactApp());
  await writeFile(
    join(react, "index.html"),
    `<!doctype html><title>Shops</title><div id="root"></div>
<script type="module" src="${site.url}embed/cairn-map.js"></script><script type="module" src="app.js"></script>`,
  );
  const host = await startStaticServer({ folders: { "/": react } });
  await page.goto(host.url);
  const count = await countOf((shop) => shop["Cargo bikes"] === "yes");
  await expect(page.locator("#found")).toHaveText(`${count} shops`);
  await host.close();
});
