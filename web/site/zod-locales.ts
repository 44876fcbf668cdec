/**
 * Leaves translations of Zod's messages out of our builds: about 250 KB that no program of ours shows.
 * @module
 */
import type { Plugin } from "vite";

/** Keeps English, which Zod uses without settings. */
export function zodLocales(): Plugin {
  return {
    name: "cairn:zod-locales",
    load: (id) =>
      /\/node_modules\/zod\/v4\/locales\/index\.js$/.test(id)
        ? { code: `export { default as en } from "./en.js";`, moduleType: "js" }
        : undefined,
  };
}
