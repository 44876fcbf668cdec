/**
 * Puts a finished dataset in the place of an older one: whole or not at all.
 * @module
 */
import { access, mkdir, mkdtemp, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { MANIFEST_PATH, REJECTS_PATH } from "../data/format/paths.ts";

/** Folders of builds that run or were cut off; readers skip names that start with a dot. */
const WORK_PREFIX = ".build-";

/** A folder to build in, on the dataset's own disk so that files can be renamed into place. */
export async function makeWorkFolder(dataset: string): Promise<string> {
  await mkdir(dataset, { recursive: true });
  return mkdtemp(join(dataset, WORK_PREFIX));
}

/** Moves the made dataset's files into place, the manifest last, then removes files that it does not name. */
export async function publish(made: string, dataset: string): Promise<void> {
  const named = await filesBelow(made);
  const last = [REJECTS_PATH, MANIFEST_PATH];
  const added: string[] = [];
  try {
    for (const path of named.filter((name) => !last.includes(name))) {
      const target = join(dataset, path);
      // The name says the content: a file that is there is the same file.
      if (await exists(target)) continue;
      await mkdir(dirname(target), { recursive: true });
      await rename(join(made, path), target);
      added.push(target);
    }
  } catch (error) {
    for (const path of added) await rm(path, { force: true });
    throw error;
  }
  for (const path of last) await rename(join(made, path), join(dataset, path));
  await removeUnnamed(dataset, new Set(named));
}

/** Paths of all files below a folder, with `/`, in order; names that start with a dot are skipped. */
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

async function removeUnnamed(dataset: string, named: ReadonlySet<string>): Promise<void> {
  for (const path of await filesBelow(dataset)) {
    if (named.has(path)) continue;
    await rm(join(dataset, path));
    await removeEmpty(dataset, dirname(path));
  }
}

async function removeEmpty(dataset: string, folder: string): Promise<void> {
  if (folder === ".") return;
  const isGone = await rmdir(join(dataset, folder)).then(
    () => true,
    () => false,
  );
  if (isGone) await removeEmpty(dataset, dirname(folder));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
