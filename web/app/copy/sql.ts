/**
 * A search as SQL for DuckDB 1.5 or later, run in the folder of the dataset. Rows are ordered by distance from the centre, if
 * any, then by id. @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { POINT_COLLECTIONS } from "../../../data/format/collections.ts";
import { type FilterName, filterNamed } from "../../../data/format/filters.ts";
import { isOwnName } from "../../../data/format/own-collections.ts";
import { EARTH_RADIUS_METERS, METERS_PER_DEGREE } from "../../../data/format/sphere.ts";
import { quoteIdentifier, quoteLiteral } from "../../../data/format/sql.ts";
import {
  type Centre,
  collectionsOf,
  columnOfUnknown,
  INCLUDE_UNKNOWN,
  includesUnknown,
  itemsOf,
  keptFilters,
  ownFilterNamed,
  type Path,
  type RecordAddress,
  type Search,
} from "../address/index.ts";
import { columnCondition } from "./column-sql.ts";

interface SqlOptions {
  readonly search: Search;
  readonly collections: ReadonlySet<CollectionName>;
  /** Ids of the records on the page. They replace the conditions if SQL cannot express the search. */
  readonly ids: readonly string[];
}

/**
 * Returns the SQL for the page of the search. With a centre, the rows have a column `distance` in metres and are ordered by it.
 */
export function searchSql({ search, collections, ids }: SqlOptions): string {
  const { path, centre, radiusMeters, page, limit, filters } = search;
  const searched = collectionsOf(path, filters).filter((name) => collections.has(name));
  const isWholeInSql = search.area === undefined && areFiltersInSql(search);
  const conditions = isWholeInSql ? conditionsOf(search) : [`id IN (${ids.map(quoteLiteral).join(", ")})`];
  const near = [
    "SELECT *",
    `FROM ${readParquet(searched.map(filesOf))}`,
    ...(conditions.length > 0 ? [`WHERE ${conditions.join("\n  AND ")}`] : []),
  ].join("\n");
  const pageClause = isWholeInSql ? `LIMIT ${limit} OFFSET ${page * limit}` : `LIMIT ${limit}`;
  if (!centre) return `${near}\nORDER BY id\n${pageClause};\n`;
  const isPoint = searched.every((name) => POINT_COLLECTIONS.has(name));
  const steps = isPoint ? pointSteps(near, centre) : shapeSteps(near, centre);
  return `${steps}
SELECT * FROM measured
WHERE distance <= ${radiusMeters}
ORDER BY distance, id
${pageClause};
`;
}

/** Returns the SQL for one record. Its bbox, if known, limits which parts of the files are read. */
export function recordSql({ type, id }: RecordAddress, bbox?: BBox): string {
  const conditions = [`id = ${quoteLiteral(id)}`, ...(bbox ? [boxesMeet(bbox)] : [])];
  return `SELECT *\nFROM ${readParquet([filesOf(type)])}\nWHERE ${conditions.join("\n  AND ")};\n`;
}

/**
 * Returns the condition that the bbox of a row meets this bbox. If one of them crosses the antimeridian, only latitudes
 * are compared.
 */
export function boxesMeet([west, south, east, north]: BBox): string {
  const byLat = `bbox.ymin <= ${north} AND bbox.ymax >= ${south}`;
  if (west > east) return byLat;
  return `${byLat} AND ((bbox.xmin <= ${east} AND bbox.xmax >= ${west}) OR bbox.xmin > bbox.xmax)`;
}

const filesOf = (collection: CollectionName): string => `${collection}/country=*/geohash=*/*.parquet`;

function readParquet(globs: readonly string[]): string {
  const [only = "", ...others] = globs.map(quoteLiteral);
  const paths = others.length === 0 ? only : `[\n  ${[only, ...others].join(",\n  ")}\n]`;
  // Geohashes of digits are not numbers.
  const options = "hive_partitioning = true, hive_types_autocast = false";
  return `read_parquet(${paths}, ${options}${others.length === 0 ? "" : ", union_by_name = true"})`;
}

function conditionsOf(search: Search): string[] {
  const { centre, radiusMeters } = search;
  return [...(centre ? boxConditions(centre, radiusMeters) : []), ...filterConditions(search)];
}

/** Returns conditions for the country and the filters. Filters that plain SQL cannot express are left out. */
export function filterConditions({ path, country, filters }: Pick<Search, "path" | "country" | "filters">): string[] {
  return [
    ...(country === undefined ? [] : [`country = ${quoteLiteral(country)}`]),
    ...Object.entries(keptFilters(path, filters)).flatMap(
      ([name, value]) => conditionOf(path, name, value, filters) ?? [],
    ),
  ];
}

/** Whether plain SQL can express all filters. */
function areFiltersInSql({ path, filters }: Search): boolean {
  return Object.entries(keptFilters(path, filters)).every(
    ([name, value]) => conditionOf(path, name, value, filters) !== undefined,
  );
}

/**
 * Returns the conditions of a filter; undefined if plain SQL cannot express it. Empty for filters that work through other parts
 * of the statement.
 */
export function conditionOf(
  path: Path,
  name: string,
  value: string,
  filters: Search["filters"],
): readonly string[] | undefined {
  // it is part of other conditions
  if (name === INCLUDE_UNKNOWN) return [];
  const condition = plainCondition(path, name, value);
  const column = includesUnknown(path, filters, name) ? columnOfUnknown(path, name) : undefined;
  if (column === undefined) return condition;
  return condition?.map((each) => `(${each} OR ${quoteIdentifier(column)} IS NULL)`);
}

function plainCondition(path: Path, name: string, value: string): readonly string[] | undefined {
  // it chooses the tables
  if (name === "types") return [];
  const own = ownFilterNamed(path, name);
  if (own) {
    const condition = columnCondition(own, value);
    return condition === undefined ? undefined : [condition];
  }
  // names and categories of a table are not stored
  if (isOwnName(path)) return undefined;
  const filter = filterNamed(name as FilterName);
  if (filter.sql === undefined) return undefined;
  const isNumber = "column" in filter || filter.kind === "integers";
  const values = filter.kind === "text" || filter.kind === "words" ? [value] : itemsOf(value);
  const literals = isNumber ? values.map((text) => String(Number(text))) : values.map(quoteLiteral);
  return [filter.sql.replace("?", () => literals.join(", "))];
}

/**
 * Returns conditions that the bbox of every row in the circle fulfils. Longitudes are left out near a pole or the antimeridian.
 */
function boxConditions({ lon, lat }: Centre, radiusMeters: number): string[] {
  const reachLat = radiusMeters / METERS_PER_DEGREE + 1e-6;
  const byLat = `bbox.ymin <= ${degrees(lat + reachLat)} AND bbox.ymax >= ${degrees(lat - reachLat)}`;
  const farthest = Math.abs(lat) + reachLat;
  const reachLon = farthest < 85 ? reachLat / Math.cos((farthest * Math.PI) / 180) : 360;
  if (Math.abs(lon) + reachLon > 180) return [byLat];
  const [west, east] = [degrees(lon - reachLon), degrees(lon + reachLon)];
  return [byLat, `((bbox.xmin <= ${east} AND bbox.xmax >= ${west}) OR bbox.xmin > bbox.xmax)`];
}

function pointSteps(near: string, centre: Centre): string {
  return `WITH near AS (
${indent(near)}
), measured AS (
  SELECT *, ${greatCircle(centre, "bbox.xmin", "bbox.ymin")} AS distance
  FROM near
)`;
}

/**
 * Returns SQL that measures lines and polygons from text: each edge is straight in longitude and latitude, and its nearest
 * position is computed in a plane around the centre. Inside a polygon, where an odd number of edges is to the east, the distance
 * is 0.
 */
function shapeSteps(near: string, centre: Centre): string {
  const { lon, lat } = centre;
  const narrowing = Math.cos((lat * Math.PI) / 180);
  return `WITH near AS (
${indent(near)}
), rings AS (
  SELECT id, shape LIKE '%POLYGON%' AS is_area, unnest(parts) AS ring, generate_subscripts(parts, 1) AS ring_number
  FROM (
    SELECT id, geometry::VARCHAR AS shape, regexp_extract_all(geometry::VARCHAR, '\\(([^()]+)\\)', 1) AS parts FROM near
  )
), positions AS (
  SELECT id, is_area, ring_number, generate_subscripts(texts, 1) AS n, string_split(unnest(texts), ' ')::DOUBLE[] AS p
  FROM (SELECT *, string_split(ring, ', ') AS texts FROM rings)
), edges AS (
  SELECT id, is_area, (p[1] - (${lon}) + 540) % 360 - 180 AS x, p[2] - (${lat}) AS y,
    coalesce(lead(p) OVER ring_order, p)[1] - p[1] AS dx, coalesce(lead(p) OVER ring_order, p)[2] - p[2] AS dy
  FROM positions
  WINDOW ring_order AS (PARTITION BY id, ring_number ORDER BY n)
), feet AS (
  SELECT *, CASE WHEN dx = 0 AND dy = 0 THEN 0 ELSE
    greatest(0, least(1, -(x * dx * ${narrowing ** 2} + y * dy) / (dx * dx * ${narrowing ** 2} + dy * dy))) END AS t
  FROM edges
), distances AS (
  SELECT id, CASE
      WHEN any_value(is_area) AND count_if((y > 0) <> (y + dy > 0) AND x - y * dx / dy > 0) % 2 = 1 THEN 0
      ELSE min(${greatCircle(centre, `(${lon} + x + t * dx)`, `(${lat} + y + t * dy)`)})
    END AS distance
  FROM feet
  GROUP BY id
), measured AS (
  SELECT near.*, distance FROM near JOIN distances USING (id)
)`;
}

/** Returns SQL for the distance from the centre in metres on the sphere, rounded to 1 mm as by the engine. */
function greatCircle({ lon, lat }: Centre, x: string, y: string): string {
  return (
    `round(2 * ${EARTH_RADIUS_METERS} * asin(least(1, sqrt(` +
    `sin(radians(${y} - (${lat})) / 2) ** 2 + ` +
    `cos(radians(${lat})) * cos(radians(${y})) * sin(radians(${x} - (${lon})) / 2) ** 2))), 3)`
  );
}

/** Returns degrees with six decimals, about 0.1 m. */
function degrees(value: number): string {
  return String(Number(value.toFixed(6)));
}

function indent(lines: string): string {
  return lines.replace(/^/gm, "  ");
}
