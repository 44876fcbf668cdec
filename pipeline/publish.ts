/**
 * Puts a finished dataset in the place of an older one: whole or not at all.
 * @module
 */
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { isCollectionName } from "../data/format/collections.ts";
import { MANIFEST_PATH, REJECTS_PATH, STAC_CATALOG_PATH, STAC_FOLDER } from "../data/format/paths.ts";

/** Folders of builds that run or were cut off, with the process in the name; readers skip names that start with a dot. */
const WORK_PREFIX = ".build-";

/**
 * A folder to build in, on the dataset's own disk so that files can be renamed into place. Removes those of builds that
 * were cut off. Throws when the dataset's folder holds something else.
 */
export async function makeWorkFolder(dataset: string): Promise<string> {
  await mkdir(dataset, { recursive: true });
  await refuseStrangeFolder(dataset);
  for (const name of await readdir(dataset)) {
    const pid = /^\.build-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(dataset, name), { recursive: true, force: true });
  }
  return mkdtemp(join(dataset, `${WORK_PREFIX}${process.pid}-`));
}

async function refuseStrangeFolder(dataset: string): Promise<void> {
  const stranger = (await filesBelow(dataset)).find((path) => !isOurs(path) && path !== REJECTS_PATH);
  if (stranger !== undefined && !(await hasManifest(dataset)))
    throw new Error(`${dataset}: not a dataset, and not empty: it holds ${stranger}`);
}

async function hasManifest(dataset: string): Promise<boolean> {
  const text = await readFile(join(dataset, MANIFEST_PATH), "utf8").catch(() => "");
  return /"format":\s*"cairn"/.test(text);
}

/** Whether the path is one that a dataset gives its files. */
function isOurs(path: string): boolean {
  const [collection = ""] = path.split("/");
  return (isCollectionName(collection) && /\/[0-9a-f]{16}\.(parquet|json)$/.test(path)) || isStac(path);
}

function isStac(path: string): boolean {
  return path === STAC_CATALOG_PATH || (path.startsWith(`${STAC_FOLDER}/`) && path.endsWith(".json"));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Moves the made dataset's files into place, the manifest last, then removes files of the older one. */
export async function publish(made: string, dataset: string): Promise<void> {
  const named = await filesBelow(made);
  // What keeps its name from release to release; the catalogue names files that must be there before it.
  const last = [...named.filter(isStac), REJECTS_PATH, MANIFEST_PATH];
  const added: string[] = [];
  try {
    for (const path of named.filter((name) => !last.includes(name))) {
      const target = join(dataset, path);
      const isThere = await exists(target);
      if (isThere && (await haveSameContent(join(made, path), target))) continue;
      await mkdir(dirname(target), { recursive: true });
      await rename(join(made, path), target);
      if (!isThere) added.push(target);
    }
    for (const path of last) {
      await mkdir(dirname(join(dataset, path)), { recursive: true });
      await rename(join(made, path), join(dataset, path));
    }
  } catch (error) {
    for (const path of added) await rm(path, { force: true });
    throw error;
  }
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
    if (named.has(path) || !isOurs(path)) continue;
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

async function haveSameContent(a: string, b: string): Promise<boolean> {
  return (await readFile(a)).equals(await readFile(b));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
