/**
 * Export: a page of a search, or all that match, page after page into one file.
 * @module
 */
import { createApi } from "../../../api/index.ts";
import type { Dataset } from "../../../engine/index.ts";
import type { Area } from "../drawn-area/area.ts";
import { aroundArea, type Range, withinArea } from "./export-area.ts";
import { type ExportFormat, joinPages, restFormat } from "./export-pages.ts";
import { blobSink, fileSink } from "./export-sinks.ts";
import { createSourceCounter, type SourceCount, withSourceCounter } from "./export-sources.ts";

export interface ExportArgument {
  /** REST address of a page of the search, relative to the page's folder. */
  readonly address: string;
  /** That page alone, or all that match. */
  readonly extent: "page" | "all";
  readonly format: ExportFormat;
  /** A drawn area, in place of the address's circle, and how many records it holds. */
  readonly within?: { readonly area: Area; readonly total: number } | undefined;
  /** The file to write; without one the export comes back as a blob. */
  readonly file?: FileSystemFileHandle | undefined;
}

export interface ExportProgress {
  /** Records written. */
  readonly records: number;
  /** Records to write. */
  readonly total: number;
  readonly bytes: number;
}

export interface ExportResult extends ExportProgress {
  readonly sources: readonly SourceCount[];
  /** Records that name no source. */
  readonly unnamed: number;
  /** The file, when none was given to write to. */
  readonly blob?: Blob | undefined;
}

export interface ExportOptions {
  readonly dataset: Dataset;
  /** URL of the page's folder. */
  readonly base: URL;
  readonly onProgress: (progress: ExportProgress) => void;
  /** Records asked for at a time when all are exported; 25,000, the most that the interface gives, when left out. */
  readonly pageRecords?: number;
  readonly signal?: AbortSignal;
}

const MAX_PAGE_RECORDS = 25_000;
/** Often enough to look alive. */
const PROGRESS_MS = 100;
const BLOB_TYPES: Readonly<Record<ExportFormat, string>> = {
  json: "application/json",
  geojson: "application/geo+json",
  csv: "text/csv",
  spreadsheet: "text/csv",
};

/** Writes the export. Whole or not at all: what a fault or an abort leaves unfinished is forgotten. */
export async function writeExport(
  { address, extent, format, within, file }: ExportArgument,
  { dataset, base, onProgress, pageRecords = MAX_PAGE_RECORDS, signal }: ExportOptions,
): Promise<ExportResult> {
  const counter = createSourceCounter();
  const asked = new URL(address, base);
  const range = rangeOf(asked, extent);
  const searched = within ? withinArea(dataset, within.area, range) : dataset;
  const api = createApi({ dataset: withSourceCounter(searched, counter), basePath: base.pathname });
  let total = 0;
  let bytes = 0;

  async function* pages(): AsyncGenerator<AsyncIterable<string>> {
    let count: number | undefined;
    for (let page = 0; count === undefined || page * pageRecords < count; page++) {
      const response = await api(new Request(pageUrl(page), signal ? { signal } : {}));
      signal?.throwIfAborted();
      if (response.status !== 200 || !response.body) throw new Error(await faultOf(response));
      const counted = within
        ? Math.min(within.total, range.end) - range.start
        : Number(response.headers.get(extent === "page" ? "X-Total-Count" : "Pagination-Count"));
      if (count !== undefined && counted !== count) {
        throw new Error(`the dataset changed: ${counted} records match, ${count} did before`);
      }
      count = counted;
      total = counted;
      yield textOf(response.body);
      if (extent === "page" || within) return;
    }
  }
  function pageUrl(page: number): URL {
    const url = new URL(asked);
    url.searchParams.set("format", restFormat(format));
    if (within) return aroundArea(url, within.area);
    if (extent === "page") return url;
    url.searchParams.set("limit", String(pageRecords));
    url.searchParams.set("page", String(page));
    return url;
  }

  const sink = file ? await fileSink(file) : blobSink(BLOB_TYPES[format]);
  const progress = () => ({ records: counter.records, total, bytes });
  try {
    const encoder = new TextEncoder();
    let reportedAt = 0;
    for await (const text of joinPages(format, pages())) {
      signal?.throwIfAborted();
      const chunk = encoder.encode(text);
      await sink.write(chunk);
      bytes += chunk.byteLength;
      if (performance.now() - reportedAt < PROGRESS_MS) continue;
      reportedAt = performance.now();
      onProgress(progress());
    }
    signal?.throwIfAborted();
    if (counter.records !== total) throw new Error(`${counter.records} records came, ${total} were announced`);
    const blob = await sink.close();
    return { ...progress(), sources: counter.counts(), unnamed: counter.unnamed, blob };
  } catch (error) {
    await sink.abort().catch(() => {});
    throw error;
  }
}

/** Places of the wanted records among all that match. */
function rangeOf({ searchParams }: URL, extent: ExportArgument["extent"]): Range {
  if (extent === "all") return { start: 0, end: Number.POSITIVE_INFINITY };
  const limit = Number(searchParams.get("limit"));
  const start = Number(searchParams.get("page") ?? 0) * limit;
  return { start, end: start + limit };
}

async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    await reader.cancel();
  }
}

async function faultOf(response: Response): Promise<string> {
  const { message } = (await response.json().catch(() => ({}))) as { readonly message?: unknown };
  return Array.isArray(message) ? message.join("; ") : `the export was answered ${response.status}`;
}
