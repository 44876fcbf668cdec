import type { Stats } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { matchesTag } from "../../api/index.ts";
import {
  allowedRelease,
  contentSecurityPolicy,
  DATASET_POLICY,
  datasetElsewhere,
  IMMUTABLE,
  isNamedByHash,
  mediaTypeOf,
  REVALIDATE,
} from "../http/index.ts";

interface FilesOptions {
  readonly folder: string;
  readonly mount: string;
  readonly isImmutable: (path: string) => boolean;
}

function files({ folder, mount, isImmutable }: FilesOptions): Hono {
  const serve = serveStatic({ root: folder, rewriteRequestPath: (path) => path.slice(mount.length) });
  const app = new Hono();
  app.get("*", async (c, next) => {
    const path = c.req.path.slice(mount.length);
    const file = await findFile(folder, path);
    if (!file) return next();
    const caching = { ETag: tagOf(file), "Cache-Control": isImmutable(path) ? IMMUTABLE : REVALIDATE };
    if (matchesTag(c.req.header("If-None-Match"), caching.ETag)) return c.body(null, 304, caching);
    // the library ignores If-Range, and accepts invalid ranges
    const isOfThis = (c.req.header("If-Range") ?? caching.ETag) === caching.ETag;
    if (!isOfThis || !isRange(c.req.header("Range"))) c.req.raw = withoutRange(c.req.raw);
    const found = await serve(c, next);
    if (!(found instanceof Response)) return found;
    const type = mediaTypeOf(path);
    if (type !== undefined) found.headers.set("Content-Type", type);
    const headers = found.ok ? caching : { "Cache-Control": "no-store" };
    for (const [name, value] of Object.entries(headers)) found.headers.set(name, value);
    found.headers.set("X-Content-Type-Options", "nosniff");
    found.headers.set("Accept-Ranges", "bytes");
    return found;
  });
  return app;
}

/** Paths with a name that begins with a dot, except `.well-known`. They are not served. */
const HIDDEN = /(^|\/)\.(?!well-known(\/|$))/;

/** Returns the file if it may be served, and if it is in the folder after links are resolved; otherwise undefined. */
async function findFile(folder: string, path: string): Promise<Stats | undefined> {
  // the library would decode such names: no served file needs them
  if (/[%\\\0]/.test(path) || HIDDEN.test(path)) return;
  try {
    const found = await realpath(join(folder, path));
    const file = (await stat(found)).isDirectory() ? await realpath(join(found, "index.html")) : found;
    if (!file.startsWith(`${await realpath(folder)}${sep}`)) return;
    const stats = await stat(file);
    return stats.isFile() ? stats : undefined;
  } catch {
    return;
  }
}

function tagOf({ mtimeMs, size }: Stats): string {
  return `"${Math.round(mtimeMs).toString(36)}-${size.toString(36)}"`;
}

/**
 * Whether the header asks for a single range. Any other may be answered with the whole file. @see
 * https://www.rfc-editor.org/rfc/rfc9110#name-range
 */
function isRange(header: string | undefined): boolean {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  return first === "" ? last !== "" : last === "" || Number(first) <= Number(last);
}

function withoutRange(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("Range");
  return new Request(request, { headers });
}

/**
 * Returns routes that serve the dataset's files below `/dataset/`. Browsers keep files that are named by their hash for ever, and
 * ask for others each time.
 */
export function datasetFiles(folder: string): Hono {
  const app = new Hono();
  // Foreign data is served from the page's origin: no file in the folder may run as a page.
  app.use("*", async (c, next) => {
    await next();
    c.header("Content-Security-Policy", DATASET_POLICY);
    // otherwise pages of other origins cannot read it
    c.header("Access-Control-Expose-Headers", "Content-Range", { append: true });
  });
  app.route("/", files({ folder, mount: "/dataset", isImmutable: isNamedByHash }));
  return app;
}

/**
 * Returns routes that serve the built page. Files in `assets/` and `embed/assets/` are named by their hash. All have the site's
 * policy, because each worker script needs it. Throws if the folder has no `index.html`.
 */
export async function pageFiles(folder: string): Promise<Hono> {
  const index = await readFile(join(folder, "index.html"), "utf8");
  const policy = contentSecurityPolicy("site", datasetElsewhere(index), allowedRelease(index));
  const app = new Hono();
  app.use("*", async (c, next) => {
    await next();
    c.header("Content-Security-Policy", policy);
  });
  app.route("/", files({ folder, mount: "", isImmutable: (path) => /^\/(embed\/)?assets\//.test(path) }));
  return app;
}

/** Returns whether the folder has an `index.html`. */
export async function holdsPage(folder: string): Promise<boolean> {
  return (await stat(join(folder, "index.html")).catch(() => undefined))?.isFile() ?? false;
}
