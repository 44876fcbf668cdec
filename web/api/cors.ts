/**
 * Pages of every origin may ask, and read what is answered.
 * @module
 */
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { EXPOSED_HEADERS } from "./paging.ts";

/** The headers that say so, on answers of any status; it answers preflights itself. */
export function openToAllOrigins(): MiddlewareHandler {
  return cors({
    origin: "*",
    allowMethods: ["GET", "HEAD", "POST", "OPTIONS"],
    allowHeaders: ["x-api-key", "Content-Type", "If-None-Match", "Range", "Mcp-Protocol-Version"],
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
  });
}
