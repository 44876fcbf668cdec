/**
 * The ES module `cairn`, for browsers: pages and workers of any origin.
 * @module
 */
import { openBrowserDataset } from "../hosts/browser/workers/open-dataset.ts";
import { createCairn } from "./cairn.ts";
import { loadEngineFile } from "./engine-files.ts";
import { requireDigest } from "./secure.ts";
import type { Cairn, OpenOptions } from "./types.ts";
import { categoryWords, intentWords } from "./words.ts";

export * from "./public.ts";

/**
 * Opens the dataset in the folder `url`, relative to the page or the worker's script. Throws errors with these names:
 * `ManifestError` if the folder has no valid `manifest.json`, `FetchError` if the host does not answer or forbids other origins
 * (CORS), and `SignatureError` if no key of `key` signed it. Throws `Error` without `crypto.subtle`, which only `https:` and
 * localhost have.
 */
export async function open(url: string | URL, { signal, cacheBytes, key }: OpenOptions = {}): Promise<Cairn> {
  requireDigest();
  const folder = folderOf(new URL(url, globalThis.location.href));
  const dataset = openBrowserDataset({
    folder,
    loadReader: () => loadEngineFile("reader"),
    categoryWords,
    intentWords,
    cacheBytes,
    key,
  });
  await dataset.manifest(signal);
  return createCairn({ location: folder.href, dataset });
}

function folderOf(url: URL): URL {
  return url.pathname.endsWith("/") ? url : new URL(`${url.pathname}/`, url);
}
