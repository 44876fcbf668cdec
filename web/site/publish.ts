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
  /** Folder of the site. Its content is replaced. */
  readonly out: string;
  /**
   * Folder of a dataset to copy into the site, or URL of an external one. Default: the page uses `dataset/` next to
   * it.
   */
  readonly dataset?: string | undefined;
  /** URL of a release's catalogue from which users may fetch areas. */
  readonly release?: string | undefined;
  /** Public keys, one of which must have signed the dataset. */
  readonly key?: string | undefined;
}

const isUrl = (text: string) => /^https?:\/\//.test(text);

/** Builds page and modules, without what only a published site needs. */
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

/** Builds the site. Throws before it starts when the manifest of a dataset in a folder cannot be read. A URL is not requested. */
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

/** Writes the service worker that removes itself, for a site that is taken down; other files in `out` stay. */
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
