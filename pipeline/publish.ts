/**
 * Puts a finished dataset in the place of an older one: whole or not at all.
 * @module
 */
import { access, copyFile, mkdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isCollectionName } from "../data/format/collections.ts";
import { MANIFEST_PATH, REJECTS_PATH, STAC_CATALOG_PATH, STAC_FOLDER } from "../data/format/paths.ts";
import { eachFile, filesBelow, hashFile } from "./files.ts";

/** Throws when the dataset's folder holds something else. */
export async function refuseStrangeFolder(dataset: string): Promise<void> {
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
  return (isCollectionName(collection) && /\/[0-9a-f]{16}\.\w+$/.test(path)) || isStac(path);
}

function isStac(path: string): boolean {
  return path === STAC_CATALOG_PATH || (path.startsWith(`${STAC_FOLDER}/`) && path.endsWith(".json"));
}

/** A file of the dataset, and where it was made. */
export interface MadeDatasetFile {
  /** Path below the dataset's folder. */
  readonly path: string;
  /** Is moved, when it is still there. */
  readonly made: string;
}

/**
 * Moves files into place, the manifest last, then removes files of the older dataset. Cut off at any moment, the folder
 * holds the old dataset or the new one, and the same call goes on.
 */
export async function publish(files: readonly MadeDatasetFile[], dataset: string): Promise<void> {
  // what keeps its name from release to release; the catalogue names files that must be there before it
  const last = [...files.map(({ path }) => path).filter(isStac), REJECTS_PATH, MANIFEST_PATH];
  const hashed = files.filter(({ path }) => !last.includes(path));
  const mutable = last.flatMap((name) => files.filter(({ path }) => path === name));
  for (const folder of new Set(hashed.map(({ path }) => dirname(path)))) {
    await mkdir(join(dataset, folder), { recursive: true });
  }
  await eachFile(hashed, async ({ path, made }) => {
    const target = join(dataset, path);
    if ((await exists(made)) && !(await isSound(target))) await move(made, target);
  });
  for (const { path, made } of mutable) {
    await mkdir(dirname(join(dataset, path)), { recursive: true });
    await move(made, join(dataset, path));
  }
  await removeUnnamed(dataset, new Set(files.map(({ path }) => path)));
}

/** Whether a file is there with the content that its name says. */
async function isSound(path: string): Promise<boolean> {
  return (await exists(path)) && (await hashFile(path)).startsWith(basename(path).split(".")[0] ?? "");
}

/** From another disk it is copied beside first, so that nobody sees a part of it. */
async function move(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EXDEV") throw error;
    const beside = join(dirname(to), `.${basename(to)}.tmp`);
    await copyFile(from, beside);
    await rename(beside, to);
    await rm(from);
  });
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

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
