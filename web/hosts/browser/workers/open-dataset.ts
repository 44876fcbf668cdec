/** Opens a dataset for programs that embed Cairn, in a page or a worker, without files of the site. @module */
import { parquetWasm } from "virtual:shipped-files";
import {
  createMemo,
  type Dataset,
  type DatasetOptions,
  type DecodeParquet,
  FetchError,
  openDataset,
} from "../../../engine/index.ts";
import { httpSource } from "../../http/index.ts";
import { loadPart } from "../parts/index.ts";
import { openPin } from "../pin/index.ts";
import { openDatasetStorage } from "../storage/index.ts";
import { startParquetReader } from "../wasm/index.ts";

interface OpenDatasetOptions {
  /** Folder of the dataset; ends in `/`. */
  readonly folder: URL;
  /** Loads the Parquet reader, a compressed WebAssembly module as base64. */
  readonly loadReader: () => Promise<string>;
  readonly categoryWords?: DatasetOptions["categoryWords"];
  readonly intentWords?: DatasetOptions["intentWords"];
  readonly cacheBytes?: number | undefined;
  /** Public keys. One of them must have signed the dataset. */
  readonly key?: string | readonly string[] | undefined;
}

/** The Parquet reader, one for all datasets of the program. */
const readers = createMemo<DecodeParquet>();

/** Opens the dataset in the folder. Reads nothing before the first call. Throws for an invalid key. */
export function openBrowserDataset({ folder, loadReader, cacheBytes, key, ...words }: OpenDatasetOptions): Dataset {
  const start = async () => {
    const content = await loadReader().catch((cause: unknown) => {
      // the engine answers from other files if it can
      throw new FetchError("the Parquet reader cannot be loaded", { path: parquetWasm.path, cause });
    });
    return startParquetReader(content);
  };
  const reader = () => readers.get("reader", start);
  const pin = key === undefined ? undefined : openPin(folder, key);
  return openDataset({
    source: openDatasetStorage(folder, (options) => httpSource(folder.href, options), { pin: pin && (async () => pin) })
      .source,
    decode: async (bytes) => (await reader())(bytes),
    decodeBytes: () => (readers.peek("reader") ? 0 : parquetWasm.bytes),
    planTable: async (...asked) => (await loadPart(() => import("./plan-table.ts"))).planTable(...asked),
    ...words,
    ...(cacheBytes === undefined ? {} : { cacheBytes }),
  });
}
