/**
 * A plain loop over every source row, to compare answers with.
 * @module
 */
import { parquetReadObjects } from "hyparquet";
import { asyncBufferFromFile } from "hyparquet/src/node.js";
import { compressors } from "hyparquet-compressors";
import { SAMPLE_FOLDER } from "./folders.ts";

export interface PointRow {
  readonly id: string;
  readonly lon: number;
  readonly lat: number;
}

export interface PlainResult {
  readonly total: number;
  readonly rows: readonly { readonly id: string; readonly distance: number }[];
}

/** Reads the rows of these sample files, whose geometries are points. */
export async function readPoints(...files: string[]): Promise<PointRow[]> {
  const tables = await Promise.all(
    files.map(async (name) => {
      const file = await asyncBufferFromFile(`${SAMPLE_FOLDER}/${name}.parquet`);
      return parquetReadObjects({ file, compressors, columns: ["id", "geometry"] });
    }),
  );
  return tables.flat().map(({ id, geometry }) => {
    const { coordinates } = geometry as { coordinates: [number, number] };
    return { id: String(id), lon: coordinates[0], lat: coordinates[1] };
  });
}

/** Returns a page of the rows within the radius: by distance, then id. */
export function plainSearch(
  rows: readonly PointRow[],
  { lat, lng, radius, limit, page }: { lat: number; lng: number; radius: number; limit: number; page: number },
): PlainResult {
  const near = rows
    .map((row) => ({ id: row.id, distance: Math.round(greatCircleMeters(lat, lng, row.lat, row.lon) * 1000) / 1000 }))
    .filter(({ distance }) => distance <= radius)
    .sort((a, b) => a.distance - b.distance || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));
  return { total: near.length, rows: near.slice(page * limit, (page + 1) * limit) };
}

function greatCircleMeters(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const radians = Math.PI / 180;
  const a =
    Math.sin(((lat2 - lat1) * radians) / 2) ** 2 +
    Math.cos(lat1 * radians) * Math.cos(lat2 * radians) * Math.sin(((lon2 - lon1) * radians) / 2) ** 2;
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(a)));
}
