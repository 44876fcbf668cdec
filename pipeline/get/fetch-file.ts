/** Fetches spans of a file into a new one. Pieces are noted once they are on the disk, and never fetched again. @module */
import { appendFile, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { MAGIC, piecesOf, type Span } from "../../data/parquet/index.ts";
import type { RemoteFile } from "../../data/release/index.ts";
import { exists } from "../disk/index.ts";

export interface WantedFile {
  readonly path: string;
  readonly spans: readonly Span[];
  readonly footer: Uint8Array;
}

/** Pieces that an earlier run left to be fetched; undefined when the file is whole. */
export async function missingPieces({ path, spans }: WantedFile): Promise<Span[] | undefined> {
  if (await exists(path)) return undefined;
  const text = (await exists(partOf(path))) ? await readFile(notesOf(path), "utf8").catch(() => "") : "";
  // a note without its end of line was cut short
  const noted = new Set(text.split("\n").slice(0, -1));
  return piecesOf(spans).filter((piece) => !noted.has(noteOf(piece)));
}

export async function fetchPiece(
  source: RemoteFile,
  piece: Span,
  { path }: WantedFile,
  signal?: AbortSignal,
): Promise<void> {
  const bytes = await source.read(piece.start, piece.end, signal);
  await mkdir(dirname(path), { recursive: true });
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

/** Ends the file when all its pieces are there. */
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
