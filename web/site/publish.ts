/**
 * Builds the whole site: page, service worker, modules for other programs, files for hosts, and a dataset when one is
 * given.
 * @module
 */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build, type Plugin } from "vite";
import { buildEmbedModules } from "./embed-modules.ts";
import { type BuiltSite, finishSite, readManifest } from "./finish-site.ts";
import { buildEdgeModule, buildLibrary } from "./library.ts";
import { licencesText } from "./licences.ts";
import { buildNodeModule, writeDeclarations } from "./node-module.ts";
import { pinKeys, setWorkerOption } from "./pin-key.ts";
import { FAST_MODE, type PageLevel } from "./wasm.ts";

export interface SiteOptions {
  /** Folder of the site. Everything in it is replaced. */
  readonly out: string;
  /**
   * Folder of a dataset to copy into the site, or URL of an external one. Default: the page reads `dataset/` in its own folder.
   */
  readonly dataset?: string | undefined;
  /** URL of a release's catalogue from which users may fetch areas. */
  readonly release?: string | undefined;
  /** Public keys, one of which must have signed the dataset. */
  readonly key?: string | undefined;
}

const isUrl = (text: string) => /^https?:\/\//.test(text);

/**
 * Builds the page and the modules into `out`, without what only a published site needs. `level` is how well WebAssembly is
 * compressed.
 */
export async function buildPage(
  out: string,
  { level = "small", plugins = [] }: { readonly level?: PageLevel; readonly plugins?: readonly Plugin[] } = {},
): Promise<void> {
  const mode = level === "fast" ? { mode: FAST_MODE } : {};
  await build({ ...mode, logLevel: "warn", build: { outDir: resolve(out) }, plugins: [...plugins] });
  await buildEmbedModules(out, level);
  await buildNodeModule(out);
  await buildEdgeModule(out);
}

/** Builds the site. Throws before it starts if `dataset` is a folder whose manifest cannot be read. Does not request a URL. */
export async function buildSite({ out, dataset, release, key }: SiteOptions): Promise<BuiltSite> {
  const manifest = dataset && !isUrl(dataset) ? await readManifest(dataset) : undefined;
  const elsewhere = dataset && isUrl(dataset) ? dataset.replace(/\/?$/, "/") : undefined;
  await buildPage(out, elsewhere ? { plugins: [datasetElsewhere(elsewhere)] } : {});
  if (elsewhere) await setWorkerOption(out, "cairnDataset", elsewhere);
  if (key !== undefined) await pinKeys(out, key);
  await writeDeclarations(out);
  await writeFile(join(out, "licences.txt"), await licencesText());
  return finishSite({ out, dataset: manifest && dataset, manifest, elsewhere, release });
}

/** Writes a service worker that removes a site and itself, for a site that is taken down. Other files in `out` stay. */
export async function buildRetiredWorker({ out, dataset }: SiteOptions): Promise<void> {
  const entry = "web/hosts/browser/workers/retired-worker.ts";
  await buildLibrary({ out, entry, format: "iife", fileName: "service-worker.js" });
  if (dataset && isUrl(dataset)) await setWorkerOption(out, "cairnDataset", dataset.replace(/\/?$/, "/"));
}

function datasetElsewhere(url: string): Plugin {
  return {
    name: "cairn:dataset-elsewhere",
    transformIndexHtml: () => [
      { tag: "meta", attrs: { name: "cairn-dataset", content: url }, injectTo: "head-prepend" },
    ],
  };
}
