/**
 * Middleware of every route: cross-origin access, links in answers, keys.
 * @module
 */
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { EXPOSED_HEADERS } from "./answer.ts";
import { errorResponse } from "./errors.ts";

/** Returns the URL that the caller requested; undefined if the service cannot know it, as behind a proxy. */
export type AddressAsked = (request: Request) => string | undefined;

declare module "hono" {
  interface ContextVariableMap {
    /** Returns the link for a relative reference: absolute if the requested URL is known, otherwise relative to it. */
    linkTo: (reference: string) => string;
  }
}

/** Returns middleware that sets `linkTo` for handlers. `root` is the path of the base URL, as the router sees it. */
export function makeLinks(addressAsked: AddressAsked, root = "/"): MiddlewareHandler {
  return (c, next) => {
    const asked = addressAsked(c.req.raw);
    const isFolder = new URL(c.req.url).pathname.endsWith("/") && c.req.path !== root;
    c.set("linkTo", (reference) => {
      const written = isFolder ? fromFolder(reference) : reference;
      return asked === undefined ? written : new URL(written, asked).href;
    });
    return next();
  };
}

/** Rewrites a reference relative to `/path` so that it is relative to `/path/`. */
function fromFolder(reference: string): string {
  return reference.startsWith("?") ? reference : `../${reference.replace(/^\.(\/|$)/, "")}`;
}

/** Returns middleware that adds CORS headers for any origin to all answers, and answers preflights. */
export function openToAllOrigins(): MiddlewareHandler {
  return cors({
    origin: "*",
    allowMethods: ["GET", "HEAD", "POST", "OPTIONS"],
    allowHeaders: ["x-api-key", "Content-Type", "If-None-Match", "Range", "Mcp-Protocol-Version"],
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
  });
}

export type IsKnownKey = (key: string) => Promise<boolean> | boolean;

const MISSING =
  "x-api-key is missing: send the key in this header, or as api_key in the query; no link (Link header) carries it, so add it to each";

/** Returns middleware that answers 401 to requests without a known key. Preflights pass, because they have no key. */
export function requireKey(isKnownKey: IsKnownKey): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method === "OPTIONS") return next();
    const key = c.req.header("x-api-key") ?? c.req.query("api_key");
    if (key === undefined || key === "") {
      return errorResponse(401, [MISSING]);
    }
    if (!(await isKnownKey(key))) return errorResponse(401, ["x-api-key is not known"]);
    return next();
  };
}
