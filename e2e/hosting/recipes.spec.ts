import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { diagnose } from "../../pipeline/tools/doctor/diagnose.ts";
import { contentSecurityPolicy, DATASET_POLICY } from "../../web/hosts/http/policy.ts";
import { DATASET_FOLDER, PAGE_FOLDER } from "../support/folders.ts";
import { outsideRequests, startOutsideServer } from "../support/outside-requests.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";
import { type Answer, ask } from "./ask.ts";
import { HOST_NAMES, type RunningHost, startRecipe } from "./recipes.ts";

const IMMUTABLE = "public, max-age=31536000, immutable, no-transform";

/** Sends a request as a browser of another origin does. */
function askAsBrowser(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return ask(url, { "Accept-Encoding": "gzip, deflate, br", Origin: "https://elsewhere.example", ...headers });
}

async function firstFile(folder: string, pattern: RegExp): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  const found = names.sort().find((name) => pattern.test(name));
  if (!found) throw new Error(`${folder} holds no file like ${pattern}`);
  return found;
}

for (const name of HOST_NAMES) {
  test.describe(`the recipe for ${name}`, () => {
    let host: RunningHost | undefined;
    let home: string;
    test.beforeAll(async () => {
      host = await startRecipe(name);
      home = host.url + host.path;
    });
    test.afterAll(() => host?.close());

    test("caches names with a hash permanently, and revalidates all others", async () => {
      const assets = await firstFile(`${PAGE_FOLDER}/assets`, /^page-.*\.js$/);
      const partition = await firstFile(DATASET_FOLDER, /place\/country=.*\.parquet$/);
      for (const path of [`assets/${assets}`, `dataset/${partition}`]) {
        const { status, headers } = await askAsBrowser(home + path);
        expect([status, headers["cache-control"]], path).toEqual([200, IMMUTABLE]);
      }
      for (const path of ["", "index.html", "service-worker.js", "embed/cairn.js", "dataset/manifest.json"]) {
        const { status, headers } = await askAsBrowser(home + path);
        expect([status, headers["cache-control"]], path).toEqual([200, "no-cache"]);
        const again = await askAsBrowser(home + path, { "If-None-Match": String(headers.etag) });
        expect(again.status, `${path} again`).toBe(304);
      }
    });

    test("sends media types, allows every origin, and compresses only text", async () => {
      const partition = await firstFile(DATASET_FOLDER, /place\/country=.*\.parquet$/);
      const content = await readFile(`${DATASET_FOLDER}/${partition}`);
      const parquet = await askAsBrowser(`${home}dataset/${partition}`);
      expect(parquet.headers["content-type"]).toBe("application/vnd.apache.parquet");
      expect(parquet.headers["content-encoding"]).toBeUndefined();
      expect(parquet.body.length).toBe(content.length);
      const wasm = await askAsBrowser(
        `${home}assets/${await firstFile(`${PAGE_FOLDER}/assets`, /^duckdb-.*\.wasm\.z$/)}`,
      );
      expect(wasm.headers["content-encoding"]).toBeUndefined();
      const script = await askAsBrowser(`${home}service-worker.js`);
      expect(script.headers["content-type"]).toMatch(/^(text|application)\/javascript/);
      expect(script.headers["content-encoding"]).toBe("gzip");
      const manifest = await askAsBrowser(`${home}dataset/manifest.json`);
      expect(manifest.headers["content-type"]).toMatch(/^application\/json/);
      for (const { headers } of [parquet, wasm, script, manifest]) {
        expect(headers["access-control-allow-origin"]).toBe("*");
      }
    });

    test("serves ranges of packs unchanged, to every origin", async () => {
      for (const pattern of [/place\/_records\/.*\.pack$/, /place\/country=.*\.parquet$/]) {
        const pack = await firstFile(DATASET_FOLDER, pattern);
        const content = await readFile(`${DATASET_FOLDER}/${pack}`);
        const { status, headers, body } = await askAsBrowser(`${home}dataset/${pack}`, { Range: "bytes=100-2147" });
        expect([status, headers["content-range"]]).toEqual([206, `bytes 100-2147/${content.length}`]);
        expect([headers["content-encoding"], headers["cache-control"]]).toEqual([undefined, IMMUTABLE]);
        expect(headers["access-control-expose-headers"]).toContain("Content-Range");
        expect(body.equals(content.subarray(100, 2148))).toBe(true);
        const all = await askAsBrowser(`${home}dataset/${pack}`);
        expect([all.headers["content-encoding"], all.body.equals(content)]).toEqual([undefined, true]);
        const beyond = await askAsBrowser(`${home}dataset/${pack}`, { Range: `bytes=${content.length}-` });
        expect(beyond.status).toBe(416);
      }
      const records = await firstFile(DATASET_FOLDER, /place\/_records\/.*\.pack$/);
      expect((await askAsBrowser(`${home}dataset/${records}`)).headers["content-type"]).toBe(
        "application/octet-stream",
      );
    });

    test("sends the policy with every file, and both workers obey it", async ({ browser }) => {
      const worker = `assets/${await firstFile(`${PAGE_FOLDER}/assets`, /^page-worker-.*\.js$/)}`;
      for (const path of ["", "docs/", "service-worker.js", worker, "nothing", "dataset/manifest.json"]) {
        const { headers } = await ask(home + path);
        const policy = path.startsWith("dataset/") ? DATASET_POLICY : contentSecurityPolicy("site");
        expect([headers["content-security-policy"], headers["x-content-type-options"]], path).toEqual([
          policy,
          "nosniff",
        ]);
      }
      const outside = await startOutsideServer();
      try {
        expect(await outsideRequests(browser, home, outside.url)).toEqual({ page: [], service: [] });
        expect(outside.connections()).toBe(0);
      } finally {
        await outside.close();
      }
    });

    test("serves a page that searches, and REST addresses by its service worker", async ({ page }) => {
      await page.goto(`${home}#/places?lat=43.7347&lng=7.4206&radius=300`);
      await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
      await serviceWorkerReady(page);
      const status = await page.evaluate(async () => (await fetch("places?country=MC&limit=1")).status);
      expect(status).toBe(200);
    });

    test("passes the doctor", async () => {
      const { looked, findings } = await diagnose(new URL(home));
      expect(looked).toHaveLength(2);
      expect(findings).toEqual([]);
    });

    test("answers 404 for missing files, cached only briefly", async () => {
      for (const path of ["nothing", "assets/page-00000000.js", "dataset/place/0000000000000000.parquet"]) {
        const { status, headers } = await askAsBrowser(home + path);
        expect(status, path).toBe(404);
        expect(headers["cache-control"] ?? "", path).not.toContain("max-age");
        expect(headers["access-control-allow-origin"], path).toBe("*");
      }
    });
  });
}
