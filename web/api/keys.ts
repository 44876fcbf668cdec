/**
 * Who may ask: a key in the header `x-api-key`, or in the query as `api_key`.
 * @module
 */
import type { MiddlewareHandler } from "hono";
import { errorResponse } from "./errors.ts";

/** Whether the key is known. */
export type IsKnownKey = (key: string) => Promise<boolean> | boolean;

const MISSING =
  "x-api-key is missing: send the key in this header, or as api_key in the query; no link (Link header) carries it, so add it to each";

/** Refuses requests without a known key. Preflights carry none and pass. */
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
