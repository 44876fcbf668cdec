/**
 * Static files as a host should serve them: a dataset and the page.
 * @module
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { cors } from "hono/cors";

const IMMUTABLE = "public, max-age=31536000, immutable, no-transform";
const REVALIDATE = "no-cache";

const MIMES = {
  parquet: "application/vnd.apache.parquet",
  geojson: "application/geo+json",
  webmanifest: "application/manifest+json",
  gz: "application/gzip",
};

/** The dataset's files, readable by pages of any origin. Names with a hash never change; the manifest does. */
export function datasetFiles(folder: string): Hono {
  const app = new Hono();
  app.use("*", cors({ origin: "*" }));
  app.use(
    "*",
    serveStatic({
      root: folder,
      rewriteRequestPath: (path) => path.replace(/^.*?\/dataset\//, "/"),
      mimes: MIMES,
      onFound: (path, c) =>
        c.header("Cache-Control", /[0-9a-f]{16}\.(parquet|json)$/.test(path) ? IMMUTABLE : REVALIDATE),
    }),
  );
  return app;
}

/** The built page. Files under `assets/` carry a hash in their names. */
export function pageFiles(folder: string): Hono {
  const app = new Hono();
  app.use(
    "*",
    serveStatic({
      root: folder,
      mimes: MIMES,
      onFound: (path, c) => c.header("Cache-Control", path.includes("/assets/") ? IMMUTABLE : REVALIDATE),
    }),
  );
  return app;
}

/** Whether the folder holds a built page. */
export async function holdsPage(folder: string): Promise<boolean> {
  return (await stat(join(folder, "index.html")).catch(() => undefined))?.isFile() ?? false;
}
