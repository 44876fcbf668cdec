/**
 * Builds the whole site: page, service worker, modules for other programs, files for hosts, and a dataset when one is given.
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build, type Plugin } from "vite";
import { buildEmbedModules } from "./embed-modules.ts";
import { type BuiltSite, finishSite, readManifest } from "./finish-site.ts";
import { buildEdgeModule, buildLibrary } from "./library.ts";
import { licencesText } from "./licences.ts";
import { buildNodeModule, writeDeclarations } from "./node-module.ts";

export interface SiteOptions {
  /** Folder of the site; what it holds is replaced. */
  readonly out: string;
  /** Folder of a dataset, copied into the site; or the URL of one elsewhere. The page looks beside itself when left out. */
  readonly dataset?: string | undefined;
  /** Address of a release's catalogue, of which readers may fetch areas. */
  readonly release?: string | undefined;
}

const isUrl = (text: string) => /^https?:\/\//.test(text);

/** Builds page and modules, without what only a published site needs. */
export async function buildPage(out: string, plugins: readonly Plugin[] = []): Promise<void> {
  await build({ logLevel: "warn", build: { outDir: resolve(out) }, plugins: [...plugins] });
  await buildEmbedModules(out);
  await buildNodeModule(out);
  await buildEdgeModule(out);
}

/** Builds the site. Throws before it begins when the dataset cannot be had. */
export async function buildSite({ out, dataset, release }: SiteOptions): Promise<BuiltSite> {
  const manifest = dataset && !isUrl(dataset) ? await readManifest(dataset) : undefined;
  const elsewhere = dataset && isUrl(dataset) ? dataset.replace(/\/?$/, "/") : undefined;
  await buildPage(out, elsewhere ? [datasetElsewhere(elsewhere)] : []);
  if (elsewhere) await tellServiceWorker(out, elsewhere);
  await writeDeclarations(out);
  await writeFile(join(out, "licences.txt"), await licencesText());
  return finishSite({ out, dataset: manifest && dataset, manifest, elsewhere, release });
}

/** Writes the service worker that removes itself, for a site that is taken down; what else `out` holds stays. */
export async function buildRetiredWorker({ out, dataset }: SiteOptions): Promise<void> {
  const entry = "web/hosts/browser/workers/retired-worker.ts";
  await buildLibrary({ out, entry, format: "iife", fileName: "service-worker.js" });
  if (dataset && isUrl(dataset)) await tellServiceWorker(out, dataset.replace(/\/?$/, "/"));
}

/** Writes the dataset's address into the heads of the pages. */
function datasetElsewhere(url: string): Plugin {
  return {
    name: "cairn:dataset-elsewhere",
    transformIndexHtml: () => [
      { tag: "meta", attrs: { name: "cairn-dataset", content: url }, injectTo: "head-prepend" },
    ],
  };
}

/** Writes the dataset's address into the service worker, which starts without a page. */
async function tellServiceWorker(out: string, url: string): Promise<void> {
  const script = join(out, "service-worker.js");
  await writeFile(script, `self.cairnDataset=${JSON.stringify(url)};\n${await readFile(script, "utf8")}`);
}
