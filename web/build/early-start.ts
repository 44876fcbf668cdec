/**
 * Puts the script that starts the engine into the page's head. It is asynchronous, so that it waits neither for styles nor
 * for the page's own script.
 * @module
 */
import type { Plugin } from "vite";

/** For the page at `page` (below the root), whose script is the entry of that name. */
export function earlyStart({ page, entry }: { readonly page: string; readonly entry: string }): Plugin {
  return {
    name: "cairn:early-start",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { path, bundle }) {
        if (path !== page) return [];
        const script = Object.values(bundle ?? {}).find(
          (file) => file.type === "chunk" && file.isEntry && file.name === entry,
        );
        if (!script) throw new Error(`the build has no entry ${entry}, expected one for ${page}`);
        const attrs = { type: "module", async: true, crossorigin: true, src: `./${script.fileName}` };
        return [{ tag: "script", attrs, injectTo: "head" }];
      },
    },
  };
}
