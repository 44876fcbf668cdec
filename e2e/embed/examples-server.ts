/**
 * Another site: the documented examples, with a copy of the built page's files.
 * @module
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { PAGE_FOLDER } from "../support/folders.ts";

const EXAMPLES = "docs/examples";
const PLACES: readonly (readonly [prefix: string, folder: string])[] = [
  ["/maplibre/", "node_modules/maplibre-gl/dist"],
  ["/leaflet/", "node_modules/leaflet/dist"],
  // A service worker answers for its own folder.
  ["/html/", PAGE_FOLDER],
  ["/", EXAMPLES],
  ["/", PAGE_FOLDER],
];
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
};
/** The embedded site's address in the examples. */
export const EXAMPLE_SITE = "https://maps.example/";

export interface ExamplesServer {
  /** Ends in `/`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the examples with `site` instead of the example address. */
export async function startExamples(site: string): Promise<ExamplesServer> {
  async function find(path: string): Promise<Buffer | string | undefined> {
    for (const [prefix, folder] of PLACES) {
      if (!path.startsWith(prefix)) continue;
      const body = await readFile(join(folder, path.slice(prefix.length))).catch(() => undefined);
      if (body) return folder === EXAMPLES ? body.toString().replaceAll(EXAMPLE_SITE, site) : body;
    }
    return undefined;
  }
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
    void find(path).then((body) => {
      const type = MEDIA_TYPES[extname(path)] ?? "application/octet-stream";
      response.writeHead(body === undefined ? 404 : 200, { "Content-Type": type }).end(body ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
