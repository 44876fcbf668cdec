/**
 * Turns a built page into a site: adds the dataset, and files for hosts. Needs no build tools.
 * @module
 */
import { constants } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Manifest } from "../../data/format/manifest.ts";
import { readManifestFile } from "../../data/format/manifest-file.ts";
import { MANIFEST_PATH } from "../../data/format/paths.ts";
import { allowRelease } from "./allow-release.ts";
import { headerRules, headersFile } from "./headers.ts";
import { limitFaults, type SiteFile } from "./host-limits.ts";

export interface BuiltSite {
  readonly files: number;
  readonly bytes: number;
  /** Limits of common hosts that the site exceeds, one line each. */
  readonly warnings: readonly string[];
}

interface SiteParts {
  readonly out: string;
  readonly dataset: string | undefined;
  readonly manifest: Manifest | undefined;
  /** URL of a dataset outside the site. */
  readonly elsewhere?: string | undefined;
  /** URL of a release's catalogue from which users may fetch areas. */
  readonly release?: string | undefined;
}

/**
 * Adds the dataset and the files for hosts to a built page. Replaces the folder `out/dataset`. Returns the size of the whole
 * site.
 */
export async function finishSite({ out, dataset, manifest, elsewhere, release }: SiteParts): Promise<BuiltSite> {
  if (dataset !== undefined) await copyFolder(dataset, join(out, "dataset"));
  if (release !== undefined) await allowRelease(out, release);
  const rules = headerRules(Object.keys(manifest?.collections ?? {}), elsewhere, release);
  await writeFile(join(out, "_headers"), headersFile(rules));
  // GitHub Pages omits folders that start with `_`, which the dataset has.
  await writeFile(join(out, ".nojekyll"), "");
  const files = await listFiles(out);
  return {
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    warnings: limitFaults(files),
  };
}

/** Reads and checks the manifest of a dataset in a folder. Throws if it is missing or not valid. */
export async function readManifest(dataset: string): Promise<Manifest> {
  const path = join(dataset, MANIFEST_PATH);
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new Error(`${dataset} is not a dataset: it has no ${MANIFEST_PATH}`, { cause });
  });
  return readManifestFile(bytes, path);
}

/** Replaces the folder `to` by a copy of `from`, without names that begin with a dot. Shares disk blocks where possible. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  for (const { path } of await listFiles(from)) {
    if (path.split("/").some((name) => name.startsWith("."))) continue;
    await mkdir(dirname(join(to, path)), { recursive: true });
    await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
  }
}

async function listFiles(folder: string): Promise<SiteFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.sort().map(async (path) => ({
      path: path.slice(join(folder, "/").length).replaceAll("\\", "/"),
      bytes: (await stat(path)).size,
    })),
  );
}
