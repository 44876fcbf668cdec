/**
 * Exports the results of a search to one file, by way of a temporary file.
 * @module
 */
import { setMaxListeners } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { extname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CollectionName } from "../../../data/format/collections.ts";
import type { Manifest } from "../../../data/format/manifest.ts";
import { collectionIn, isKnown } from "../../../data/format/own-collections.ts";
import { Utf8Writer } from "../../../web/engine/index.ts";
import { openNodeDataset } from "../../../web/hosts/node/open.ts";
import {
  allRecords,
  bodyOfPages,
  creditLines,
  FORMAT_NAMES,
  formatNamed,
  nearestOf,
  type Parameters,
  type Piece,
  pagesOf,
  parametersOf,
  parseSearch,
  propertyNames,
  type SearchPath,
  type SomeRecords,
  searchPathsOf,
  writerOf,
} from "../../../web/search/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { asUsage } from "../usage.ts";

interface ExportFileOptions {
  /** Folder or URL of the dataset. */
  readonly dataset: string;
  /** Path and query of the REST interface, such as `/places?country=MC`. */
  readonly request: string;
  /** Path of the file; `-` is standard output. */
  readonly out: string;
  /** Name of the format. Default: the format in the request, otherwise by the ending of `out`, otherwise JSON. */
  readonly format?: string | undefined;
  /** Names of the columns to keep, with commas between them. Default: those in the request, otherwise all. */
  readonly columns?: string | undefined;
  readonly signal?: AbortSignal;
  /** Called after each page of results. */
  readonly onProgress?: (progress: ExportProgress) => void;
}

export interface ExportProgress {
  readonly records: number;
  /** Records that the export will write. An upper bound if they come from a column table (rows sorted by a column). */
  readonly total: number;
}

interface ExportedFile {
  readonly records: number;
  readonly bytes: number;
  /** Lines of attribution to show next to the file, because its format cannot contain them. Empty if it can. */
  readonly credits: readonly string[];
}

const BASE = "http://localhost/";

const CHUNK_BYTES = 64 * 1024;

/**
 * Parses the request with the format and the columns. Throws for an invalid request, for an unknown file ending, and
 * for a format or columns that the request contradicts.
 */
function parseExport(
  options: Pick<ExportFileOptions, "request" | "out" | "format" | "columns">,
  paths: readonly SearchPath[],
) {
  const { request } = options;
  if (!URL.canParse(request, BASE))
    throw new CodedError("CAIRN_E_VALUE", `expected a path and query such as /places?country=MC, got ${request}`);
  const { pathname, searchParams } = new URL(request, BASE);
  const path = paths.find((known) => known.path === pathname);
  if (!path) {
    throw new CodedError(
      "CAIRN_E_VALUE",
      `${pathname} is not a search path; expected one of ${paths.map((known) => known.path).join(", ")}`,
    );
  }
  const search = parseSearch(path, withColumns(withFormat(parametersOf(searchParams), options), options));
  const extent = searchParams.has("limit") || searchParams.has("page") ? ("page" as const) : ("all" as const);
  return { path, search, extent };
}

/**
 * Writes the results of a search to a file: all pages, or one page if the request has `limit` or `page`. If it fails,
 * an existing file is unchanged. Throws for a wrong request or an unknown column.
 */
export async function exportFile({
  dataset: location,
  request,
  out,
  format,
  columns,
  signal,
  onProgress,
}: ExportFileOptions): Promise<ExportedFile> {
  // A search reads many files in parallel, each with a listener for the abort.
  if (signal) setMaxListeners(0, signal);
  const dataset = openNodeDataset(location);
  const manifest = await dataset.manifest(signal);
  const { path, search, extent } = asUsage(() =>
    parseExport({ request, out, format, columns }, searchPathsOf(manifest)),
  );
  asUsage(() => requireColumns(columns, manifest, search.query.collections));
  const writer = await writerOf(path, search.shown, manifest);
  const counts = { records: 0, bytes: 0 };
  const found =
    extent === "all" ? await allRecords(dataset, search, { signal }) : pagesOf(dataset, search, { extent, signal });
  const pages = counted(found, counts, onProgress);
  const chunks = Readable.from(chunksOf(bodyOfPages(writer, pages), counts));
  if (out === "-") await pipeline(chunks, process.stdout, { end: false, ...(signal ? { signal } : {}) });
  else await writeWhole(chunks, out, signal);
  return { ...counts, credits: formatNamed(search.shown.format).hasCredit ? [] : creditLines(manifest) };
}

function withFormat(parameters: Parameters, { format, out }: Pick<ExportFileOptions, "format" | "out">): Parameters {
  const ending = extname(out).slice(1).toLowerCase();
  const ended = FORMAT_NAMES.find((name) => formatNamed(name).extension === ending);
  const asked = parameters.format;
  if (asked !== undefined && format !== undefined && asked !== format) {
    throw new CodedError("CAIRN_E_VALUE", `format is set twice: ${asked} in the request, ${format} by --format`);
  }
  const chosen = format ?? asked ?? ended;
  if (chosen === undefined && extname(out) !== "") {
    const endings = new Set(FORMAT_NAMES.map((name) => `.${formatNamed(name).extension}`));
    throw new CodedError(
      "CAIRN_E_VALUE",
      `--out ${out}: no format has the ending ${extname(out)}; expected ${[...endings].join(", ")}, or set --format`,
    );
  }
  return chosen === undefined ? parameters : { ...parameters, format: chosen };
}

function withColumns(parameters: Parameters, { columns }: Pick<ExportFileOptions, "columns">): Parameters {
  if (columns === undefined) return parameters;
  const asked = parameters.includes ?? parameters["includes[]"];
  if (asked !== undefined)
    throw new CodedError("CAIRN_E_VALUE", `columns are set twice: ${asked} in the request, ${columns} by --columns`);
  return { ...parameters, includes: columns };
}

/** Throws for an unknown column, which the file would lack without an error. */
function requireColumns(columns = "", manifest: Manifest, collections: readonly CollectionName[]): void {
  const known = propertyNames(
    collections.filter((name) => isKnown(manifest, name)).map((name) => collectionIn(manifest, name)),
  );
  const wanted = columns.split(",").map((name) => name.trim());
  const unknown = wanted.filter((name) => name !== "" && !known.includes(name));
  if (unknown.length > 0)
    throw new CodedError(
      "CAIRN_E_VALUE",
      `--columns has ${unknown.join(", ")}, which no record has; ${nearestOf(unknown[0] ?? "", known)}`,
    );
}

async function* counted(
  pages: AsyncIterable<SomeRecords>,
  counts: { records: number },
  onProgress: ExportFileOptions["onProgress"],
): AsyncGenerator<SomeRecords> {
  for await (const page of pages) {
    counts.records += page.result.length;
    onProgress?.({ records: counts.records, total: page.total });
    yield page;
  }
}

async function* chunksOf(pieces: AsyncIterable<Piece>, counts: { bytes: number }): AsyncGenerator<Uint8Array> {
  const chunk = new Utf8Writer();
  const take = (): Uint8Array => {
    counts.bytes += chunk.length;
    return chunk.take();
  };
  for await (const piece of pieces) {
    if (typeof piece === "string") chunk.text(piece);
    else chunk.bytes(piece);
    if (chunk.length >= CHUNK_BYTES) yield take();
  }
  if (chunk.length > 0) yield take();
}

async function writeWhole(chunks: Readable, out: string, signal: AbortSignal | undefined): Promise<void> {
  const unfinished = `${out}.${process.pid}.part`;
  try {
    await pipeline(chunks, createWriteStream(unfinished, { flags: "wx", flush: true }), signal ? { signal } : {});
    await rename(unfinished, out);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
