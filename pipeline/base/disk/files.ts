import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, open, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { CodedError } from "../errors/index.ts";
import { DISK } from "./disk.ts";
import { makeFolder } from "./folders.ts";

/**
 * Returns the results of all promises, in order. Throws like `Promise.all`, but only after all promises have ended, so
 * that no work continues in the background.
 */
export async function allEnded<T>(work: Iterable<Promise<T>>): Promise<T[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

const MOST_CHUNK_BYTES = 1 << 20;

const FILES_AT_A_TIME = 4;

/**
 * Calls `work` for each file, for four at the same time. Returns the results in the order of the files. An error ends
 * one of the four workers, and is thrown when the others have ended.
 */
export async function eachFile<File, Result>(
  files: readonly File[],
  work: (file: File) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(files.length);
  const waiting = files.entries();
  const workOn = async (): Promise<void> => {
    for (const [index, file] of waiting) results[index] = await work(file);
  };
  await allEnded(Array.from({ length: FILES_AT_A_TIME }, workOn));
  return results;
}

/** Returns whether there is a file or folder with this path. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the paths of all files below a folder, relative to it, sorted, with `/`. Skips files and folders whose names
 * start with a dot. Throws if there is no such folder.
 */
export async function filesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  const walk = async (at: string): Promise<void> => {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      if (entry.name.startsWith(".")) continue;
      const path = join(at, entry.name);
      if (entry.isDirectory()) await walk(path);
      else found.push(relative(folder, path).replaceAll(sep, "/"));
    }
  };
  await walk(folder);
  return found.sort();
}

/** Returns all parent folders of a relative path, starting with `.`: `.`, `a` and `a/b` for `a/b/c`. */
export function foldersTo(path: string): string[] {
  const names = dirname(path).split("/");
  return [...new Set([".", ...names.map((_, index) => names.slice(0, index + 1).join("/"))])];
}

/** Returns the SHA-256 of a file in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  const { size } = await stat(path);
  // A full-size buffer for each of many small files would take a tenth of the time.
  await pipeline(createReadStream(path, { highWaterMark: Math.min(Math.max(size, 1), MOST_CHUNK_BYTES) }), hash);
  return hash.digest("hex");
}

/**
 * Writes a file so that readers see the old or the complete new content at any time: writes `<path>.tmp`, syncs it, and
 * renames it. Makes missing folders.
 */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  await makeFolder(dirname(path));
  await writeFile(`${path}.tmp`, content);
  await DISK.syncFile(`${path}.tmp`);
  await rename(`${path}.tmp`, path);
}

/** A file that is named by its content. */
export interface HashedFile {
  readonly path: string;
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha256: string;
}

/** Writes `<name>-<hash of the content>.<ending>` into the folder, as `writeWhole` does. */
export async function writeHashed(
  folder: string,
  [name, ending]: readonly [name: string, ending: string],
  text: string,
): Promise<HashedFile> {
  const sha256 = createHash("sha256").update(text).digest("hex");
  const path = join(folder, `${name}-${sha256.slice(0, 16)}.${ending}`);
  await writeWhole(path, text);
  return { path, sha256 };
}

/**
 * Returns `bytes` bytes of a file from offset `start` on; fewer if the file ends before. Throws if there is no file.
 */
export async function readRange(path: string, start: number, bytes: number): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    const content = new Uint8Array(bytes);
    let filled = 0;
    while (filled < bytes) {
      const { bytesRead } = await handle.read(content, filled, bytes - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return content.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

/** Returns the text of a file; undefined if there is no such file. */
export async function readOptional(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

/** Returns the value of a JSON text. Throws an error that names the file `path` if it is not JSON. */
export function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CodedError("CAIRN_E_VALUE", `${path}: not JSON`, { cause });
  }
}
