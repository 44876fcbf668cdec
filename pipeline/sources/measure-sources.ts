/**
 * What a plan has to know of source files: their content and size.
 * @module
 */
import { stat } from "node:fs/promises";
import type { Database } from "../database/index.ts";
import { hashFile } from "../disk/index.ts";
import { identifyFile, isAddress, quoteSource } from "./remote-sources.ts";
import type { TypedSource } from "./source-type.ts";
import type { PlannedSource } from "./sources.ts";

/** A source with all that its scan depends on. */
export interface MeasuredSource extends PlannedSource {
  readonly sha256: string;
  /** Rows that it holds, or about as many. */
  readonly rows: number;
  readonly bytes: number;
}

/** A feature in GeoJSON takes about as many bytes. */
const GEOJSON_BYTES_PER_ROW = 400;

/** Reads every file once, of those on the network no more than what tells of them. */
export async function measureSources(database: Database, sources: readonly TypedSource[]): Promise<MeasuredSource[]> {
  const measured: MeasuredSource[] = [];
  for (const { path, name, format, type } of sources) {
    const { bytes, sha256 } = isAddress(path)
      ? await identifyFile(database, path)
      : { bytes: (await stat(path)).size, sha256: await hashFile(path) };
    const rows = format === "parquet" ? await countRows(database, path) : Math.ceil(bytes / GEOJSON_BYTES_PER_ROW);
    measured.push({ path, name, format, type, sha256, rows, bytes });
  }
  return measured;
}

async function countRows(database: Database, path: string): Promise<number> {
  const [counted] = await database.rows<{ rows: number }>(
    `SELECT num_rows AS rows FROM parquet_file_metadata(${quoteSource(path)})`,
  );
  return counted?.rows ?? 0;
}
