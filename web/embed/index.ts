/**
 * The ES module `cairn`, for browsers.
 * @module
 */

export { type BrowserOpenOptions, open } from "./open.ts";
export * from "./public.ts";
export { type RegisterOptions, type Registration, register } from "./register.ts";
