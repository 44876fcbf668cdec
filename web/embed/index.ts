/**
 * The ES module `cairn`, for browsers.
 * @module
 */
export { type BrowserOpenOptions, open } from "./open.ts";
export { type RegisterOptions, type Registration, register } from "./register.ts";
export { RequestError } from "./request-error.ts";
export type {
  Cairn,
  DatasetDescription,
  Feature,
  Iterate,
  OpenOptions,
  PathName,
  Properties,
  SearchPage,
  SearchParameters,
} from "./types.ts";
