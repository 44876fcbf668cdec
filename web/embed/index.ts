/**
 * The ES module `cairn`, for browsers.
 * @module
 */

export { open } from "./open.ts";
export * from "./public.ts";
