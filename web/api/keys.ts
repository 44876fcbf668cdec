/**
 * Who may ask: a key in the header `x-api-key`, or in the query as `api_key`.
 * @module
 */
import type { MiddlewareHandler } from "hono";
import { errorResponse } from "./errors.ts";

/** Whether the key is known. */
export type IsKnownKey = (key: string) => Promise<boolean> | boolean;

/** Refuses requests without a known key. Preflights carry none and pass. */
export function requireKey(isKnownKey: IsKnownKey): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method === "OPTIONS") return next();
    const key = c.req.header("x-api-key") ?? c.req.query("api_key");
    if (key === undefined || key === "") {
      return errorResponse(401, ["x-api-key is missing: every request carries a key in this header"]);
    }
    if (!(await isKnownKey(key))) return errorResponse(401, ["x-api-key is not known"]);
    return next();
  };
}
