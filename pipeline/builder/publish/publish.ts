import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { isCollectionFolder } from "../../../data/format/own-collections.ts";
import {
  KEPT_FOLDER,
  MANIFEST_PATH,
  REJECTS_PATH,
  STAC_CATALOG_PATH,
  STAC_FOLDER,
} from "../../../data/format/paths.ts";
import { type Disk, eachFile, filesBelow } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { type MadeFile, sizeOf } from "../plan/index.ts";
import {
  copiedPath,
  isNamedByContent,
  type MadeDatasetFile,
  type PublishOptions,
  publishFiles,
} from "../stages/index.ts";

/**
 * Throws if the folder has files that a build did not write and no manifest, because a build would replace the folder's
 * content.
 */
export async function refuseStrangeFolder(dataset: string): Promise<void> {
  const unexpected = (await filesBelow(dataset)).find((path) => !isOurs(path) && path !== REJECTS_PATH);
  if (unexpected !== undefined && !(await hasManifest(dataset)))
    throw new CodedError("CAIRN_E_OUTPUT", `${dataset}: not a dataset, and not empty: it holds ${unexpected}`);
}

async function hasManifest(dataset: string): Promise<boolean> {
  const text = await readFile(join(dataset, MANIFEST_PATH), "utf8").catch(() => "");
  return /"format":\s*"cairn"/.test(text);
}

function isOurs(path: string): boolean {
  const [collection = ""] = path.split("/");
  return (isCollectionFolder(collection) && isNamedByContent(path)) || isStac(path) || isKept(path);
}

/** A new release does not keep older ones. `cairn keep` adds them afterwards. */
function isKept(path: string): boolean {
  return path.startsWith(`${KEPT_FOLDER}/`) && isNamedByContent(path);
}

function isStac(path: string): boolean {
  return path === STAC_CATALOG_PATH || (path.startsWith(`${STAC_FOLDER}/`) && path.endsWith(".json"));
}

interface Publication {
  /** Files named by content that are already in the dataset. */
  readonly published: readonly MadeFile[];
  /** All other files of the dataset, which are moved: manifest, upper index pages, catalogue and rejects. */
  readonly others: readonly MadeDatasetFile[];
}

/**
 * Moves `others` into the dataset, the manifest last, then removes files of the older dataset. If it is interrupted,
 * even by a power failure, the folder has the old dataset or the new one, and the same call continues. Throws if a
 * published file is missing.
 */
export async function publish({ published, others }: Publication, options: PublishOptions): Promise<void> {
  const { dataset, disk, assertHeld } = options;
  // These keep their names across releases. The catalogue refers to files that must exist first.
  const hasFixedName = ({ path }: MadeDatasetFile): boolean => isStac(path) || path === REJECTS_PATH;
  const manifest = others.filter(({ path }) => path === MANIFEST_PATH);
  const fixed = others.filter(hasFixedName);
  const hashed = others.filter((file) => !hasFixedName(file) && file.path !== MANIFEST_PATH);
  await eachFile(published, (file) => checkPublished(file, dataset));
  await eachFile(others, ({ made }) => disk.syncFile(made));
  // Each group is durable before the next: a manifest must not refer to a file that could be lost.
  for (const group of [hashed, fixed, manifest]) await publishFiles(group, options);
  await disk.syncFolder(dirname(dataset));
  await assertHeld();
  await removeUnnamed(dataset, new Set([...published, ...others].map(({ path }) => path)), disk);
}

/** A node may have written where other nodes see nothing. */
async function checkPublished({ path, bytes }: MadeFile, dataset: string): Promise<void> {
  const size = await sizeOf(join(dataset, path));
  if (size !== bytes)
    throw new CodedError(
      "CAIRN_E_DATA",
      `${join(dataset, path)}: ${size ?? "no"} bytes, expected ${bytes}; build again`,
    );
}

async function removeUnnamed(dataset: string, named: ReadonlySet<string>, disk: Disk): Promise<void> {
  const entries = await readdir(dataset, { recursive: true, withFileTypes: true });
  const paths = entries.flatMap((entry) =>
    entry.isDirectory() ? [] : [relative(dataset, join(entry.parentPath, entry.name)).replaceAll(sep, "/")],
  );
  const unnamed = paths.filter((path) => !named.has(path) && (isOurs(path) || isCopy(path)));
  await eachFile(unnamed, async (path) => {
    await disk.remove(join(dataset, path));
    await removeEmpty(dataset, dirname(path), disk);
  });
}

/** True for a copy that a killed build left. */
function isCopy(path: string): boolean {
  const whole = copiedPath(path);
  return whole !== undefined && (isOurs(whole) || whole === REJECTS_PATH || whole === MANIFEST_PATH);
}

async function removeEmpty(dataset: string, folder: string, disk: Disk): Promise<void> {
  if (folder === ".") return;
  const isGone = await disk.removeFolder(join(dataset, folder)).then(
    () => true,
    () => false,
  );
  if (isGone) await removeEmpty(dataset, dirname(folder), disk);
}
