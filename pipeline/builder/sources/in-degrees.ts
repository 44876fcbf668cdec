import { BLOB, DuckDBBlobValue, INTEGER } from "@duckdb/node-api";
import { type Position, readWkb } from "../../../data/format/geometry.ts";
import { sridOf } from "../../../data/format/wkb-header.ts";
import { writeWkb } from "../../../data/format/write-wkb.ts";
import { type Crs, crsOf, mapPositions } from "../../../data/tables/index.ts";
import { type Database, functionName, sqlFunction } from "../../base/database/index.ts";
import type { NormalisedSource } from "./schema.ts";

export interface OpenedSource extends NormalisedSource {
  /** The reference system of the geometries, as the file states it. */
  readonly crs?: string | undefined;
  /** Whether each geometry may state its own reference system (SRID), because the file states none. */
  readonly mayHaveSrids?: boolean;
}

/**
 * Returns the source with its geometries in degrees of WGS84. A position that the reference system does not have
 * becomes infinite. Throws `TableError` for an unknown reference system.
 */
export async function inDegrees(database: Database, source: OpenedSource): Promise<NormalisedSource> {
  const { crs, mayHaveSrids = false, ...opened } = source;
  const { relation, columns } = opened;
  if (!columns.some(({ name }) => name === "geometry")) return opened;
  const stated = crs === undefined ? undefined : await crsOf(crs);
  const own = new Map<number, Crs>();
  for (const srid of mayHaveSrids ? await sridsIn(database, relation) : []) own.set(srid, await crsOf(`EPSG:${srid}`));
  if (![stated, ...own.values()].some((system) => system?.toDegrees)) return opened;
  const name = functionName("in_degrees");
  database.register(
    sqlFunction(name, [BLOB], BLOB, (wkb) => {
      if (wkb === null) return null;
      const { toDegrees } = stated ?? own.get(sridOf(wkb) ?? 0) ?? {};
      return new DuckDBBlobValue(toDegrees ? transformed(wkb, toDegrees) : wkb);
    }),
  );
  return {
    ...opened,
    relation: `SELECT * REPLACE (${name}(geometry) AS geometry) FROM (${relation})`,
    // The boxes are in the file's system.
    columns: columns.filter((column) => column.name !== "bbox"),
  };
}

/** A position outside of the system becomes infinite, and damaged WKB stays: both are rejected with a reason later. */
function transformed(wkb: Uint8Array, toDegrees: NonNullable<Crs["toDegrees"]>): Uint8Array {
  const degrees = (position: Position): Position => {
    if (position.every(Number.isNaN)) return position;
    try {
      return toDegrees(position);
    } catch {
      return [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    }
  };
  try {
    return writeWkb(mapPositions(readWkb(wkb), degrees));
  } catch {
    return wkb;
  }
}

async function sridsIn(database: Database, relation: string): Promise<number[]> {
  const name = functionName("wkb_srid");
  database.register(sqlFunction(name, [BLOB], INTEGER, (wkb) => (wkb && sridOf(wkb)) ?? null));
  const rows = await database.rows<{ srid: number }>(
    `SELECT DISTINCT ${name}(geometry) AS srid FROM (${relation}) WHERE srid > 0 ORDER BY srid`,
  );
  return rows.map(({ srid }) => srid);
}
