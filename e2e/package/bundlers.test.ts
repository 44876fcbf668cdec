import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { build as esbuild } from "esbuild";
import { createServer, build as viteBuild } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import webpack from "webpack";
import { open } from "../../web/embed/node/index.ts";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { DRAWN_IN_SOFTWARE, launchBrowser } from "../support/launch-browser.ts";
import { type StaticServer, startStaticServer } from "../support/static-server.ts";
import { freePort } from "../support/trap-proxy.ts";
import { installPackage, packPackage } from "./packed-package.ts";

const EXAMPLES = "docs/examples/bundler";
/** The address of the dataset's site in the examples. */
const EXAMPLE_SITE = "https://maps.example/";
const APPS = ["map", "search"] as const;

let scratch: string;
let dataset: StaticServer;
let browser: Browser;
/** Expected text of the apps. */
let expected: Readonly<Record<(typeof APPS)[number], string>>;

beforeAll(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), "cairn-bundlers-")));
  const folder = await buildSample();
  dataset = await startStaticServer({ folders: { "/dataset/": folder } });
  await installPackage(scratch, await packPackage());
  await mkdir(join(scratch, "src"));
  for (const name of await readdir(EXAMPLES)) {
    const text = await readFile(join(EXAMPLES, name), "utf8");
    await writeFile(join(scratch, "src", name), text.replaceAll(EXAMPLE_SITE, dataset.url));
  }
  for (const app of APPS) await writeFile(join(scratch, `${app}.html`), html(`/src/${app}.js`));
  browser = await launchBrowser(DRAWN_IN_SOFTWARE);
  const cairn = await open(folder);
  const near = { lat: 43.7347, lng: 7.4206 };
  const map = await cairn.search("places", near);
  const search = await cairn.search("places", { ...near, radius: 500, min_confidence: 0.9 });
  expected = { map: `${map.count} places`, search: `${search.count} places` };
});

afterAll(async () => {
  await browser?.close();
  await dataset?.close();
  await rm(scratch, { recursive: true, force: true });
});

function html(script: string): string {
  return `<!doctype html><meta charset="utf-8" /><link rel="icon" href="data:," /><title>An app</title>
<output id="found"></output><script type="module" src="${script}"></script>`;
}

/** The minimum policy of a page, as in `docs/guides/embedding.md`. */
const policy = () =>
  `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src ${dataset.url}; worker-src blob:; img-src data:`;

/** Serves the folder from one origin and the dataset from another, and checks both apps. */
async function check(folder: string): Promise<void> {
  const headers = { "Content-Security-Policy": policy() };
  const site = await startStaticServer({ folders: { "/": folder }, headers });
  try {
    await checkApps(site.url);
  } finally {
    await site.close();
  }
}

async function checkApps(url: string): Promise<void> {
  const faults: string[] = [];
  const context = await browser.newContext({ viewport: { width: 800, height: 600 }, reducedMotion: "reduce" });
  try {
    for (const app of APPS) {
      const page = await context.newPage();
      watch(page, [url, dataset.url], faults);
      await page.goto(`${url}${app}.html`);
      await waitForText(page, expected[app], faults);
      if (app === "map") await waitForMap(page, faults);
      await page.close();
    }
  } finally {
    await context.close();
  }
  expect(faults).toEqual([]);
}

/** Collects errors, missing files, and requests to other origins. */
function watch(page: Page, sites: readonly string[], faults: string[]): void {
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  page.on("request", (request) => {
    const { protocol, href } = new URL(request.url());
    if (protocol.startsWith("http") && !sites.some((site) => href.startsWith(site))) faults.push(href);
  });
}

async function waitForText(page: Page, text: string, faults: readonly string[]): Promise<void> {
  await page
    .waitForFunction((wanted) => document.querySelector("#found")?.textContent === wanted, text)
    .catch(async (cause: unknown) => {
      const shown = await page.locator("body").textContent();
      throw new Error(`the page shows ${JSON.stringify(shown)}, not ${text}; faults: ${faults.join("; ")}`, { cause });
    });
}

/** A picture of the whole map has 150 KB. Without streets and labels it has 42 KB. */
const DRAWN_BYTES = 90_000;

/** Waits until the base map is drawn: it comes from Parquet files, so worker, Parquet reader and MapLibre's worker all run. */
async function waitForMap(page: Page, faults: readonly string[]): Promise<void> {
  const canvas = page.locator("cairn-map canvas");
  await canvas.waitFor();
  let bytes = 0;
  for (let tries = 0; tries < 240; tries++) {
    bytes = (await canvas.screenshot()).byteLength;
    if (bytes > DRAWN_BYTES) return;
    await page.waitForTimeout(500);
  }
  throw new Error(`the map is not drawn, its picture has ${bytes} bytes; faults: ${faults.join("; ")}`);
}

test("Vite's development server", async () => {
  const port = await freePort();
  const server = await createServer({
    root: scratch,
    configFile: false,
    logLevel: "silent",
    server: { host: "127.0.0.1", port, strictPort: true },
  });
  try {
    await server.listen();
    await checkApps(`http://127.0.0.1:${port}/`);
  } finally {
    await server.close();
  }
});

test("Vite's build", async () => {
  const outDir = join(scratch, "out/vite");
  await viteBuild({
    root: scratch,
    configFile: false,
    logLevel: "silent",
    build: { outDir, target: "es2022", rolldownOptions: { input: APPS.map((app) => join(scratch, `${app}.html`)) } },
  });
  await check(outDir);
});

test("webpack", async () => {
  const path = join(scratch, "out/webpack");
  const stats = await new Promise<webpack.Stats | undefined>((done, fail) =>
    webpack(
      {
        mode: "production",
        context: scratch,
        entry: Object.fromEntries(APPS.map((app) => [app, `./src/${app}.js`])),
        output: { path, filename: "[name].js" },
        // Minifying takes most of the time and is irrelevant here.
        optimization: { minimize: false },
        performance: false,
      },
      (error, result) => (error ? fail(error) : done(result)),
    ),
  );
  expect(stats?.toJson({ all: false, errors: true, warnings: true })).toMatchObject({ errors: [], warnings: [] });
  for (const app of APPS) await writeFile(join(path, `${app}.html`), html(`/${app}.js`));
  await check(path);
});

/** Returns the folder of the built apps. */
async function buildWithEsbuild(splitting: boolean): Promise<string> {
  const outdir = join(scratch, "out", splitting ? "esbuild-split" : "esbuild");
  const { warnings } = await esbuild({
    absWorkingDir: scratch,
    entryPoints: APPS.map((app) => `src/${app}.js`),
    outdir,
    bundle: true,
    splitting,
    format: "esm",
    target: "es2022",
    logLevel: "silent",
  });
  expect(warnings).toEqual([]);
  for (const app of APPS) await writeFile(join(outdir, `${app}.html`), html(`/${app}.js`));
  return outdir;
}

test("esbuild with splitting", async () => check(await buildWithEsbuild(true)));

test("esbuild into one file each", async () => check(await buildWithEsbuild(false)));

test("a page's policy that blocks the worker is reported", async () => {
  const headers = { "Content-Security-Policy": policy().replace("worker-src blob:", "worker-src 'self'") };
  const site = await startStaticServer({ folders: { "/": await buildWithEsbuild(false) }, headers });
  const page = await browser.newPage();
  try {
    await page.goto(`${site.url}map.html`);
    const status = page.locator("cairn-map [role=status]");
    await status.filter({ hasText: "the page's policy must allow worker-src blob:" }).waitFor();
  } finally {
    await page.close();
    await site.close();
  }
});
