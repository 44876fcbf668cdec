/** Exports one page of a search, or all pages, into one file. @module */
import { humanize } from "../../../../data/format/humanize.ts";
import { MAX_ORDERED_ROWS } from "../../../../data/format/limits.ts";
import type { Manifest } from "../../../../data/format/manifest.ts";
import { type Dataset, nextTask, Utf8Writer } from "../../../engine/index.ts";
import {
  ending,
  type Piece,
  pagesOf,
  parseSearch,
  pathNamed,
  type Records,
  recordsIn,
  type Search,
  searchPathsOf,
  type Writer,
  withOrder,
  writerOf,
} from "../../../search/index.ts";
import { loadPart } from "../parts/index.ts";
import type {
  ExportArgument,
  ExportedRows,
  ExportProgress,
  ExportResult,
  SourceCount,
  SourceCounts,
} from "../protocol/index.ts";
import { blobSink, fileSink } from "../storage/index.ts";
import { type Arranged, type Arranging, arrangedSearch } from "./arrange.ts";

interface ExportOptions {
  readonly dataset: Dataset;
  /** Rows of the user's own files, which are written after the records. */
  readonly rows?: ExportedRows | undefined;
  readonly onProgress: (progress: ExportProgress) => void;
  readonly pageRecords?: number;
  readonly signal?: AbortSignal;
}

/** Size of the parts in which the file is written: efficient, and small enough for smooth progress. */
const CHUNK_BYTES = 64 * 1024;
const PROGRESS_MS = 100;

/**
 * Writes an export completely. On a fault or an abort it writes nothing and throws. If more rows match than can be ordered,
 * `openAt` and an order by a column are ignored.
 */
export async function writeExport(
  { path: name, parameters, area, order, openAt, format, file, records: chosen, headers }: ExportArgument,
  { dataset, rows = NO_ROWS, onProgress, pageRecords, signal }: ExportOptions,
): Promise<ExportResult> {
  const manifest = await dataset.manifest(signal);
  const path = pathNamed(searchPathsOf(manifest), name);
  const asked = parseSearch(path, { ...parameters, format }, area);
  const column = order?.by === "column" ? order : undefined;
  const search = order && order.by !== "column" ? withOrder(asked, order) : asked;
  const arranged = chosen
    ? { total: chosen.length, body: chosen }
    : column || openAt !== undefined
      ? await arrangedRows(dataset, search, { order: column, openAt, signal })
      : undefined;
  const headerOf = headers && ((name: string) => headers[name] ?? humanize(name));
  const credit = withFiles(manifest, rows.files);
  const columns = rows.files.length > 0 ? rows.columns : undefined;
  const writer = await loadPart(() => writerOf(path, search.shown, credit, { others: columns, headerOf }));
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
  async function write(written: Records): Promise<void> {
    for (const piece of piecesOf(written, writer, sources.add)) {
      if (records > 0) add(writer.separator);
      add(piece);
      records += 1;
      if (chunk.length >= CHUNK_BYTES) await flush();
    }
  }
  const add = (piece: Piece) => (typeof piece === "string" ? chunk.text(piece) : chunk.bytes(piece));

  try {
    add(writer.open);
    if (arranged) {
      total = arranged.total + rows.features.length;
      await write(recordsIn(arranged.body));
    }
    for await (const page of arranged
      ? []
      : pagesOf(dataset, search, { extent: "all", ...(pageRecords ? { pageRecords } : {}), signal })) {
      total = page.total + rows.features.length;
      await write(page.result);
    }
    await write(recordsIn(rows.features));
    add(ending(writer));
    await flush();
    if (records !== total) throw new Error(`received ${records} records, expected ${total}`);
    const blob = await sink.close();
    return { records, total, bytes, ...sources.counts(), blob };
  } catch (error) {
    await sink.abort().catch(() => {});
    throw error;
  }
}

/** Returns all rows of the search, ordered and filtered; undefined if too many rows match. */
async function arrangedRows(
  dataset: Dataset,
  search: Search,
  { signal, ...arranging }: Arranging & { readonly signal?: AbortSignal | undefined },
): Promise<Arranged | undefined> {
  const query = { ...search.query, offset: 0, limit: MAX_ORDERED_ROWS };
  const never = new AbortController().signal;
  const found = await arrangedSearch(dataset, { ...search, query }, { ...arranging, signal: signal ?? never });
  return found.total > MAX_ORDERED_ROWS ? undefined : found;
}

const NO_ROWS: ExportedRows = { features: [], columns: [], files: [] };

/** Adds the user's files to the sources, so that formats with a place for credits name them. */
function withFiles(manifest: Manifest, files: readonly string[]): Manifest {
  const own = files.map((name) => ({
    dataset: name,
    license: "not stated",
    text: `${name}, a file added by the user`,
  }));
  return { ...manifest, attribution: [...manifest.attribution, ...own] };
}

function* piecesOf(
  result: Records,
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

/** Returns a counter of records by the datasets that they come from and their licences. */
export function countSources(): {
  add(properties: Readonly<Record<string, unknown>>): void;
  counts(): SourceCounts;
} {
  const byKey = new Map<string, { dataset: string; license: string | undefined; records: number }>();
  let unnamed = 0;
  return {
    add({ sources }) {
      const named = new Map(sourcesOf(sources).map((source) => [JSON.stringify(source), source]));
      if (named.size === 0) unnamed += 1;
      for (const [key, source] of named) {
        const count = byKey.get(key) ?? { ...source, records: 0 };
        count.records += 1;
        byKey.set(key, count);
      }
    },
    counts: () => ({
      sources: [...byKey.values()].sort((a, b) => b.records - a.records || (a.dataset < b.dataset ? -1 : 1)),
      unnamed,
    }),
  };
}

function sourcesOf(value: unknown): Pick<SourceCount, "dataset" | "license">[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((source: unknown) => {
    const { dataset, license } = (source ?? {}) as { readonly dataset?: unknown; readonly license?: unknown };
    if (typeof dataset !== "string" || dataset === "") return [];
    return [{ dataset, license: typeof license === "string" && license !== "" ? license : undefined }];
  });
}
