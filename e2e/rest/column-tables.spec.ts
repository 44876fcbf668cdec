import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { createApi } from "../../web/api/index.ts";
import { openNodeDataset } from "../../web/hosts/node/open.ts";
import { PAGE_FOLDER } from "../support/folders.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";
import { type StaticServer, startStaticServer } from "../support/static-server.ts";
import { buildWithTables } from "../support/table-dataset.ts";

let folder: string;
let dataset: string;
let host: StaticServer;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-tables-"));
  dataset = await buildWithTables(folder);
  host = await startStaticServer({ folders: { "/maps/": PAGE_FOLDER, "/maps/dataset/": dataset } });
});
test.afterAll(async () => {
  await host?.close();
  await rm(folder, { recursive: true, force: true });
});

const REQUESTS = [
  "export/places?country=US,MC&categories=restaurant&includes=names,websites,addresses&format=csv",
  "export/places?country=US&categories=cafe,coffee_shop&includes=names,phones&format=geoparquet&min_confidence=0.7",
  "export/buildings?country=US&class=house&includes=height,num_floors,names&format=geojsonl",
];

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const onNode = async (path: string) =>
  hashOf(
    new Uint8Array(
      await (await createApi({ dataset: openNodeDataset(dataset) })(new Request(`http://a/${path}`))).arrayBuffer(),
    ),
  );
/** Requests of the dataset, without the manifest. */
const ofDataset = () => host.sent.filter(({ path }) => /\/dataset\/./.test(path) && !path.endsWith("manifest.json"));

test("the service worker exports from a column table, with the bytes of Node", async ({ page }) => {
  await page.goto(`${host.url}maps/`);
  await serviceWorkerReady(page);
  const ask = (path: string) =>
    page.evaluate(async (address) => {
      const answer = await fetch(address);
      const bytes = await answer.arrayBuffer();
      const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      return {
        status: answer.status,
        hash: Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join(""),
        text: bytes.byteLength < 2000 ? new TextDecoder().decode(bytes) : "",
      };
    }, path);
  for (const path of REQUESTS) {
    host.forget();
    const { status, hash } = await ask(path);
    expect(status).toBe(200);
    expect(hash, path).toBe(await onNode(path));
    const ranges = ofDataset().filter(({ path: file }) => file.includes("/tables/"));
    expect(ranges.length, path).toBeGreaterThan(0);
    expect(ranges.length, path).toBeLessThan(8);
  }
  // ranges that no cache has
  const allow = host.lose(/\/tables\//);
  const lost = await ask("export/places?country=US&categories=hotel&includes=names,websites&format=csv");
  expect(lost.status).toBe(503);
  expect(lost.text).toContain("tables/place");
  allow();
  expect((await ask("export/places?country=US&categories=hotel&includes=names,websites&format=csv")).status).toBe(200);
});

test("the ES module exports from a column table", async ({ page }) => {
  await page.route(`${host.url}maps/empty.html`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>a</title>" }),
  );
  await page.goto(`${host.url}maps/empty.html`);
  host.forget();
  for (const path of REQUESTS) {
    const text = await page.evaluate(async (address) => {
      const module = new URL("embed/cairn.js", location.href).href;
      const { open } = await import(module);
      const cairn = await open(new URL("dataset/", location.href).href);
      const answer: Response = await cairn.fetch(`/${address}`);
      const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await answer.arrayBuffer()));
      return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
    }, path);
    expect(text, path).toBe(await onNode(path));
  }
  const ranges = ofDataset();
  expect(ranges.every(({ path }) => path.includes("/tables/"))).toBe(true);
  expect(ranges.length).toBeLessThan(20);
});
