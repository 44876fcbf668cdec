/**
 * The ES module `cairn`, for Node.
 * @module
 */
import { setMaxListeners } from "node:events";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openTableFile } from "../../../data/parquet/index.ts";
import { openDataset, tablePlanner } from "../../engine/index.ts";
import { openPin, pinnedSource } from "../../hosts/browser/pin/index.ts";
import { importCategoryWords, importIntentWords } from "../../hosts/category-words/index.ts";
import { openSource } from "../../hosts/node/open.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { createCairn } from "../cairn.ts";
import type { Cairn, OpenOptions } from "../types.ts";

export * from "../public.ts";

/**
 * Opens the dataset in a folder, or below an `http:` or `https:` URL. A string is a path or such a URL; a `file:` URL must be a
 * `URL` object. Throws errors with these names: `ManifestError` if there is no valid `manifest.json`, `FetchError` if it cannot
 * be read, and `SignatureError` if no key of `key` signed it.
 */
export async function open(location: string | URL, { signal, cacheBytes, key }: OpenOptions = {}): Promise<Cairn> {
  const folder = location instanceof URL && location.protocol === "file:" ? fileURLToPath(location) : String(location);
  const source = openSource(folder);
  // Node has no IndexedDB: the sequence is remembered as long as the program runs
  const pin = key === undefined ? undefined : openPin(pathToFileURL(folder), key);
  const dataset = openDataset({
    source: pin ? pinnedSource(source, async () => pin) : source,
    decode: decodeParquet,
    planTable: tablePlanner(openTableFile),
    categoryWords: importCategoryWords,
    intentWords: importIntentWords,
    ...(cacheBytes === undefined ? {} : { cacheBytes }),
  });
  await dataset.manifest(signal);
  // a search reads many files in parallel, and each listens for the abort
  return createCairn({ location: folder, dataset, prepare: (request) => setMaxListeners(0, request.signal) });
}
