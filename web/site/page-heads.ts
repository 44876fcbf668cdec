/**
 * What the build writes into pages: scripts that run without waiting for styles and the script of the page, one
 * that draws land and one that starts the engine, and the policy, so that it applies on every host.
 * @module
 */
import type { Plugin, Rollup } from "vite";
import { contentSecurityPolicy, datasetElsewhere } from "../hosts/http/index.ts";

interface EarlyStart {
  readonly page: Plugin;
  readonly worker: Plugin;
}

/**
 * Returns a plugin for the build of the page and one for the builds of workers. `page` is the path of the page below the root.
 * `paint` and `start` are names of scripts: the one that draws what the first paint shows, and the one that starts the worker.
 * The worker's scripts load in parallel with those of the page.
 */
export function earlyStart({
  page,
  paint,
  start,
  worker,
}: Readonly<Record<"page" | "paint" | "start" | "worker", string>>): EarlyStart {
  let workerScripts: readonly string[] = [];
  return {
    worker: {
      name: "cairn:worker-scripts",
      generateBundle(_, bundle) {
        const script = Object.values(bundle).find(
          (file) => file.type === "chunk" && file.isEntry && file.name === worker,
        );
        if (script) workerScripts = importedBy(script.fileName, bundle);
      },
    },
    page: {
      name: "cairn:early-start",
      apply: "build",
      transformIndexHtml: {
        order: "post",
        handler(_html, { path, bundle }) {
          if (path !== page) return [];
          const script = (entry: string) => {
            const found = Object.values(bundle ?? {}).find((file) => file.type === "chunk" && file.name === entry);
            if (!found) throw new Error(`the build has no script ${entry}, expected one for ${page}`);
            return { type: "module", async: true, crossorigin: true, src: `./${found.fileName}` };
          };
          if (workerScripts.length === 0)
            throw new Error(`the build has no worker ${worker}, expected one for ${page}`);
          return [
            // it draws into the body
            { tag: "script", attrs: { ...script(paint), fetchpriority: "high" }, injectTo: "body-prepend" },
            { tag: "script", attrs: script(start), injectTo: "head" },
            ...workerScripts.map((name) => ({
              tag: "link",
              attrs: { rel: "modulepreload", crossorigin: true, href: `./${name}` },
              injectTo: "head" as const,
            })),
          ];
        },
      },
    },
  };
}

/** Returns the script and all that it loads, as paths in the build. */
function importedBy(first: string, bundle: Rollup.OutputBundle): readonly string[] {
  const scripts = new Set([first]);
  // a set also iterates over entries added during the loop
  for (const name of scripts) {
    const file = bundle[name];
    if (file?.type === "chunk") for (const next of file.imports) scripts.add(next);
  }
  return [...scripts];
}

/** Returns a plugin that writes the content security policy into each built page. */
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
