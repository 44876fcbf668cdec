/**
 * Writes the changes of several collections to one file.
 * @module
 */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { DuckDBBlobValue, DuckDBListValue, DuckDBValue } from "@duckdb/node-api";
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import { BBOX_TYPE } from "../../../data/format/collections.ts";
import { geoMetadata } from "../../../data/format/geo-metadata.ts";
import { GEOMETRY_CODES, readWkb } from "../../../data/format/geometry.ts";
import { type Database, quotePath } from "../../base/database/index.ts";
import { copyToParquet } from "../../builder/partitions/index.ts";

/** Writes the rows of the Parquet files, in order, as one GeoJSON FeatureCollection with one feature per line. */
export async function writeGeoJson(database: Database, files: readonly string[], path: string): Promise<void> {
  await pipeline(Readable.from(piecesOf(database, files)), createWriteStream(path));
}

async function* piecesOf(database: Database, files: readonly string[]): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":[';
  let separator = "\n";
  const columns = `id, geometry, change, "columns", collection, country, name`;
  for await (const values of database.stream(`SELECT ${columns} FROM (${allChangesSql(files)})`)) {
    for (let row = 0; row < (values[0]?.length ?? 0); row++) {
      yield separator + JSON.stringify(featureOf(values.map((column) => column[row] ?? null)));
      separator = ",\n";
    }
  }
  yield "\n]}\n";
}

function featureOf([id, geometry, change, columns, collection, country, name]: readonly (DuckDBValue | undefined)[]) {
  return {
    type: "Feature",
    id,
    geometry: readWkb((geometry as DuckDBBlobValue).bytes),
    properties: { id, collection, change, columns: (columns as DuckDBListValue).items, country, name },
  };
}

interface Extent {
  readonly kind: string;
  readonly xmin: number;
  readonly ymin: number;
  readonly xmax: number;
  readonly ymax: number;
}

/** Writes the rows of the Parquet files, in order, to one GeoParquet file. */
export async function writeGeoParquet(database: Database, files: readonly string[], path: string): Promise<void> {
  const rows = allChangesSql(files);
  const extents = await database.rows<Extent>(
    // The second byte of little-endian WKB is the geometry type.
    `SELECT hex(array_slice(geometry, 2, 2)) AS kind, min(bbox.xmin) AS xmin, min(bbox.ymin) AS ymin,
      max(bbox.xmax) AS xmax, max(bbox.ymax) AS ymax FROM (${rows}) GROUP BY 1`,
  );
  const codes = new Set(extents.map(({ kind }) => Number.parseInt(kind, 16)));
  const kinds = Object.entries(GEOMETRY_CODES).flatMap(([kind, code]) => (codes.has(code) ? [kind] : []));
  const boxes = extents.map(({ xmin, ymin, xmax, ymax }): BBox => [xmin, ymin, xmax, ymax]);
  const bbox = boxes.length === 0 ? undefined : bboxUnion(boxes);
  await copyToParquet(database, rows, path, { level: "small", metadata: { geo: geoMetadata(kinds, bbox) } });
}

const COLUMNS = [
  ["id", "VARCHAR"],
  ["collection", "VARCHAR"],
  ["change", "VARCHAR"],
  ["columns", "VARCHAR[]"],
  ["country", "VARCHAR"],
  ["name", "VARCHAR"],
  ["bbox", BBOX_TYPE],
  ["geometry", "BLOB"],
] as const;

function allChangesSql(files: readonly string[]): string {
  if (files.length > 0) return `SELECT * FROM read_parquet([${files.map(quotePath).join(", ")}])`;
  return `SELECT ${COLUMNS.map(([name, type]) => `NULL::${type} AS "${name}"`).join(", ")} WHERE false`;
}
