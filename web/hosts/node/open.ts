import { openTableFile } from "../../../data/parquet/index.ts";
import { type ByteSource, type Dataset, openDataset, tablePlanner } from "../../engine/index.ts";
import { importCategoryWords, importIntentWords } from "../category-words/index.ts";
import { httpSource } from "../http/index.ts";
import { folderSource } from "./folder-source.ts";
import { decodeParquet } from "./parquet.ts";

/** Age of the manifest at which a search looks for a new release, in milliseconds: a server runs for months. */
const MANIFEST_MAX_AGE_MS = 60_000;

interface NodeDatasetOptions {
  readonly name?: string;
  readonly cacheBytes?: number | undefined;
}

/** Returns the files of a dataset in a folder, or below an `http:` or `https:` URL. */
export function openSource(location: string, name = location): ByteSource {
  return /^https?:\/\//.test(location) ? httpSource(location, { name }) : folderSource(location, name);
}

/**
 * Opens the dataset in a folder, or below an `http:` or `https:` URL. Reads nothing before the first search. A search looks for a
 * new release if the last look is more than a minute ago.
 */
export function openNodeDataset(location: string, { name = location, cacheBytes }: NodeDatasetOptions = {}): Dataset {
  return openDataset({
    source: openSource(location, name),
    decode: decodeParquet,
    planTable: tablePlanner(openTableFile),
    categoryWords: importCategoryWords,
    intentWords: importIntentWords,
    manifestMaxAgeMs: MANIFEST_MAX_AGE_MS,
    ...(cacheBytes === undefined ? {} : { cacheBytes }),
  });
}
