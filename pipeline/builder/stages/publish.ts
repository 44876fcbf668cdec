/**
 * Moves files into the dataset's folder. Files named by content are unused until a manifest refers to them, so several
 * tasks may move them at once, even the same ones. @module
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
} from "../../base/disk/index.ts";
import { type BuildPlan, type PublishTask, publishedFiles, taskFolder } from "../plan/index.ts";

/** A file that is ready to be moved into the dataset. */
export interface MadeDatasetFile {
  /** Path in the dataset. */
  readonly path: string;
  /** Path of the file until it is moved. */
  readonly made: string;
}

export interface PublishOptions {
  readonly dataset: string;
  readonly disk: Disk;
  /** Throws if another build has the lock. */
  readonly assertHeld: () => Promise<void>;
}

/** Number of files to move between checks of the lock. */
const FILES_A_LOOK = 256;

/**
 * Moves the files that belong into the dataset from the output of tasks to the dataset's folder. Returns their number.
 * Throws if another build has the lock.
 */
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
  await publishFiles(files, { dataset, disk, assertHeld: () => assertLocked(dataset, lock) });
  return { files: files.length };
}

/**
 * Moves files, which must be synced, into the dataset's folder. They survive a power loss when the promise resolves.
 * Throws if another build has the lock.
 */
export async function publishFiles(
  files: readonly MadeDatasetFile[],
  { dataset, disk, assertHeld }: PublishOptions,
): Promise<void> {
  for (let start = 0; start < files.length; start += FILES_A_LOOK) {
    await assertHeld();
    const some = files.slice(start, start + FILES_A_LOOK);
    await eachFile([...new Set(some.map(({ path }) => dirname(join(dataset, path))))], disk.makeFolder);
    await eachFile(some, (file) => publishFile(file, dataset, disk));
  }
  // Also sync if all files exist already: an earlier attempt may have been killed before this step.
  const folders = new Set(files.flatMap(({ path }) => foldersTo(path)));
  await eachFile([...folders], (folder) => disk.syncFolder(join(dataset, folder)));
}

async function publishFile({ path, made }: MadeDatasetFile, dataset: string, disk: Disk): Promise<void> {
  const target = join(dataset, path);
  try {
    if (isNamedByContent(path) && (await isSound(target, made))) return;
    await move(made, target, disk);
  } catch (error) {
    // Another attempt may have moved it meanwhile.
    if (isMissing(error) && isNamedByContent(path) && (await isSound(target, made))) return;
    throw explainFullDisk(error, dataset, "free disk space, and build again");
  }
}

/** Returns whether a file's name is the start of a hash of its content, by the form of the path. */
export function isNamedByContent(path: string): boolean {
  return /\/[0-9a-f]{16}\.\w+$/.test(path);
}

/** Without a replacement, the file was placed or checked by this build. */
async function isSound(target: string, made: string): Promise<boolean> {
  if (!(await exists(target))) return false;
  return !(await exists(made)) || (await hashFile(target)).startsWith(basename(target).split(".")[0] ?? "");
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

/** From another disk it is copied to a temporary name first, so that no reader sees a partial file. */
async function move(from: string, to: string, disk: Disk): Promise<void> {
  try {
    await disk.rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    await copyAndRename(from, to, disk);
    await disk.remove(from);
  }
}

/** Each attempt uses its own copy. */
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

/**
 * If the path is that of a temporary copy, returns the path to which the copy would have been renamed; undefined for
 * other paths.
 */
export function copiedPath(path: string): string | undefined {
  const name = /^\.(.+)\.[0-9a-f]{8}\.tmp$/.exec(basename(path))?.[1];
  return name === undefined ? undefined : join(dirname(path), name);
}
