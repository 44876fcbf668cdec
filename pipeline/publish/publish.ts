import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { isCollectionName } from "../../data/format/collections.ts";
import { KEPT_FOLDER, MANIFEST_PATH, REJECTS_PATH, STAC_CATALOG_PATH, STAC_FOLDER } from "../../data/format/paths.ts";
import { type Disk, eachFile, filesBelow } from "../disk/index.ts";
import { type MadeFile, sizeOf } from "../plan/index.ts";
import { copiedPath, isNamedByContent, type MadeDatasetFile, type PlaceOptions, placeFiles } from "../stages/index.ts";

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

function isStac(path: string): boolean {
  return path === STAC_CATALOG_PATH || (path.startsWith(`${STAC_FOLDER}/`) && path.endsWith(".json"));
}

export interface Publication {
  /** Named by their content: what tasks made and synced, and those of the stage `publish` placed. */
  readonly placed: readonly MadeFile[];
  readonly others: readonly MadeDatasetFile[];
}

/**
 * Moves files into place, the manifest last, then removes those of the older dataset. Cut off at any moment, even by
 * a power loss, the folder holds the old dataset or the new one, and the same call goes on.
 */
export async function publish({ placed, others }: Publication, options: PlaceOptions): Promise<void> {
  const { dataset, disk, assertHeld } = options;
  // these keep their name from release to release; the catalogue names files that must be there before it
  const isBeside = ({ path }: MadeDatasetFile): boolean => isStac(path) || path === REJECTS_PATH;
  const manifest = others.filter(({ path }) => path === MANIFEST_PATH);
  const beside = others.filter(isBeside);
  const hashed = others.filter((file) => !isBeside(file) && file.path !== MANIFEST_PATH);
  await eachFile(placed, (file) => checkPlaced(file, dataset));
  await eachFile(others, ({ made }) => disk.syncFile(made));
  // each is durable before the next begins: a manifest must name nothing that could be lost
  for (const turn of [hashed, beside, manifest]) await placeFiles(turn, options);
  await disk.syncFolder(dirname(dataset));
  await assertHeld();
  await removeUnnamed(dataset, new Set([...placed, ...others].map(({ path }) => path)), disk);
}

/** A node may have written where no other sees it. */
async function checkPlaced({ path, bytes }: MadeFile, dataset: string): Promise<void> {
  const size = await sizeOf(join(dataset, path));
  if (size !== bytes) throw new Error(`${join(dataset, path)}: ${size ?? "no"} bytes, expected ${bytes}; build again`);
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

/** Whether a build that was killed left it while copying. */
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
