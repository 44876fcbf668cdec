/**
 * Builds the whole site: page, service worker, modules for other programs, files for hosts, and a dataset when one is given.
 * @module
 */
import { constants } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { build, type Plugin } from "vite";
import { type Manifest, parseManifest } from "../../data/format/manifest.ts";
import { headerRules, headersFile } from "./headers.ts";
import { limitFaults, type SiteFile } from "./host-limits.ts";
import { licencesText } from "./licences.ts";
import { buildNodeModule, writeDeclarations } from "./node-module.ts";

export interface SiteOptions {
  /** Folder of the site; what it holds is replaced. */
  readonly out: string;
  /** Folder of a dataset, copied into the site; or the URL of one elsewhere. The page looks beside itself when left out. */
  readonly dataset?: string | undefined;
}

export interface BuiltSite {
  readonly files: number;
  readonly bytes: number;
  /** Limits of common hosts that the site breaks, one line each. */
  readonly warnings: readonly string[];
}

const isUrl = (text: string) => /^https?:\/\//.test(text);

/** Builds page and modules, without what only a published site needs. */
export async function buildPage(out: string, plugins: readonly Plugin[] = []): Promise<void> {
  await build({ logLevel: "warn", build: { outDir: resolve(out) }, plugins: [...plugins] });
  await buildNodeModule(out);
}

/** Builds the site. Throws before it begins when the dataset cannot be had. */
export async function buildSite({ out, dataset }: SiteOptions): Promise<BuiltSite> {
  const manifest = dataset && !isUrl(dataset) ? await readManifest(dataset) : undefined;
  const elsewhere = dataset && isUrl(dataset) ? dataset.replace(/\/?$/, "/") : undefined;
  await buildPage(out, elsewhere ? [datasetElsewhere(elsewhere)] : []);
  if (elsewhere) await tellServiceWorker(out, elsewhere);
  await writeDeclarations(out);
  if (dataset && manifest) await copyDataset(dataset, join(out, "dataset"));
  const rules = headerRules(Object.keys(manifest?.collections ?? {}), elsewhere);
  await writeFile(join(out, "_headers"), headersFile(rules));
  await writeFile(join(out, "licences.txt"), await licencesText());
  // GitHub Pages would leave out folders that begin with `_`: the dataset has some.
  await writeFile(join(out, ".nojekyll"), "");
  const files = await listFiles(out);
  return {
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    warnings: limitFaults(files),
  };
}

/** Writes the service worker that removes itself, for a site that is taken down; what else `out` holds stays. */
export async function buildRetiredWorker({ out, dataset }: SiteOptions): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    // left to whoever takes a library up, and nobody takes this up
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      outDir: resolve(out),
      emptyOutDir: false,
      copyPublicDir: false,
      target: "es2022",
      lib: {
        entry: "web/hosts/browser/workers/retired-worker.ts",
        formats: ["iife"],
        name: "retired",
        fileName: () => "service-worker.js",
      },
    },
  });
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

async function readManifest(dataset: string): Promise<Manifest> {
  const text = await readFile(join(dataset, "manifest.json"), "utf8").catch((cause: unknown) => {
    throw new Error(`${dataset} is not a dataset: it has no manifest.json`, { cause });
  });
  return parseManifest(JSON.parse(text));
}

/** Copies all but names that begin with a dot, sharing the disk's blocks where it can. */
async function copyDataset(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  for (const { path } of await listFiles(from)) {
    if (path.split("/").some((name) => name.startsWith("."))) continue;
    await mkdir(dirname(join(to, path)), { recursive: true });
    await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
  }
}

async function listFiles(folder: string): Promise<SiteFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.sort().map(async (path) => ({
      path: path.slice(join(folder, "/").length).replaceAll("\\", "/"),
      bytes: (await stat(path)).size,
    })),
  );
}
