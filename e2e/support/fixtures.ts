/**
 * Fixtures of page tests: a static host that sends the policy, and a page that cannot reach other hosts.
 * CAIRN_E2E_HOST replaces the host by nginx or Apache with their documented recipes.
 * @module
 */
import { test as base, expect } from "@playwright/test";
import { contentSecurityPolicy } from "../../web/hosts/http/policy.ts";
import { startCountingProxy } from "../hosting/counting-proxy.ts";
import { HOST_NAMES, type RunningHost, startRecipe } from "../hosting/recipes.ts";
import { DATASET_FOLDER, PAGE_FOLDER } from "./folders.ts";
import { type StaticServer, startStaticServer } from "./static-server.ts";

interface Fixtures {
  /** Serves the page below `/maps/`, except with Apache, so that every test covers a path prefix. */
  readonly host: StaticServer;
  /** The page's address, ending in `/`. */
  readonly home: string;
}

export interface FixtureOptions {
  /** True if the browser requests data saving: then searches do not use DuckDB. */
  readonly savesData: boolean;
  /** False: a browser without service workers, as with a plain HTTP address on a local network. */
  readonly hasServiceWorker: boolean;
  /** False: a browser that cannot draw the map. */
  readonly hasMap: boolean;
}

interface WorkerFixtures {
  /** The host of CAIRN_E2E_HOST. */
  readonly recipe: RunningHost | undefined;
}

export const test = base.extend<Fixtures & FixtureOptions, WorkerFixtures>({
  savesData: [false, { option: true }],
  hasServiceWorker: [true, { option: true }],
  hasMap: [true, { option: true }],
  recipe: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const name = process.env.CAIRN_E2E_HOST;
      const known = HOST_NAMES.find((host) => host === name);
      if (name && !known) throw new Error(`CAIRN_E2E_HOST must be one of ${HOST_NAMES.join(", ")}, got ${name}`);
      const recipe = known && (await startRecipe(known));
      await use(recipe);
      await recipe?.close();
    },
    { scope: "worker" },
  ],
  host: async ({ recipe }, use) => {
    const host = recipe
      ? await startCountingProxy(recipe.url)
      : await startStaticServer({
          folders: { "/maps/": PAGE_FOLDER, "/maps/dataset/": DATASET_FOLDER },
          headers: { "Content-Security-Policy": contentSecurityPolicy("site") },
        });
    await use(host);
    await host.close();
  },
  home: async ({ host, recipe }, use) => {
    await use(host.url + (recipe ? recipe.path : "maps/"));
  },
  page: async ({ page, context, host, savesData, hasServiceWorker, hasMap }, use) => {
    if (!hasMap) await context.addInitScript(refuseWebGl);
    if (!hasServiceWorker) {
      await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "serviceWorker"));
    }
    if (savesData) {
      await context.addInitScript(() =>
        Object.defineProperty(Reflect.get(navigator, "connection"), "saveData", { value: true }),
      );
    }
    const outside: string[] = [];
    const faults: string[] = [];
    context.on("request", (request) => {
      const url = new URL(request.url());
      if (["http:", "https:", "ws:", "wss:"].includes(url.protocol) && url.origin !== new URL(host.url).origin) {
        outside.push(request.url());
      }
    });
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (/Content Security Policy|Trusted/.test(message.text())) faults.push(message.text());
    });
    await use(page);
    expect(outside, "requests to other origins").toEqual([]);
    expect(faults, "uncaught errors").toEqual([]);
  },
});

/** Runs in a page before its scripts: disables WebGL2, so there is no map. */
export function refuseWebGl(): void {
  const { getContext } = HTMLCanvasElement.prototype;
  Object.assign(HTMLCanvasElement.prototype, {
    getContext(this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
      return kind === "webgl2" ? null : Reflect.apply(getContext, this, [kind, ...rest]);
    },
  });
}

export { expect };
