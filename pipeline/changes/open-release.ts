/** A release of a dataset's folder: the one of its manifest, or an older one that it keeps. @module */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Manifest, parseManifest } from "../../data/format/manifest.ts";
import { keptManifestPath, MANIFEST_PATH } from "../../data/format/paths.ts";

export interface OpenRelease {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Throws when the folder is no dataset, and when it does not keep the release, naming those that it does. */
export async function openRelease(folder: string, release?: string): Promise<OpenRelease> {
  const manifest = await readManifest(folder, MANIFEST_PATH);
  if (release === undefined) return { folder, manifest };
  const kept = manifest.kept ?? [];
  const wanted = kept.find((each) => each.release === release);
  if (wanted) return { folder, manifest: await readManifest(folder, keptManifestPath(wanted)) };
  const names = kept.map((each) => each.release).join(", ");
  throw new Error(`${folder} keeps ${names === "" ? "no older release" : `the releases ${names}`}, got ${release}`);
}

async function readManifest(folder: string, path: string): Promise<Manifest> {
  const text = await readFile(join(folder, path), "utf8").catch((cause) => {
    const what = path === MANIFEST_PATH ? "is not a dataset: it" : "is not whole: it";
    throw new Error(`${folder} ${what} has no ${path}`, { cause });
  });
  return parseManifest(JSON.parse(text));
}
