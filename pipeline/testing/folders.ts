/**
 * Temporary folders that are removed when a test file ends.
 * @module
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Returns a function that creates an empty folder. All folders are removed after the file's last test. */
export function temporaryFolders(): () => Promise<string> {
  const made: string[] = [];
  afterAll(async () => {
    // Writes of a killed process may still arrive.
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
