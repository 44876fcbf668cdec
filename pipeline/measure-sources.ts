/**
 * What a plan has to know of source files: their content and size.
 * @module
 */
import { stat } from "node:fs/promises";
import type { Database } from "./database.ts";
import { hashFile } from "./files.ts";
import type { MeasuredSource } from "./make-plan.ts";
import type { TypedSource } from "./source-type.ts";
import { quotePath } from "./sql.ts";

/** A feature in GeoJSON takes about as many bytes. */
const GEOJSON_BYTES_PER_ROW = 400;

/** Reads every file once. */
export async function measureSources(database: Database, sources: readonly TypedSource[]): Promise<MeasuredSource[]> {
  const measured: MeasuredSource[] = [];
  for (const { path, name, format, type } of sources) {
    const { size: bytes } = await stat(path);
    const rows = format === "parquet" ? await countRows(database, path) : Math.ceil(bytes / GEOJSON_BYTES_PER_ROW);
    measured.push({ path, name, format, type, sha256: await hashFile(path), rows, bytes });
  }
  return measured;
}

async function countRows(database: Database, path: string): Promise<number> {
  const [counted] = await database.rows<{ rows: number }>(
    `SELECT num_rows AS rows FROM parquet_file_metadata(${quotePath(path)})`,
  );
  return counted?.rows ?? 0;
}
