/**
 * What the build writes into the heads of pages: the script that starts the engine, which waits neither for styles nor for the page's
 * own script, and the policy, so that it holds on every host.
 * @module
 */
import type { Plugin } from "vite";
import { contentSecurityPolicy, datasetElsewhere } from "../hosts/http/index.ts";

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

/** Puts the policy into each built page. */
export function writePolicies(): Plugin {
  return {
    name: "cairn:content-security-policy",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { path }) {
        const content = contentSecurityPolicy(path.includes("docs/") ? "reference" : "page", datasetElsewhere(html));
        return [{ tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content }, injectTo: "head-prepend" }];
      },
    },
  };
}
