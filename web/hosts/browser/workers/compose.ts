/**
 * Connects the engine, the caches and the network for the page's dataset: for the page's worker and for the service worker.
 * @module
 */
import { parquetWasm } from "virtual:shipped-files";
import { MANIFEST_PATH } from "../../../../data/format/paths.ts";
import {
  type ByteSource,
  createMemo,
  type Dataset,
  type DatasetOptions,
  type DecodeParquet,
  openDataset,
} from "../../../engine/index.ts";
import { httpSource } from "../../http/index.ts";
import { categoryWordsOf, intentWordsOf } from "../category-words/index.ts";
import type { PartStatus, WorkerStatus } from "../protocol/index.ts";
import { memoryBudgetBytes } from "../protocol/index.ts";
import { type DatasetStorage, type NetworkOptions, openDatasetStorage, type Pin } from "../storage/index.ts";
import { loadParquetReader } from "../wasm/index.ts";
import { outageAware } from "./outage.ts";

interface ComposeOptions {
  readonly base: URL;
  /** URL of the dataset's folder, which ends in `/`. Default: `dataset/` in the folder of the page. */
  readonly dataset?: URL;
  /** Age of the manifest at which a search checks it again, in milliseconds. Default: never. */
  readonly manifestMaxAgeMs?: number;
  readonly onStatus?: (status: WorkerStatus) => void;
  /** Pinned keys of the dataset. */
  readonly pin?: (() => Promise<Pin>) | undefined;
  /** Plans to read column tables. Default: searches read records. */
  readonly planTable?: DatasetOptions["planTable"];
  /** Fetches files of the site. Default: `fetch`. */
  readonly fetchFile?: ((request: Request) => Promise<Response>) | undefined;
}

export interface BrowserHost {
  readonly dataset: Dataset;
  readonly kept: DatasetStorage;
  readonly decode: DecodeParquet;
  readonly loadReader: () => Promise<DecodeParquet>;
  readonly folder: URL;
  readonly categoryWords: ReturnType<typeof categoryWordsOf>;
}

/** Connects the engine, the caches and the network for the page's dataset. Requests the manifest at once. */
export function compose(options: ComposeOptions): BrowserHost {
  const { base, manifestMaxAgeMs, onStatus = () => {}, pin, planTable } = options;
  const folder = options.dataset ?? new URL("dataset/", base);
  const onBytes = countBytes((receivedBytes) => onStatus({ part: "data", receivedBytes }));
  const connect = (options: NetworkOptions): ByteSource => {
    return outageAware({
      patient: httpSource(folder.href, { ...options, onBytes }),
      hasty: httpSource(folder.href, { ...options, onBytes, retryDelaysMs: [] }),
      onAnswer: (answer) => onStatus({ part: "host", answer }),
    });
  };
  const kept = openDatasetStorage(folder, connect, { pin });
  const source = withManifestUnderWay(kept.source);

  const readers = createMemo<DecodeParquet>();
  const loadReader = () =>
    readers.get("reader", async () => {
      const totalBytes = parquetWasm.bytes;
      const report = (state: PartStatus["state"], receivedBytes: number) =>
        onStatus({ part: "reader", state, receivedBytes: Math.min(receivedBytes, totalBytes), totalBytes });
      const onProgress = (receivedBytes: number) => report("loading", receivedBytes);
      const reader = await loadParquetReader({ base, onProgress });
      report("ready", totalBytes);
      return reader;
    });
  // answers do not need it; it is loaded with the first rows of the primary copy
  const decode: DecodeParquet = async (bytes) => (await loadReader())(bytes);

  const categoryWords = categoryWordsOf(base, options.fetchFile);
  const dataset = openDataset({
    source,
    decode,
    planTable,
    decodeBytes: () => (readers.peek("reader") ? 0 : parquetWasm.bytes),
    keptManifests: kept.manifests,
    cacheBytes: memoryBudgetBytes(navigator),
    categoryWords,
    intentWords: intentWordsOf(base, options.fetchFile),
    ...(manifestMaxAgeMs === undefined ? {} : { manifestMaxAgeMs }),
  });
  return { dataset, kept, decode, loadReader, folder, categoryWords };
}

/** Interval of reports: short enough to show progress. */
const TELL_MS = 250;

/** Adds bytes up, and reports the sum at intervals. */
function countBytes(tell: (sum: number) => void): (bytes: number) => void {
  let sum = 0;
  let sentAtMs = Number.NEGATIVE_INFINITY;
  return (bytes) => {
    sum += bytes;
    if (performance.now() - sentAtMs < TELL_MS) return;
    sentAtMs = performance.now();
    tell(sum);
  };
}

/** Requests the manifest at once, so that it loads while the rest starts. The first read of the manifest gets this answer. */
function withManifestUnderWay(source: ByteSource): ByteSource {
  let early: Promise<Uint8Array> | undefined = source.read(MANIFEST_PATH, { fresh: true });
  early.catch(() => {});
  return {
    ...source,
    read(path, options) {
      const answer = path === MANIFEST_PATH ? early : undefined;
      if (answer) early = undefined;
      return answer ?? source.read(path, options);
    },
  };
}
