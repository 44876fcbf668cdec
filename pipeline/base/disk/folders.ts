import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Creates the folder and its parents if they do not exist. Node's recursive `mkdir` never returns if a file system
 * answers ENOENT for a new folder, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  const first = await tryMake(path);
  if (first === undefined) return;
  if (first.code !== "ENOENT") throw first;
  await makeFolder(dirname(resolve(path)));
  const second = await tryMake(path);
  if (second) throw second;
}

/** Undefined if the folder exists. */
async function tryMake(path: string): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(path);
    return undefined;
  } catch (error) {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return isFolder ? undefined : (error as NodeJS.ErrnoException);
  }
}
