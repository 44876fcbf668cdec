/**
 * Joins each place with the building that contains it, otherwise with the nearest building within 25 m.
 * @module
 */
import { BLOB, DOUBLE, type DuckDBScalarFunction } from "@duckdb/node-api";
import { COLLECTIONS } from "../../../data/format/collections.ts";
import { createDistanceMeter } from "../../../data/format/distance.ts";
import { METERS_PER_DEGREE, originAt, roundToMillimeter } from "../../../data/format/sphere.ts";
import { type Database, quoteIdentifier, sqlFunction } from "../../base/database/index.ts";
import { orderKeySql } from "./order-keys.ts";

const REACH_METERS = 25;

/** Grid size in degrees: about 110 m, with a few buildings per cell. */
const CELL_DEG = 0.001;

/** Degrees of latitude of slightly more than 25 m, because padded boxes must contain all of this range. */
export const PAD_DEG = (REACH_METERS / METERS_PER_DEGREE) * 1.002;

/** Limits the padding within half a metre of a pole, where every longitude is near. */
const LEAST_COSINE = 1e-7;

const MEMBERS = ["subtype", "class", "height", "num_floors", "num_floors_underground"] as const;

/**
 * Returns the SQL function `meters_between(lon, lat, wkb)`: metres from a position in degrees to a geometry, rounded to
 * 1 mm.
 */
export function metersBetween(): DuckDBScalarFunction {
  return sqlFunction("meters_between", [DOUBLE, DOUBLE, BLOB], DOUBLE, (lon, lat, wkb) => {
    const origin = originAt(Number(lon), Number(lat));
    return wkb && roundToMillimeter(createDistanceMeter(origin)(wkb));
  });
}

interface JoinedTables {
  readonly places: string;
  readonly buildings: string;
  readonly joined: string;
}

/**
 * Creates the table `joined` from the tables `places` and `buildings`: each place with the building that contains it,
 * otherwise with the nearest one within 25 m. Leaves out places without such a building. Needs the registered function
 * `meters_between`.
 */
export async function stagePlaceBuildings(
  database: Database,
  { places, buildings, joined }: JoinedTables,
): Promise<void> {
  await database.run(`
    CREATE OR REPLACE TABLE nearest_building AS
    SELECT place_row, arg_min(building_row, (meters, building_id)) AS building_row, min(meters) AS meters
    FROM (
      SELECT place.rowid AS place_row, building.rowid AS building_row, building.id AS building_id,
        meters_between(place.bbox.xmin, place.bbox.ymin, building.geometry) AS meters
      FROM (${candidates(places, buildings)}) pair
      JOIN ${places} place ON place.rowid = pair.place_row
      JOIN ${buildings} building ON building.rowid = pair.building_row
    )
    WHERE meters <= ${REACH_METERS}
    GROUP BY place_row`);
  const computed: Readonly<Record<string, string>> = {
    geometry: "building.geometry",
    bbox: "building.bbox",
    ext_building: `struct_pack(id := building.id, distance := meters, ${MEMBERS.map((name) => `${name} := building.${quoteIdentifier(name)}`).join(", ")})`,
    ext_place_geometry: `struct_pack("type" := 'Point', coordinates := [place.bbox.xmin, place.bbox.ymin])`,
  };
  const columns = COLLECTIONS.place_building.columns.map(
    ({ name }) => `${computed[name] ?? `place.${quoteIdentifier(name)}`} AS ${quoteIdentifier(name)}`,
  );
  await database.run(`
    CREATE OR REPLACE TABLE ${joined} AS
    SELECT ${columns.join(", ")}, place._country, building._size_class, building._geohash, building._kind,
      ${orderKeySql("place._country", "building._size_class", "building._geohash")} AS _location, place._ident, place._row
    FROM nearest_building
    JOIN ${places} place ON place.rowid = place_row
    JOIN ${buildings} building ON building.rowid = building_row`);
  await database.run("DROP TABLE nearest_building");
}

function candidates(places: string, buildings: string): string {
  const cell = (value: string): string => `floor((${value}) / ${CELL_DEG})::BIGINT`;
  const padLon = `(${PAD_DEG} / greatest(cos(radians(least(90, greatest(abs(bbox.ymin), abs(bbox.ymax))))), ${LEAST_COSINE}))`;
  return `
    WITH boxes AS (
      SELECT rowid AS building_row, bbox.ymin - ${PAD_DEG} AS south, bbox.ymax + ${PAD_DEG} AS north,
        greatest(bbox.xmin - ${padLon}, -540) AS west, least(bbox.xmax + ${padLon}, 540) AS east
      FROM ${buildings}
    ), cells AS (
      SELECT building_row, west, south, east, north, x, unnest(generate_series(${cell("south")}, ${cell("north")})) AS y
      FROM (SELECT *, unnest(generate_series(${cell("west")}, ${cell("east")})) AS x FROM boxes)
    ), points AS (
      -- over the antimeridian a place stands on both sides
      SELECT rowid AS place_row, bbox.xmin + turn AS lon, bbox.ymin AS lat
      FROM ${places}, (VALUES (0), (360), (-360)) turns(turn)
      WHERE turn = 0 OR abs(bbox.xmin + turn) < 181
    )
    SELECT DISTINCT place_row, building_row
    FROM points JOIN cells ON x = ${cell("lon")} AND y = ${cell("lat")}
    WHERE lon BETWEEN west AND east AND lat BETWEEN south AND north`;
}
