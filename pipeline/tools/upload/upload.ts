/** Uploads a site or a dataset to a bucket so that readers always see a complete release. @module */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { getMimeType } from "hono/utils/mime";
import { MANIFEST_PATH } from "../../../data/format/paths.ts";
import { IMMUTABLE, isNamedByHash, mediaTypeOf, REVALIDATE } from "../../../web/hosts/http/index.ts";
import { eachFile, exists, filesBelow, hashFile } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import type { Bucket, StoredFile } from "./bucket.ts";

export interface UploadOptions {
  readonly folder: string;
  readonly bucket: Bucket;
  /** Removes files of older releases in the bucket at the end. */
  readonly isPruned?: boolean | undefined;
  /** Sends files again that the bucket has already. */
  readonly isWhole?: boolean | undefined;
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

interface UploadProgress {
  readonly files: number;
  readonly bytes: number;
  readonly totalFiles: number;
  readonly totalBytes: number;
}

interface Amount {
  readonly files: number;
  readonly bytes: number;
}

interface UploadReport {
  readonly sent: Amount;
  /** Files of the folder that the bucket had already and that were not sent. */
  readonly kept: Amount;
  /** Files in the bucket with a hash in their name, or in `assets`, that the folder lacks. `isPruned` removes them. */
  readonly older: Amount;
}

interface LocalFile {
  readonly path: string;
  readonly from: string;
  readonly bytes: number;
}

/** Files that name other files and are sent last: the manifest of a dataset, the page, its service worker. */
const LAST = [MANIFEST_PATH, "index.html", "service-worker.js"];

/**
 * Uploads files that the bucket lacks: first those with a hash in their name, last those that name others. If it is
 * interrupted, readers still have the older release, and the same call continues. Throws if a file does not match the
 * hash in its name, or if a build replaces the dataset meanwhile.
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
        throw new CodedError(
          "CAIRN_E_UPLOAD",
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
  // Other files may belong to another owner.
  const older = [...stored.values()].filter((file) => (isUnchanging(file) || isSignature(file)) && !own.has(file.path));
  if (options.isPruned) await bucket.remove(older.map(({ path }) => path));
  return { sent: total, kept: amountOf(files.filter((file) => !missing.includes(file))), older: amountOf(older) };
}

async function localFiles(folder: string): Promise<LocalFile[]> {
  if (!(await exists(folder))) throw new CodedError("CAIRN_E_NO_FILE", `${folder}: there is no such folder`);
  const paths = await filesBelow(folder);
  if (!paths.some((path) => LAST.includes(basename(path))))
    throw new CodedError(
      "CAIRN_E_DATA",
      `${folder}: neither a site nor a dataset: it has no ${LAST.slice(0, 2).join(" and no ")}`,
    );
  return eachFile(paths, async (path) => {
    const from = join(folder, path);
    return { path, from, bytes: (await stat(from)).size };
  });
}

/** Returns true if the bucket has the file. A hash in the name tells the content; other files are compared by MD5. */
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
    throw new CodedError("CAIRN_E_DATA", `${from} is damaged: its SHA-256 starts with ${hash.slice(0, wanted.length)}`);
}

function isUnchanging({ path }: Pick<LocalFile, "path">): boolean {
  return isNamedByHash(path) || /(^|\/)assets\//.test(path);
}

/** Returns true for a file of signatures. Its name has the hash of the manifest, not of its own content. */
function isSignature({ path }: Pick<LocalFile, "path">): boolean {
  return /(^|\/)kept\/[0-9a-f]{16}\.sig$/.test(path);
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
