/**
 * Downloads byte ranges of a Parquet file into a new, smaller Parquet file. Finished pieces are noted on disk, so that
 * they are not downloaded again.
 *
 * @module
 */
import { appendFile, mkdtemp, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MAGIC, newFile, piecesOf, type Span } from "../../../data/parquet/index.ts";
import { atATime, type OpenedFile, type Remote, type RemoteFile } from "../../../data/release/index.ts";
import { type Database, quotePath } from "../../base/database/index.ts";
import { exists, makeFolder } from "../../base/disk/index.ts";

/** A new Parquet file from byte ranges of a remote one: final path, ranges, and footer. */
export interface WantedFile {
  readonly path: string;
  readonly spans: readonly Span[];
  readonly footer: Uint8Array;
}

/**
 * Returns the pieces of the spans, at most 4 MiB each, that are not downloaded yet. Undefined if the file is complete.
 */
export async function missingPieces({ path, spans }: WantedFile): Promise<Span[] | undefined> {
  if (await exists(path)) return undefined;
  const text = (await exists(partOf(path))) ? await readFile(notesOf(path), "utf8").catch(() => "") : "";
  // A last line without a newline was truncated.
  const noted = new Set(text.split("\n").slice(0, -1));
  return piecesOf(spans).filter((piece) => !noted.has(noteOf(piece)));
}

/** Downloads one piece, writes it at its position in the unfinished file, and notes it as finished. */
export async function fetchPiece(
  source: RemoteFile,
  piece: Span,
  { path }: WantedFile,
  signal?: AbortSignal,
): Promise<void> {
  const bytes = await source.read(piece.start, piece.end, signal);
  await makeFolder(dirname(path));
  const handle = await open(partOf(path), "a+").then(async (made) => {
    await made.close();
    return open(partOf(path), "r+");
  });
  try {
    await handle.write(bytes, 0, bytes.length, piece.at);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await appendFile(notesOf(path), `${noteOf(piece)}\n`);
}

/**
 * Completes a file whose pieces are all downloaded: writes the first magic bytes and the footer, and gives the file its
 * final name. Does not check the pieces. Does nothing if the file is complete.
 */
export async function endFile({ path, spans, footer }: WantedFile): Promise<void> {
  if (await exists(path)) return;
  const last = spans.at(-1);
  const handle = await open(partOf(path), "r+");
  try {
    await handle.write(MAGIC, 0, MAGIC.length, 0);
    await handle.write(footer, 0, footer.length, last ? last.at + last.end - last.start : MAGIC.length);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(partOf(path), path);
  await rm(notesOf(path), { force: true });
}

function partOf(path: string): string {
  return `${path}.part`;
}

function notesOf(path: string): string {
  return `${path}.notes`;
}

function noteOf({ start, end }: Span): string {
  return `${start}-${end}`;
}

export interface ColumnsOptions {
  readonly remote: Remote;
  readonly database: Database;
  /** Folder for temporary files. */
  readonly folder: string;
}

const PIECES_AT_A_TIME = 8;

interface ColumnsQuery {
  readonly groups: readonly number[];
  readonly columns: readonly string[];
  readonly sql: (from: string) => string;
}

/**
 * Returns the rows of a query on some columns and row groups of a remote Parquet file, which it downloads into a
 * temporary file. `sql` gets the name of the table to select from.
 */
export async function askColumns<Row>(
  { file, metadata }: OpenedFile,
  { database, folder }: ColumnsOptions,
  query: ColumnsQuery,
): Promise<Row[]> {
  const scratch = await mkdtemp(join(folder, "columns-"));
  try {
    const { spans, footer } = newFile(metadata, query.groups, { columns: query.columns });
    const wanted = { path: join(scratch, "columns.parquet"), spans, footer };
    await atATime((await missingPieces(wanted)) ?? [], PIECES_AT_A_TIME, (piece) => fetchPiece(file, piece, wanted));
    await endFile(wanted);
    return await database.rows<Row>(query.sql(`read_parquet(${quotePath(wanted.path)}, hive_partitioning = false)`));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
