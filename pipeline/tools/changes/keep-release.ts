/**
 * Keeps an older release inside the dataset that replaced it: copies its files, and its manifest under another name.
 * @module
 */
import { createHash } from "node:crypto";
import { copyFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MAX_MANIFEST_BYTES, type Manifest } from "../../../data/format/manifest.ts";
import { writeManifestFile } from "../../../data/format/manifest-file.ts";
import { keptManifestPath, MANIFEST_PATH } from "../../../data/format/paths.ts";
import { exists, lockDataset, makeFolder } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { packsNamed, readManifest } from "../../builder/index/index.ts";
import { removeSignatures } from "../sign/index.ts";

/** Name of the kept release, and what was copied for it. */
export interface KeepReport {
  readonly release: string;
  /** Number of files of the older release that the dataset lacked and that were copied. */
  readonly files: number;
  readonly bytes: number;
}

/**
 * Copies the files of an older release that the dataset lacks, then lists the release in the dataset's manifest and
 * removes its signatures, because the manifest changes. `since` selects a release that the folder `older` keeps itself.
 * Throws if both are the same release, or if too many are kept.
 */
export async function keepRelease(older: string, dataset: string, since?: string): Promise<KeepReport> {
  const lock = await lockDataset(dataset);
  try {
    const [from, present] = [await openRelease(older, since), await openRelease(dataset)];
    const { kept: _, ...manifest } = from.manifest;
    const { release } = manifest;
    const file = await writeManifestFile(manifest);
    if (release === present.manifest.release) {
      const { kept: __, ...own } = present.manifest;
      const isSame = Buffer.compare(file, await writeManifestFile(own)) === 0;
      throw new CodedError(
        "CAIRN_E_RELEASE",
        isSame
          ? `${dataset} is release ${release} itself`
          : `${older} and ${dataset} are different builds of release ${release}: build one with another --release`,
      );
    }
    const copied = await copyFiles(from, dataset);
    const sha256 = createHash("sha256").update(file).digest("hex");
    await put(join(dataset, keptManifestPath({ sha256 })), (path) => writeFile(path, file));
    const others = (present.manifest.kept ?? []).filter((each) => each.release !== release);
    const kept = [{ release, sha256, bytes: file.byteLength }, ...others];
    const whole = await writeManifestFile({ ...present.manifest, kept });
    if (whole.byteLength > MAX_MANIFEST_BYTES)
      throw new CodedError("CAIRN_E_RELEASE", `${dataset} already keeps the maximum number of releases`);
    await put(join(dataset, MANIFEST_PATH), (path) => writeFile(path, whole));
    await removeSignatures(dataset);
    return { release, ...copied };
  } finally {
    await lock.release();
  }
}

/**
 * Keeps the release of the previous build in the dataset, as `keepRelease` does. If both have the same release, keeps
 * the release that the previous build kept last. Undefined if there is nothing to keep.
 */
export async function keepPrevious(previous: string, dataset: string): Promise<KeepReport | undefined> {
  if (!(await exists(join(previous, MANIFEST_PATH)))) return undefined;
  const [{ manifest: before }, { manifest: present }] = [await openRelease(previous), await openRelease(dataset)];
  if (before.release !== present.release) return keepRelease(previous, dataset);
  const [kept] = before.kept ?? [];
  return kept && keepRelease(previous, dataset, kept.release);
}

async function copyFiles(from: OpenRelease, dataset: string): Promise<Pick<KeepReport, "files" | "bytes">> {
  let [files, bytes] = [0, 0];
  for (const path of await packsNamed(from.folder, from.manifest)) {
    const target = join(dataset, path);
    if (await exists(target)) continue;
    await put(target, (beside) => copyFile(join(from.folder, path), beside));
    files++;
    bytes += (await stat(target)).size;
  }
  return { files, bytes };
}

/** Writes a file under a temporary name and renames it, so that no reader sees a partial file. */
async function put(target: string, write: (path: string) => Promise<void>): Promise<void> {
  await makeFolder(dirname(target));
  await write(`${target}.tmp`);
  await rename(`${target}.tmp`, target);
}

export interface OpenRelease {
  readonly folder: string;
  readonly manifest: Manifest;
}

/**
 * Reads the manifest of a dataset, or with `release` that of an older release that the dataset keeps. Throws if the
 * folder is not a dataset, or if it does not keep that release.
 */
export async function openRelease(folder: string, release?: string): Promise<OpenRelease> {
  const manifest = await readManifest(folder);
  if (release === undefined) return { folder, manifest };
  const kept = manifest.kept ?? [];
  const wanted = kept.find((each) => each.release === release);
  if (wanted) return { folder, manifest: await readManifest(folder, keptManifestPath(wanted)) };
  const names = kept.map((each) => each.release).join(", ");
  throw new CodedError(
    "CAIRN_E_RELEASE",
    `${folder} keeps ${names === "" ? "no older release" : `the releases ${names}`}, got ${release}`,
  );
}
