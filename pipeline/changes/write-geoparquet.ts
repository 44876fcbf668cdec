import type { Database } from "../database/index.ts";
import { copyToParquet, geoMetadata } from "../partitions/index.ts";
import { allChangesSql } from "./changes-columns.ts";

/** Kinds of geometry by the second byte of little-endian WKB. */
const KINDS = [
  "",
  "Point",
  "LineString",
  "Polygon",
  "MultiPoint",
  "MultiLineString",
  "MultiPolygon",
  "GeometryCollection",
] as const;

interface Extent {
  readonly kind: string;
  readonly xmin: number;
  readonly ymin: number;
  readonly xmax: number;
  readonly ymax: number;
}

/** One GeoParquet file of all changes, in the order of the files. */
export async function writeGeoParquet(database: Database, files: readonly string[], path: string): Promise<void> {
  const rows = allChangesSql(files);
  const extents = await database.rows<Extent>(
    `SELECT hex(array_slice(geometry, 2, 2)) AS kind, min(bbox.xmin) AS xmin, min(bbox.ymin) AS ymin,
      max(bbox.xmax) AS xmax, max(bbox.ymax) AS ymax FROM (${rows}) GROUP BY 1`,
  );
  const kinds = extents.map(({ kind }) => KINDS[Number.parseInt(kind, 16)] ?? "");
  const least = (edge: "xmin" | "ymin"): number => Math.min(...extents.map((extent) => extent[edge]));
  const most = (edge: "xmax" | "ymax"): number => Math.max(...extents.map((extent) => extent[edge]));
  const bbox = extents.length === 0 ? undefined : ([least("xmin"), least("ymin"), most("xmax"), most("ymax")] as const);
  await copyToParquet(database, rows, path, { metadata: { geo: geoMetadata(kinds, bbox) } });
}
