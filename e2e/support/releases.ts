/**
 * Datasets with several releases.
 * @module
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readManifestFile, writeManifestFile } from "../../data/format/manifest-file.ts";
import { KEPT_FOLDER, keptManifestPath, MANIFEST_PATH } from "../../data/format/paths.ts";
import { makeDataset } from "../../web/engine/testing/made-up-dataset.ts";

export interface Release {
  readonly name: string;
  /** Number of places, in a line eastward in Monaco. */
  readonly places: number;
  /** Name of a place by number. Default: no names. */
  readonly nameOf?: (index: number) => string;
  /** Number of the first place. Default: 0. */
  readonly first?: number;
  /** Longitude of the first place. Default: 7.42. Releases with different values have no file in common. */
  readonly firstLon?: number;
}

/** The circle around all places of a release. */
export const AROUND_RELEASES = "lat=43.73&lng=7.4215&radius=2000";

/**
 * Replaces the release in the folder; with `keeps`, leaves the older files, as hosts do for readers of the older
 * release.
 */
export async function publishRelease(folder: string, release: Release, options: { readonly keeps?: boolean } = {}) {
  const { first = 0, firstLon = 7.42, nameOf } = release;
  const numbers = Array.from({ length: release.places }, (_, i) => first + i);
  const rows = numbers.map((i) => ({
    id: `row${String(i).padStart(3, "0")}`,
    country: "MC",
    geometry: { type: "Point", coordinates: [firstLon + i / 10_000, 43.73] } as const,
    ...(nameOf ? { values: { names: `{'primary': '${nameOf(i)}', common: NULL, rules: NULL}` } } : {}),
  }));
  const files = await makeDataset({ place: rows }, { release: release.name, rowsPerPartition: 10, keepOrder: true });
  if (!options.keeps) await rm(folder, { recursive: true, force: true });
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
}

/** A dataset of links to the files of another, with an older release that differs in places only. */
export async function keepReleaseWithoutPlaces(
  dataset: string,
  { folder, release }: { readonly folder: string; readonly release: string },
) {
  await mkdir(join(folder, KEPT_FOLDER), { recursive: true });
  for (const name of await readdir(dataset)) {
    if (name !== MANIFEST_PATH) await symlink(resolve(dataset, name), join(folder, name));
  }
  const manifest = await readManifestFile(await readFile(join(dataset, MANIFEST_PATH)));
  const { place: _, ...collections } = manifest.collections;
  const older = await writeManifestFile({ ...manifest, release, collections });
  const kept = { release, sha256: createHash("sha256").update(older).digest("hex"), bytes: older.length };
  await writeFile(join(folder, keptManifestPath(kept)), older);
  await writeFile(join(folder, MANIFEST_PATH), await writeManifestFile({ ...manifest, kept: [kept] }));
}
