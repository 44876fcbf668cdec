/** Puts a site or a dataset into a bucket so that no reader ever sees half of it. @module */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { getMimeType } from "hono/utils/mime";
import { MANIFEST_PATH } from "../../data/format/paths.ts";
import { IMMUTABLE, isNamedByHash, mediaTypeOf, REVALIDATE } from "../../web/hosts/http/index.ts";
import { eachFile, exists, filesBelow, hashFile } from "../disk/index.ts";
import type { Bucket, StoredFile } from "./bucket.ts";

export interface UploadOptions {
  readonly folder: string;
  readonly bucket: Bucket;
  /** Whether files of older releases are removed at the end. */
  readonly isPruned?: boolean | undefined;
  /** Whether files are sent that are there already. */
  readonly isWhole?: boolean | undefined;
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

export interface UploadProgress {
  readonly files: number;
  readonly bytes: number;
  readonly totalFiles: number;
  readonly totalBytes: number;
}

interface Amount {
  readonly files: number;
  readonly bytes: number;
}

export interface UploadReport {
  readonly sent: Amount;
  /** Files that were there already. */
  readonly kept: Amount;
  /** Files with a hash in their names that the folder does not have; removed where that was asked for. */
  readonly older: Amount;
}

interface LocalFile {
  readonly path: string;
  readonly from: string;
  readonly bytes: number;
}

/** These name all others: the manifest a dataset's files, the page and its service worker their scripts. */
const LAST = [MANIFEST_PATH, "index.html", "service-worker.js"];

/**
 * Sends what the bucket does not have: files with a hash in their names, then all others, then those that name them. What is cut
 * off leaves the older release whole, and the same call goes on. Throws for a file whose hash is not that in its name, and
 * when a build replaces the dataset meanwhile.
 */
export async function uploadFolder(options: UploadOptions): Promise<UploadReport> {
  const { folder, bucket, onProgress } = options;
  const files = await localFiles(folder);
  const manifests = files.filter(({ path }) => basename(path) === MANIFEST_PATH);
  const namedFirst = await Promise.all(manifests.map(({ from }) => hashFile(from)));
  const stored = new Map((await bucket.list()).map((file) => [file.path, file]));
  const missing: LocalFile[] = [];
  for (const file of files) if (options.isWhole || !(await isThere(file, stored.get(file.path)))) missing.push(file);
  await eachFile(missing, refuseDamaged);
  const total = amountOf(missing);
  const done = { files: 0, bytes: 0 };
  const turns = [missing.filter(isUnchanging), missing.filter(isBeside), missing.filter(isLast)];
  for (const turn of turns) {
    if (turn.some(isLast)) {
      const now = await Promise.all(manifests.map(({ from }) => hashFile(from)));
      if (now.some((hash, index) => hash !== namedFirst[index]))
        throw new Error(
          `${folder}: the dataset was replaced while it was sent; page and manifest there are as before, send it again`,
        );
    }
    await eachFile(turn, async (file) => {
      await bucket.put({
        ...file,
        contentType: typeOf(file.path),
        cacheControl: isUnchanging(file) ? IMMUTABLE : REVALIDATE,
      });
      done.files++;
      done.bytes += file.bytes;
      onProgress?.({ ...done, totalFiles: total.files, totalBytes: total.bytes });
    });
  }
  const own = new Set(files.map(({ path }) => path));
  // what else is there may be somebody's
  const older = [...stored.values()].filter((file) => isUnchanging(file) && !own.has(file.path));
  if (options.isPruned) await bucket.remove(older.map(({ path }) => path));
  return { sent: total, kept: amountOf(files.filter((file) => !missing.includes(file))), older: amountOf(older) };
}

async function localFiles(folder: string): Promise<LocalFile[]> {
  if (!(await exists(folder))) throw new Error(`${folder}: there is no such folder`);
  const paths = await filesBelow(folder);
  if (!paths.some((path) => LAST.includes(basename(path))))
    throw new Error(`${folder}: neither a site nor a dataset: it has no ${LAST.slice(0, 2).join(" and no ")}`);
  return eachFile(paths, async (path) => {
    const from = join(folder, path);
    return { path, from, bytes: (await stat(from)).size };
  });
}

/** Names with a hash tell what is in them; of other files the store tells the MD5, or they are sent. */
async function isThere(file: LocalFile, stored: StoredFile | undefined): Promise<boolean> {
  if (stored?.bytes !== file.bytes) return false;
  if (isUnchanging(file)) return true;
  return (
    stored.tag ===
    createHash("md5")
      .update(await readFile(file.from))
      .digest("hex")
  );
}

async function refuseDamaged({ path, from }: LocalFile): Promise<void> {
  if (!isNamedByHash(path)) return;
  const [wanted = ""] = basename(path).split(".");
  const hash = await hashFile(from);
  if (!hash.startsWith(wanted))
    throw new Error(`${from} is damaged: its SHA-256 begins with ${hash.slice(0, wanted.length)}`);
}

function isUnchanging({ path }: Pick<LocalFile, "path">): boolean {
  return isNamedByHash(path) || /(^|\/)assets\//.test(path);
}

function isLast({ path }: LocalFile): boolean {
  return LAST.includes(basename(path));
}

function isBeside(file: LocalFile): boolean {
  return !isUnchanging(file) && !isLast(file);
}

function typeOf(path: string): string {
  return mediaTypeOf(path) ?? getMimeType(path) ?? "application/octet-stream";
}

function amountOf(files: readonly { readonly bytes: number }[]): Amount {
  return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}
