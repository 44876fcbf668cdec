import { openTableFile } from "../../../data/parquet/index.ts";
import { type ByteSource, type Dataset, openDataset, tablePlanner, textGroups } from "../../engine/index.ts";
import { importCategoryWords, importIntentWords } from "../category-words/index.ts";
import { httpSource } from "../http/index.ts";
import { folderSource } from "./folder-source.ts";
import { decodeParquet } from "./parquet.ts";

/** A server runs for months: it checks for a new release at this interval. */
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
 * new release if the last look is a minute old.
 */
export function openNodeDataset(location: string, { name = location, cacheBytes }: NodeDatasetOptions = {}): Dataset {
  return openDataset({
    source: openSource(location, name),
    decode: decodeParquet,
    planTable: tablePlanner(openTableFile),
    textGroups,
    categoryWords: importCategoryWords,
    intentWords: importIntentWords,
    manifestMaxAgeMs: MANIFEST_MAX_AGE_MS,
    ...(cacheBytes === undefined ? {} : { cacheBytes }),
  });
}
