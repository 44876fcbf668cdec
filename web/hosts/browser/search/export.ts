/** Export: a page of a search, or all that match, page after page through one writer into one file. @module */
import { MAX_PAGE_RECORDS } from "../../../../data/format/limits.ts";
import { type Dataset, nextTask, Utf8Writer } from "../../../engine/index.ts";
import {
  type Piece,
  parseSearch,
  runSearch,
  SEARCH_PATHS,
  type Search,
  type Writer,
  writerOf,
} from "../../../search/index.ts";
import { type ExportArgument, type ExportProgress, type ExportResult, restFormat } from "../protocol/index.ts";
import { blobSink, fileSink } from "../storage/index.ts";
import { countSources } from "./export-sources.ts";

export interface ExportOptions {
  readonly dataset: Dataset;
  readonly onProgress: (progress: ExportProgress) => void;
  readonly pageRecords?: number;
  readonly signal?: AbortSignal;
}

/** Large enough to be cheap, small enough for progress that looks alive. */
const CHUNK_BYTES = 64 * 1024;
const PROGRESS_MS = 100;

/** Writes the export. Whole or not at all: what a fault or an abort leaves unfinished is forgotten. */
export async function writeExport(
  { path: name, parameters, area, extent, format, file }: ExportArgument,
  { dataset, onProgress, pageRecords = MAX_PAGE_RECORDS, signal }: ExportOptions,
): Promise<ExportResult> {
  const path = SEARCH_PATHS.find((known) => known.path === name);
  if (!path) throw new Error(`no path ${name}, expected one of ${SEARCH_PATHS.map((known) => known.path).join(", ")}`);
  const search = parseSearch(path, { ...parameters, format: restFormat(format) }, area);
  const writer = writerOf(path, search.shown, { isForSpreadsheets: format === "spreadsheet" });
  const sink = file ? await fileSink(file) : blobSink(writer.contentType);
  const sources = countSources();
  const chunk = new Utf8Writer();
  let [records, total, bytes, reportedAt] = [0, 0, 0, 0];

  async function flush(): Promise<void> {
    const part = chunk.take();
    bytes += part.byteLength;
    await sink.write(part);
    signal?.throwIfAborted();
    if (performance.now() - reportedAt < PROGRESS_MS) return;
    reportedAt = performance.now();
    onProgress({ records, total, bytes });
    await nextTask();
  }
  const add = (piece: Piece) => (typeof piece === "string" ? chunk.text(piece) : chunk.bytes(piece));

  try {
    add(writer.open);
    for await (const page of pagesOf(dataset, extent === "page" ? search : pagedBy(search, pageRecords), {
      extent,
      signal,
    })) {
      total = page.total;
      for (const piece of piecesOf(page.result, writer, sources.add)) {
        if (records > 0) add(writer.separator);
        add(piece);
        records += 1;
        if (chunk.length >= CHUNK_BYTES) await flush();
      }
    }
    add(writer.close);
    await flush();
    if (records !== total) throw new Error(`${records} records came, ${total} were announced`);
    const blob = await sink.close();
    return { records, total, bytes, ...sources.counts(), blob };
  } catch (error) {
    await sink.abort().catch(() => {});
    throw error;
  }
}

type Page = { readonly total: number; readonly result: Awaited<ReturnType<typeof runSearch>> };

/** The search's own page, or all pages. Throws when the dataset changes between two. */
async function* pagesOf(
  dataset: Dataset,
  first: Search,
  { extent, signal }: { readonly extent: "page" | "all"; readonly signal: AbortSignal | undefined },
): AsyncGenerator<Page> {
  let before: { readonly total: number; readonly release: string } | undefined;
  for (let page = first.page; ; page++) {
    const query = { ...first.query, offset: page * first.limit };
    const result = await runSearch(dataset, { ...first, query }, { signal });
    const { total, report } = result;
    if (before && (before.total !== total || before.release !== report.release)) {
      throw new Error(`the dataset changed: ${total} records match, ${before.total} did before`);
    }
    before = { total, release: report.release };
    yield { total: extent === "page" ? result.length : total, result };
    if (extent === "page" || (page + 1) * first.limit >= total) return;
  }
}

function pagedBy(search: Search, limit: number): Search {
  return { ...search, page: 0, limit, query: { ...search.query, offset: 0, limit } };
}

function* piecesOf(
  result: Page["result"],
  writer: Writer,
  see: (properties: Readonly<Record<string, unknown>>) => void,
): Generator<Piece> {
  const features = result.features(SOURCES);
  for (const piece of writer.page(result)) {
    const { value } = features.next();
    if (value) see(value.properties);
    yield piece;
  }
}

const SOURCES: ReadonlySet<string> = new Set(["sources"]);
