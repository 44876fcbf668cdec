/**
 * Temporary folders that go when a test file ends.
 * @module
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Makes a new empty folder; all are removed after the last test of the file. */
export function temporaryFolders(): () => Promise<string> {
  const made: string[] = [];
  afterAll(async () => {
    // what a killed process had begun to write may still arrive
    for (const folder of made) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), "cairn-test-"));
    made.push(folder);
    return folder;
  };
}

/** Writes a FeatureCollection and returns its path. */
export async function writeGeoJson(folder: string, name: string, features: readonly unknown[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify({ type: "FeatureCollection", features }));
  return path;
}

/** A GeoJSON point feature. */
export function point(
  id: string | undefined,
  lon: number,
  lat: number,
  properties: Record<string, unknown> = {},
): unknown {
  return { type: "Feature", id, geometry: { type: "Point", coordinates: [lon, lat] }, properties };
}
