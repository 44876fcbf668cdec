import { type ByteSource, type Dataset, openDataset } from "../../engine/index.ts";
import { importCategoryWords } from "../category-words/index.ts";
import { httpSource } from "../http/index.ts";
import { folderSource } from "./folder-source.ts";
import { decodeParquet } from "./parquet.ts";

/** A server runs for months: it looks for a new release this often. */
const MANIFEST_MAX_AGE_MS = 60_000;

interface NodeDatasetOptions {
  readonly name?: string;
  readonly cacheBytes?: number | undefined;
}

/** The files of a dataset in a folder, or below an `http:` or `https:` URL. */
export function openSource(location: string, name = location): ByteSource {
  return /^https?:\/\//.test(location) ? httpSource(location, { name }) : folderSource(location, name);
}

/** Opens the dataset in a folder, or below an `http:` or `https:` URL. Nothing is read before the first search; a new release is taken up between searches. */
export function openNodeDataset(location: string, { name = location, cacheBytes }: NodeDatasetOptions = {}): Dataset {
  return openDataset({
    source: openSource(location, name),
    decode: decodeParquet,
    categoryWords: importCategoryWords,
    manifestMaxAgeMs: MANIFEST_MAX_AGE_MS,
    ...(cacheBytes === undefined ? {} : { cacheBytes }),
  });
}
