/**
 * Static files as a host should serve them: a dataset and the page.
 * @module
 */
import { realpath, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { cors } from "hono/cors";

const IMMUTABLE = "public, max-age=31536000, immutable, no-transform";
const REVALIDATE = "no-cache";

/** Types that the library does not know. */
const MIMES: Readonly<Record<string, string>> = {
  ".parquet": "application/vnd.apache.parquet",
  ".geojson": "application/geo+json",
  ".webmanifest": "application/manifest+json",
};

interface FilesOptions {
  readonly folder: string;
  /** Part of the request's path before the file's. */
  readonly mount: string;
  /** Whether the file at this path never changes. */
  readonly isImmutable: (path: string) => boolean;
}

function files({ folder, mount, isImmutable }: FilesOptions): Hono {
  const serve = serveStatic({ root: folder, rewriteRequestPath: (path) => path.slice(mount.length) });
  const app = new Hono();
  app.use("*", async (c, next) => {
    if (!(await liesWithin(folder, c.req.path.slice(mount.length)))) return next();
    const found = await serve(c, next);
    if (!(found instanceof Response)) return found;
    const type = MIMES[extname(c.req.path)];
    if (type !== undefined) found.headers.set("Content-Type", type);
    found.headers.set("Cache-Control", isImmutable(c.req.path) ? IMMUTABLE : REVALIDATE);
    found.headers.set("X-Content-Type-Options", "nosniff");
    return found;
  });
  return app;
}

/** Whether there is such a file, and it lies in the folder when links are followed. */
async function liesWithin(folder: string, path: string): Promise<boolean> {
  // decoded names are the library's to refuse: no file that is served needs one
  if (/[%\\\0]/.test(path)) return false;
  try {
    const found = await realpath(join(folder, path));
    const file = (await stat(found)).isDirectory() ? await realpath(join(found, "index.html")) : found;
    return file.startsWith(`${await realpath(folder)}${sep}`);
  } catch {
    return false;
  }
}

/** The dataset's files below `/dataset`, readable by pages of any origin. Names with a hash never change; the manifest does. */
export function datasetFiles(folder: string): Hono {
  const app = new Hono();
  app.use("*", cors({ origin: "*", allowMethods: ["GET", "HEAD"] }));
  // Data that others made stands on the page's own origin: whatever is in the folder, it is no page and runs nothing.
  app.use("*", async (c, next) => {
    await next();
    c.header("Content-Security-Policy", "default-src 'none'; sandbox");
  });
  const isImmutable = (path: string) => /[0-9a-f]{16}\.(parquet|json)$/.test(path);
  app.route("/", files({ folder, mount: "/dataset", isImmutable }));
  return app;
}

/** The built page. Files under `assets/` carry a hash in their names. */
export function pageFiles(folder: string): Hono {
  return files({ folder, mount: "", isImmutable: (path) => path.includes("/assets/") });
}

/** Whether the folder holds a built page. */
export async function holdsPage(folder: string): Promise<boolean> {
  return (await stat(join(folder, "index.html")).catch(() => undefined))?.isFile() ?? false;
}
