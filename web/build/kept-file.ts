/**
 * Files of a built page that its service worker keeps: changed after the build, with the revision by which a visitor's worker takes
 * them anew.
 * @module
 */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const WORKER = "service-worker.js";

/** Throws when the worker keeps another file of the name: the page is of no build, or of two. */
export async function changeKeptFile(folder: string, name: string, change: (text: string) => string): Promise<void> {
  const [path, workerPath] = [join(folder, name), join(folder, WORKER)];
  const before = await readFile(path, "utf8");
  const after = change(before);
  const worker = await readFile(workerPath, "utf8");
  const listed = entryOf(name, before);
  if (!worker.includes(listed)) throw new Error(`${workerPath}: does not keep ${name} as it is, build it anew`);
  await writeFile(path, after);
  await writeFile(workerPath, worker.replace(listed, entryOf(name, after)));
}

function entryOf(name: string, text: string): string {
  return `{"revision":"${createHash("md5").update(text).digest("hex")}","url":"${name}"}`;
}
