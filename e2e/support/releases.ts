/**
 * Datasets that come out anew.
 * @module
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeDataset } from "../../web/engine/testing/made-up-dataset.ts";

export interface Release {
  readonly name: string;
  /** Of places, a row of them in Monaco going east. */
  readonly places: number;
  /** Where the row begins; 7.42 when left out. Releases that begin elsewhere have no file in common. */
  readonly firstLon?: number;
}

/** The circle around every place of a release. */
export const AROUND_RELEASES = "lat=43.73&lng=7.4215&radius=2000";

/** Writes a release in the place of what the folder holds; beside it with `keeps`, as hosts do for readers of the older one. */
export async function publishRelease(folder: string, release: Release, options: { readonly keeps?: boolean } = {}) {
  const rows = Array.from({ length: release.places }, (_, i) => ({
    id: `row${String(i).padStart(3, "0")}`,
    country: "MC",
    geometry: { type: "Point", coordinates: [(release.firstLon ?? 7.42) + i / 10_000, 43.73] } as const,
  }));
  const files = await makeDataset({ place: rows }, { release: release.name, rowsPerPartition: 10, keepOrder: true });
  if (!options.keeps) await rm(folder, { recursive: true, force: true });
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
}
