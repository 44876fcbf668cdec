import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { isCollectionName } from "../../data/format/collections.ts";
import { KEPT_FOLDER, MANIFEST_PATH, REJECTS_PATH, STAC_CATALOG_PATH, STAC_FOLDER } from "../../data/format/paths.ts";
import { DISK, type Disk, eachFile, exists, filesBelow, foldersTo, hashFile } from "../disk/index.ts";

const COPY_ENDING = ".tmp";

export async function refuseStrangeFolder(dataset: string): Promise<void> {
  const stranger = (await filesBelow(dataset)).find((path) => !isOurs(path) && path !== REJECTS_PATH);
  if (stranger !== undefined && !(await hasManifest(dataset)))
    throw new Error(`${dataset}: not a dataset, and not empty: it holds ${stranger}`);
}

async function hasManifest(dataset: string): Promise<boolean> {
  const text = await readFile(join(dataset, MANIFEST_PATH), "utf8").catch(() => "");
  return /"format":\s*"cairn"/.test(text);
}

function isOurs(path: string): boolean {
  const [collection = ""] = path.split("/");
  return (isCollectionName(collection) && isNamedByContent(path)) || isStac(path) || isKept(path);
}

/** A new release keeps none of the older ones: `cairn keep` does, when it is there. */
function isKept(path: string): boolean {
  return path.startsWith(`${KEPT_FOLDER}/`) && isNamedByContent(path);
}

function isNamedByContent(path: string): boolean {
  return /\/[0-9a-f]{16}\.\w+$/.test(path);
}

function isStac(path: string): boolean {
  return path === STAC_CATALOG_PATH || (path.startsWith(`${STAC_FOLDER}/`) && path.endsWith(".json"));
}

export interface MadeDatasetFile {
  readonly path: string;
  readonly made: string;
}

/**
 * Moves files into place, the manifest last, then removes those of the older dataset. Cut off at any moment, even by
 * a power loss, the folder holds the old dataset or the new one, and the same call goes on.
 */
export async function publish(files: readonly MadeDatasetFile[], dataset: string, disk: Disk = DISK): Promise<void> {
  // these keep their name from release to release; the catalogue names files that must be there before it
  const isBeside = ({ path }: MadeDatasetFile): boolean => isStac(path) || path === REJECTS_PATH;
  const manifest = files.filter(({ path }) => path === MANIFEST_PATH);
  const beside = files.filter(isBeside);
  const hashed = files.filter((file) => !isBeside(file) && file.path !== MANIFEST_PATH);
  // each is durable before the next begins: a manifest must name nothing that could be lost
  for (const turn of [hashed, beside, manifest]) await put(turn, dataset, disk);
  await disk.syncFolder(dirname(dataset));
  await removeUnnamed(dataset, new Set(files.map(({ path }) => path)), disk);
}

async function put(files: readonly MadeDatasetFile[], dataset: string, disk: Disk): Promise<void> {
  const folders = [...new Set(files.flatMap(({ path }) => foldersTo(path)))].map((folder) => join(dataset, folder));
  for (const folder of folders) await disk.makeFolder(folder);
  await eachFile(files, async ({ path, made }) => {
    const target = join(dataset, path);
    const stays = isNamedByContent(path) && (!(await exists(made)) || (await isSound(target)));
    await disk.syncFile(stays ? target : made);
    if (!stays) await move(made, target, disk);
  });
  await eachFile(folders, disk.syncFolder);
}

async function isSound(path: string): Promise<boolean> {
  return (await exists(path)) && (await hashFile(path)).startsWith(basename(path).split(".")[0] ?? "");
}

/** From another disk it is copied beside first, so that nobody sees half a file. */
async function move(from: string, to: string, disk: Disk): Promise<void> {
  await disk.rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EXDEV") throw error;
    const beside = join(dirname(to), `.${basename(to)}${COPY_ENDING}`);
    await disk.copy(from, beside);
    await disk.syncFile(beside);
    await disk.rename(beside, to);
    await disk.remove(from);
  });
}

async function removeUnnamed(dataset: string, named: ReadonlySet<string>, disk: Disk): Promise<void> {
  for (const entry of await readdir(dataset, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = relative(dataset, join(entry.parentPath, entry.name)).replaceAll(sep, "/");
    if (named.has(path) || !(isOurs(path) || isCopy(path))) continue;
    await disk.remove(join(dataset, path));
    await removeEmpty(dataset, dirname(path), disk);
  }
}

/** Whether a build that was killed left it while copying. */
function isCopy(path: string): boolean {
  const name = basename(path);
  if (!name.startsWith(".") || !name.endsWith(COPY_ENDING)) return false;
  const whole = join(dirname(path), name.slice(1, -COPY_ENDING.length));
  return isOurs(whole) || whole === REJECTS_PATH || whole === MANIFEST_PATH;
}

async function removeEmpty(dataset: string, folder: string, disk: Disk): Promise<void> {
  if (folder === ".") return;
  const isGone = await disk.removeFolder(join(dataset, folder)).then(
    () => true,
    () => false,
  );
  if (isGone) await removeEmpty(dataset, dirname(folder), disk);
}
