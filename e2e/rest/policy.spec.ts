import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { startServer } from "../../web/hosts/node/server.ts";
import { refuseWebGl } from "../support/fixtures.ts";
import { DATASET_FOLDER, PAGE_FOLDER } from "../support/folders.ts";
import { outsideRequests, startOutsideServer, WAYS } from "../support/outside-requests.ts";
import { ask } from "../support/rest.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";
import { startStaticServer } from "../support/static-server.ts";

const POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/;

test("every built page has a policy; only the map page compiles code, and no page inlines scripts or styles", async () => {
  const names = (await readdir(PAGE_FOLDER, { recursive: true })).filter((name) => name.endsWith(".html"));
  const exceptions = await Promise.all(
    names.sort().map(async (name) => {
      const policy = POLICY.exec(await readFile(join(PAGE_FOLDER, name), "utf8"))?.[1] ?? "";
      expect(policy, name).toMatch(/^default-src (&#39;|')none(&#39;|')/);
      return [name, ...(policy.match(/(wasm-)?unsafe-[\w-]+/g) ?? [])];
    }),
  );
  expect(exceptions).toEqual([["404.html"], ["docs/index.html"], ["index.html", "wasm-unsafe-eval"]]);
});

test("the browser enforces the policy", async ({ browser }) => {
  const host = await startStaticServer({ folders: { "/": PAGE_FOLDER, "/dataset/": DATASET_FOLDER } });
  // Not the fixture's page, which reports each violation as an error.
  const page = await browser.newPage();
  try {
    await page.goto(host.url);
    const attempts = await page.evaluate(async () => {
      // Synchronous code belongs to the debugger, which may do more.
      await new Promise((resolve) => setTimeout(resolve));
      const refused = new Set<string>();
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => refused.add(effectiveDirective));
      const attempt = (work: () => unknown): string => {
        try {
          work();
          return "done";
        } catch (error) {
          return error instanceof Error ? error.name : String(error);
        }
      };
      const element = document.createElement("p");
      document.body.append(element);
      const style = document.createElement("style");
      style.textContent = "body { opacity: 0.5 }";
      document.head.append(style);
      const outcomes = {
        // biome-ignore lint/security/noGlobalEval: that it is refused is what is tested
        text: attempt(() => globalThis.eval("1 + 1")),
        function: attempt(() => new Function("return 1")()),
        markup: attempt(() => {
          element.innerHTML = "<img src=x onerror='window.ran = 1'>";
        }),
        handler: attempt(() => element.setAttribute("onclick", "window.ran = 1")),
        worker: attempt(() => new Worker("data:text/javascript,1")),
        script: attempt(() => {
          document.createElement("script").src = "https://example.com/a.js";
        }),
        wasm: attempt(() => new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))),
        fetch: await fetch("https://example.com/").then(
          () => "done",
          (error: Error) => error.name,
        ),
        image: await new Promise((resolve) => {
          const image = new Image();
          image.onload = () => resolve("done");
          image.onerror = () => resolve("error");
          image.src = "https://example.com/a.png";
        }),
        style: getComputedStyle(document.body).opacity,
      };
      await new Promise((resolve) => setTimeout(resolve));
      return { outcomes, refused: [...refused].sort(), ran: "ran" in window, children: element.childElementCount };
    });
    expect(attempts).toEqual({
      outcomes: {
        text: "EvalError",
        function: "EvalError",
        markup: "TypeError",
        handler: "TypeError",
        worker: "TypeError",
        script: "TypeError",
        wasm: "done",
        fetch: "TypeError",
        image: "error",
        style: "1",
      },
      refused: ["connect-src", "img-src", "require-trusted-types-for", "style-src-elem"],
      ran: false,
      children: 0,
    });
  } finally {
    await page.close();
    await host.close();
  }
});

test("both workers are restricted by a host that sends the policy, and not by one that does not", async ({
  browser,
}) => {
  const outside = await startOutsideServer();
  const sends = await startServer({ dataset: DATASET_FOLDER, page: PAGE_FOLDER, port: 0 });
  const sendsNot = await startStaticServer({ folders: { "/": PAGE_FOLDER, "/dataset/": DATASET_FOLDER } });
  try {
    expect(await outsideRequests(browser, sends.url, outside.url)).toEqual({ page: [], service: [] });
    expect(outside.connections()).toBe(0);
    // The gaps of such hosts, as in docs/explanation/security.md. Browsers restrict service workers more.
    expect(await outsideRequests(browser, sendsNot.url, outside.url)).toEqual({
      page: WAYS.filter((way) => way !== "script" && way !== "socket" && way !== "events"),
      service: ["eval", "function", "fetch", "unseen"],
    });
    expect(outside.connections()).toBeGreaterThan(0);
  } finally {
    await sends.close();
    await sendsNot.close();
    await outside.close();
  }
});

test("a redirect to another origin is an error, and sends no request there", async ({ browser }) => {
  const outside = await startOutsideServer();
  // Without the policy, which would also stop it.
  const host = await startStaticServer({ folders: { "/": PAGE_FOLDER, "/dataset/": DATASET_FOLDER } });
  const context = await browser.newContext();
  await context.addInitScript(refuseWebGl);
  try {
    const page = await context.newPage();
    await page.goto(host.url);
    await serviceWorkerReady(page);
    await context.route(/\.(pack|parquet)$/, (route) =>
      route.fulfill({ status: 302, headers: { Location: outside.url } }),
    );
    const { status, body } = await ask(page, "places?lat=43.7347&lng=7.4206&radius=300");
    expect([status, body]).toEqual([503, expect.stringContaining(`it redirects outside ${new URL(host.url).origin}`)]);
    expect(outside.connections()).toBe(0);
  } finally {
    await context.close();
    await host.close();
    await outside.close();
  }
});
