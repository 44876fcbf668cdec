/**
 * Brings files into the dataset's folder. Those named by their content harm nobody while no manifest names them, so tasks
 * may do that side by side, and two of them the same. @module
 */
import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import {
  assertLocked,
  DISK,
  type Disk,
  eachFile,
  exists,
  explainFullDisk,
  foldersTo,
  hashFile,
} from "../disk/index.ts";
import { type BuildPlan, type PublishTask, publishedFiles, taskFolder } from "../plan/index.ts";

export interface MadeDatasetFile {
  /** In the dataset. */
  readonly path: string;
  readonly made: string;
}

export interface PlaceOptions {
  readonly dataset: string;
  readonly disk: Disk;
  /** Throws when another build has the folder. */
  readonly assertHeld: () => Promise<void>;
}

/** So many files are placed after each look at the lock. */
const FILES_A_LOOK = 256;

/** Brings what tasks made into the dataset's folder; returns what a record of that says. */
export async function publishShare(
  { plan, disk = DISK }: { readonly plan: BuildPlan; readonly disk?: Disk },
  { from, lock }: PublishTask,
): Promise<{ readonly files: number }> {
  const { work, dataset } = plan;
  const files: MadeDatasetFile[] = [];
  for (const key of from) {
    for (const { path } of await publishedFiles(work, key))
      files.push({ path, made: join(taskFolder(work, key), path) });
  }
  await placeFiles(files, { dataset, disk, assertHeld: () => assertLocked(dataset, lock) });
  return { files: files.length };
}

/** Puts files that were synced in place; they are durable there when it ends. */
export async function placeFiles(
  files: readonly MadeDatasetFile[],
  { dataset, disk, assertHeld }: PlaceOptions,
): Promise<void> {
  for (let start = 0; start < files.length; start += FILES_A_LOOK) {
    await assertHeld();
    const some = files.slice(start, start + FILES_A_LOOK);
    await eachFile([...new Set(some.map(({ path }) => dirname(join(dataset, path))))], disk.makeFolder);
    await eachFile(some, (file) => place(file, dataset, disk));
  }
  // also where all was in place: who put it there may have been killed before this
  const folders = new Set(files.flatMap(({ path }) => foldersTo(path)));
  await eachFile([...folders], (folder) => disk.syncFolder(join(dataset, folder)));
}

async function place({ path, made }: MadeDatasetFile, dataset: string, disk: Disk): Promise<void> {
  const target = join(dataset, path);
  try {
    if (isNamedByContent(path) && (await isSound(target, made))) return;
    await move(made, target, disk);
  } catch (error) {
    // another attempt may have moved it in the meantime
    if (isMissing(error) && isNamedByContent(path) && (await isSound(target, made))) return;
    throw explainFullDisk(error, dataset, "free room there, and build again");
  }
}

export function isNamedByContent(path: string): boolean {
  return /\/[0-9a-f]{16}\.\w+$/.test(path);
}

/** Where nothing is left to take its place it was put there, or looked at, by this build. */
async function isSound(target: string, made: string): Promise<boolean> {
  if (!(await exists(target))) return false;
  return !(await exists(made)) || (await hashFile(target)).startsWith(basename(target).split(".")[0] ?? "");
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

/** From another disk it is copied beside first, so that nobody sees half a file. */
async function move(from: string, to: string, disk: Disk): Promise<void> {
  try {
    await disk.rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    await copyAndRename(from, to, disk);
    await disk.remove(from);
  }
}

/** Each attempt has a copy of its own. */
async function copyAndRename(from: string, to: string, disk: Disk): Promise<void> {
  const beside = join(dirname(to), `.${basename(to)}.${randomBytes(4).toString("hex")}.tmp`);
  try {
    await disk.copy(from, beside);
    await disk.syncFile(beside);
    await disk.rename(beside, to);
  } catch (error) {
    await disk.remove(beside);
    throw error;
  }
}

/** The file that it is a copy for, which who was killed left; undefined for other files. */
export function copiedPath(path: string): string | undefined {
  const name = /^\.(.+)\.[0-9a-f]{8}\.tmp$/.exec(basename(path))?.[1];
  return name === undefined ? undefined : join(dirname(path), name);
}
