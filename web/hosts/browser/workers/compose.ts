/** The composition root that page worker and service worker share: the engine over the page's dataset. @module */
import { duckdbWasm, parquetWasm } from "virtual:shipped-files";
import { MANIFEST_PATH } from "../../../../data/format/paths.ts";
import {
  type ByteSource,
  createMemo,
  type Database,
  type Dataset,
  type DecodeParquet,
  openDataset,
} from "../../../engine/index.ts";
import { httpSource } from "../../http/index.ts";
import { memoryBudgetBytes } from "../duckdb/memory-budget.ts";
import type { PartNews, WorkerNews } from "../protocol/index.ts";
import { type KeptDataset, keepDataset } from "../storage/index.ts";
import { loadParquetReader, type WasmFile, withWasm } from "../wasm/index.ts";
import { outageAware } from "./outage.ts";

export interface ComposeOptions {
  readonly base: URL;
  /** Ends in `/`; `dataset/` below the page's folder when left out. */
  readonly dataset?: URL;
  readonly database?: DatabaseOptions;
  /** Age at which a search has the manifest looked at again; never when left out. */
  readonly manifestMaxAgeMs?: number;
  readonly onNews?: (news: WorkerNews) => void;
}

interface DatabaseOptions {
  /** Settles when it may start loading, which takes bandwidth and memory. */
  readonly after: Promise<unknown>;
  /** Its bindings are a third of the program, and no first answer needs them. */
  readonly bindings: () => Promise<{ createDuckdb(options: { readonly wasm: Response }): Promise<Database> }>;
}

export interface BrowserHost {
  readonly dataset: Dataset;
  readonly kept: KeptDataset;
  readonly decode: DecodeParquet;
  readonly folder: URL;
}

export function compose(options: ComposeOptions): BrowserHost {
  const { base, database, manifestMaxAgeMs, onNews = () => {} } = options;
  const folder = options.dataset ?? new URL("dataset/", base);
  const onBytes = countBytes((receivedBytes) => onNews({ part: "data", receivedBytes }));
  const kept = keepDataset(folder, (options) => {
    return outageAware({
      patient: httpSource(folder.href, { ...options, onBytes }),
      hasty: httpSource(folder.href, { ...options, onBytes, retryDelaysMs: [] }),
      onAnswer: (answer) => onNews({ part: "host", answer }),
    });
  });
  const source = withManifestUnderWay(kept.source);

  const loading = (part: PartNews["part"], file: WasmFile) => {
    const report = (state: PartNews["state"], receivedBytes: number) =>
      onNews({ part, state, receivedBytes, totalBytes: file.bytes });
    const onProgress = (receivedBytes: number) => report("loading", Math.min(receivedBytes, file.bytes));
    return { onProgress, report };
  };

  const readers = createMemo<DecodeParquet>();
  const loadReader = () =>
    readers.get("reader", async () => {
      const { onProgress, report } = loading("reader", parquetWasm);
      const reader = await loadParquetReader({ base, onProgress });
      report("ready", parquetWasm.bytes);
      return reader;
    });
  // no answer needs it: it comes with the first rows of the primary copy
  const decode: DecodeParquet = async (bytes) => (await loadReader())(bytes);

  const startDatabase = async ({ after, bindings }: DatabaseOptions) => {
    await after;
    const { onProgress, report } = loading("database", duckdbWasm);
    try {
      const program = bindings();
      const options = { base, keepPlain: false, onProgress };
      const started = await withWasm(duckdbWasm, options, async (wasm) => (await program).createDuckdb({ wasm }));
      report("ready", duckdbWasm.bytes);
      return started;
    } catch (error) {
      report("failed", 0);
      throw error;
    }
  };
  const dataset = openDataset({
    source,
    decode,
    decodeBytes: () => (readers.peek("reader") ? 0 : parquetWasm.bytes),
    keptManifests: kept.manifests,
    cacheBytes: memoryBudgetBytes(navigator),
    ...(manifestMaxAgeMs === undefined ? {} : { manifestMaxAgeMs }),
    ...(database ? { executor: "sql", database: () => startDatabase(database) } : {}),
  });
  return { dataset, kept, decode, folder };
}

/** A reader wants to see that something comes, not each piece of it. */
const TELL_MS = 250;

/** Adds bytes up, and tells their sum now and then. */
function countBytes(tell: (sum: number) => void): (bytes: number) => void {
  let sum = 0;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  return (bytes) => {
    sum += bytes;
    if (performance.now() - toldAtMs < TELL_MS) return;
    toldAtMs = performance.now();
    tell(sum);
  };
}

/** The source with its manifest asked for at once: it travels while the rest is made. */
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
