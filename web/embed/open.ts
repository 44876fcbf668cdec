/**
 * `cairn` for browsers: pages and workers of any origin.
 * @module
 */
import { parquetWasm } from "virtual:shipped-files";
import { createMemo, type DecodeParquet, openDataset } from "../engine/index.ts";
import { keepDataset } from "../hosts/browser/storage/index.ts";
import { loadParquetReader } from "../hosts/browser/wasm/index.ts";
import { httpSource } from "../hosts/http/index.ts";
import { createCairn } from "./cairn.ts";
import { requireDigest } from "./secure.ts";
import type { Cairn, OpenOptions } from "./types.ts";

export interface BrowserOpenOptions extends OpenOptions {
  /** URL of the built site's folder, whose `assets/` hold the Parquet reader; the one this module came from when left out. */
  readonly site?: string | URL;
}

// Kept from the bundler, which would take a literal for a file to copy.
const here: string = import.meta.url;
const readers = createMemo<DecodeParquet>();

/**
 * Opens the dataset whose `manifest.json` is below the URL, relative to the page. Throws `ManifestError` when there is none,
 * `FetchError` when the host cannot be reached or does not let other origins read (CORS).
 */
export async function open(url: string | URL, options: BrowserOpenOptions = {}): Promise<Cairn> {
  requireDigest();
  const { signal, cacheBytes } = options;
  const base = folderOf(new URL(url, globalThis.location.href));
  const site = folderOf(new URL(options.site ?? "..", options.site ? globalThis.location.href : here));
  const load = () => readers.get(site.href, () => loadParquetReader({ base: site }));
  const dataset = openDataset({
    source: keepDataset(base, (options) => httpSource(base.href, options)).source,
    decode: async (bytes) => (await load())(bytes),
    decodeBytes: () => (readers.peek(site.href) ? 0 : parquetWasm.bytes),
    executor: "scan",
    ...(cacheBytes === undefined ? {} : { cacheBytes }),
  });
  await dataset.manifest(signal);
  return createCairn({ location: base.href, dataset });
}

function folderOf(url: URL): URL {
  return url.pathname.endsWith("/") ? url : new URL(`${url.pathname}/`, url);
}
