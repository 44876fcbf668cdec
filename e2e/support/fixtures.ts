/**
 * What every page test stands on: a plain static host of its own, and a page that may talk to nobody else.
 * @module
 */
import { test as base, expect } from "@playwright/test";
import { DATASET_FOLDER, PAGE_FOLDER } from "./folders.ts";
import { type StaticServer, startStaticServer } from "./static-server.ts";

interface Fixtures {
  /** Serves the page at its base, `/maps/`, so that every test proves that the page works below a path. */
  readonly host: StaticServer;
  /** The page's address, ending in `/`. */
  readonly home: string;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  host: async ({}, use) => {
    const host = await startStaticServer({ folders: { "/maps/": PAGE_FOLDER, "/maps/dataset/": DATASET_FOLDER } });
    await use(host);
    await host.close();
  },
  home: async ({ host }, use) => {
    await use(`${host.url}maps/`);
  },
  page: async ({ page, context, host }, use) => {
    const strangers: string[] = [];
    const faults: string[] = [];
    context.on("request", (request) => {
      const url = new URL(request.url());
      if (["http:", "https:", "ws:", "wss:"].includes(url.protocol) && url.origin !== new URL(host.url).origin) {
        strangers.push(request.url());
      }
    });
    page.on("pageerror", (error) => faults.push(error.message));
    await use(page);
    expect(strangers, "requests to other origins").toEqual([]);
    expect(faults, "uncaught errors").toEqual([]);
  },
});

export { expect };
