/** The list of files that the page's service worker caches when it is installed. @module */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

export const WORKER_FILE = "service-worker.js";
/** Folder in which names contain a hash of the content, so that an entry needs no revision. */
const HASHED = "assets/";

/**
 * Returns an entry, `{revision, url}` as JSON, for each file below the folder `out` that `isCached` accepts, in the order of
 * paths. Leaves out the worker itself. Throws when such a file is larger than `maxFileBytes`.
 */
export async function precacheEntries(
  out: string,
  isCached: (path: string) => boolean,
  maxFileBytes: number,
): Promise<string[]> {
  const found = await readdir(out, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(out, "/").length).replaceAll("\\", "/"))
    .filter((path) => path !== WORKER_FILE && isCached(path));
  return Promise.all(
    paths.sort().map(async (path) => {
      const bytes = await readFile(join(out, path));
      if (bytes.length <= maxFileBytes) return entryOf(path, bytes);
      throw new Error(`${path} has ${bytes.length} bytes, the service worker caches at most ${maxFileBytes}`);
    }),
  );
}

/**
 * Changes a file of a built page, and its entry in the service worker's list, so that visitors get the new file. Throws when the
 * list has no entry for the present file: page and worker are then of different builds.
 */
export async function changeCachedFile(folder: string, name: string, change: (text: string) => string): Promise<void> {
  const [path, workerPath] = [join(folder, name), join(folder, WORKER_FILE)];
  const before = await readFile(path, "utf8");
  const after = change(before);
  const worker = await readFile(workerPath, "utf8");
  const listed = entryOf(name, before);
  if (!worker.includes(listed)) throw new Error(`${workerPath} has no entry for this ${name}: build the page again`);
  await writeFile(path, after);
  await writeFile(
    workerPath,
    worker.replace(listed, () => entryOf(name, after)),
  );
}

function entryOf(url: string, content: string | Uint8Array): string {
  const revision = url.startsWith(HASHED) ? null : createHash("md5").update(content).digest("hex");
  return JSON.stringify({ revision, url });
}
