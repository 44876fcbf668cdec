import { type Dataset, openDataset } from "../../engine/index.ts";
import { httpSource } from "../http/index.ts";
import { folderSource } from "./folder-source.ts";
import { decodeParquet } from "./parquet.ts";

/** A server runs for months: it looks for a new release this often. */
const MANIFEST_MAX_AGE_MS = 60_000;

interface NodeDatasetOptions {
  readonly name?: string;
  readonly cacheBytes?: number | undefined;
}

/** Opens the dataset in a folder, or below an `http:` or `https:` URL. Nothing is read before the first search; a new release is taken up between searches. */
export function openNodeDataset(location: string, { name = location, cacheBytes }: NodeDatasetOptions = {}): Dataset {
  const source = /^https?:\/\//.test(location) ? httpSource(location, { name }) : folderSource(location, name);
  return openDataset({
    source,
    decode: decodeParquet,
    manifestMaxAgeMs: MANIFEST_MAX_AGE_MS,
    ...(cacheBytes === undefined ? {} : { cacheBytes }),
  });
}
