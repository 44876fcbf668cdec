/** Export: a page of a search, or all that match, page after page through one writer into one file. @module */
import { type Dataset, nextTask, type SearchResult, Utf8Writer } from "../../../engine/index.ts";
import {
  ending,
  type Piece,
  pagesOf,
  parseSearch,
  SEARCH_PATHS,
  type Writer,
  withOrder,
  writerOf,
} from "../../../search/index.ts";
import type { ExportArgument, ExportProgress, ExportResult } from "../protocol/index.ts";
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
  { path: name, parameters, area, order, extent, format, file }: ExportArgument,
  { dataset, onProgress, pageRecords, signal }: ExportOptions,
): Promise<ExportResult> {
  const path = SEARCH_PATHS.find((known) => known.path === name);
  if (!path) throw new Error(`no path ${name}, expected one of ${SEARCH_PATHS.map((known) => known.path).join(", ")}`);
  const asked = parseSearch(path, { ...parameters, format }, area);
  const search = order ? withOrder(asked, order) : asked;
  const writer = await writerOf(path, search.shown, await dataset.manifest(signal));
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
    for await (const page of pagesOf(dataset, search, { extent, ...(pageRecords ? { pageRecords } : {}), signal })) {
      total = page.total;
      for (const piece of piecesOf(page.result, writer, sources.add)) {
        if (records > 0) add(writer.separator);
        add(piece);
        records += 1;
        if (chunk.length >= CHUNK_BYTES) await flush();
      }
    }
    add(ending(writer));
    await flush();
    if (records !== total) throw new Error(`${records} records came, ${total} were announced`);
    const blob = await sink.close();
    return { records, total, bytes, ...sources.counts(), blob };
  } catch (error) {
    await sink.abort().catch(() => {});
    throw error;
  }
}

function* piecesOf(
  result: SearchResult,
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
