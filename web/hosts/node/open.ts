/**
 * A dataset opened by Node: from a folder or a URL, with native DuckDB.
 * @module
 */
import { type Dataset, openDataset } from "../../engine/index.ts";
import { httpSource } from "../http/http-source.ts";
import { createDuckdb } from "./duckdb-database.ts";
import { folderSource } from "./folder-source.ts";
import { decodeParquet } from "./parquet.ts";

/** Opens the dataset in a folder, or below an `http:` or `https:` URL. Nothing is read before the first search. */
export function openNodeDataset(location: string): Dataset {
  const source = /^https?:\/\//.test(location) ? httpSource(location) : folderSource(location);
  return openDataset({ source, decode: decodeParquet, database: createDuckdb });
}
