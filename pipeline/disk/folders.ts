import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Makes the folder and those above it, unless they exist. Node's recursive `mkdir` never returns where a file system answers
 * ENOENT for a folder that it does not allow, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  const first = await tryMake(path);
  if (first === undefined) return;
  if (first.code !== "ENOENT") throw first;
  await makeFolder(dirname(resolve(path)));
  const second = await tryMake(path);
  if (second) throw second;
}

/** Undefined when the folder is there. */
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
