import { createHash } from "node:crypto";
import { BLOB, BOOLEAN } from "@duckdb/node-api";
import { createAreaTest } from "../../../data/format/area-test.ts";
import { type BBox, bboxIntersects, splitAtAntimeridian } from "../../../data/format/bbox.ts";
import { COLLECTIONS, type CollectionName, isOvertureType } from "../../../data/format/collections.ts";
import { bboxOf, readWkb } from "../../../data/format/geometry.ts";
import type { AreaFilter } from "../../../data/release/index.ts";
import { type Database, type DescribedColumn, quoteLiteral, sqlFunction } from "../../base/database/index.ts";

/**
 * Returns a SQL condition for the rows of this type whose geometry meets the area. For a country, the row's own country
 * code decides if the type has one. Registers the SQL functions of the condition in the database.
 */
export function wantedSql(
  database: Database,
  filter: AreaFilter,
  { type, columns }: { readonly type: CollectionName; readonly columns: readonly DescribedColumn[] },
): string {
  const hasBox = columns.some((column) => column.name === "bbox" && /^STRUCT\(.*xmin/.test(column.type.toString()));
  const isDeclared = filter.country !== undefined && isCountryDeclared(type) && columns.some(isCountry);
  const near = hasBox ? nearSql(filter.bbox) : "true";
  const meets = hasBox && !filter.polygon ? "true" : `${registerMeets(database, filter)}(${wkbOf(columns)})`;
  if (!isDeclared) return `(${near} AND ${meets})`;
  const inBox = hasBox ? "true" : `${registerMeets(database, boxOnly(filter))}(${wkbOf(columns)})`;
  const declared = `upper(country::VARCHAR) = ${quoteLiteral(filter.country ?? "")}`;
  return `(${near} AND CASE WHEN country IS NULL THEN ${meets} ELSE ${inBox} AND ${declared} END)`;
}

function isCountry({ name }: DescribedColumn): boolean {
  return name === "country";
}

function isCountryDeclared(type: CollectionName): boolean {
  return isOvertureType(type) && COLLECTIONS[type].countryRule === "declared";
}

function boxOnly({ label, bbox }: AreaFilter): AreaFilter {
  return { label, bbox };
}

function nearSql(box: BBox): string {
  const parts = splitAtAntimeridian(box).map(
    ([west, south, east, north]) =>
      `(bbox.xmax >= ${west} AND bbox.xmin <= ${east} AND bbox.ymax >= ${south} AND bbox.ymin <= ${north})`,
  );
  return `coalesce(${parts.join(" OR ")}, false)`;
}

function wkbOf(columns: readonly DescribedColumn[]): string {
  const type = columns.find(({ name }) => name === "geometry")?.type.toString() ?? "";
  if (type.startsWith("GEOMETRY")) return "ST_AsWKB(geometry)::BLOB";
  return type === "BLOB" ? "geometry" : "NULL::BLOB";
}

const registered = new WeakMap<Database, Set<string>>();

function registerMeets(database: Database, { bbox, polygon }: AreaFilter): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([bbox, polygon]))
    .digest("hex");
  const name = `meets_${hash.slice(0, 16)}`;
  const names = registered.get(database) ?? new Set();
  registered.set(database, names);
  if (names.has(name)) return name;
  names.add(name);
  const meets = polygon ? createAreaTest(polygon).intersects : meetsBox(bbox);
  database.register(sqlFunction(name, [BLOB], BOOLEAN, (wkb) => isMet(wkb, meets)));
  return name;
}

function meetsBox(wanted: BBox): (wkb: Uint8Array) => boolean {
  return (wkb) => {
    const box = bboxOf(readWkb(wkb));
    return box !== undefined && bboxIntersects(box, wanted);
  };
}

/** False for a row with an unreadable geometry, which is in no area. */
function isMet(wkb: Uint8Array | null, meets: (wkb: Uint8Array) => boolean): boolean {
  try {
    return wkb !== null && meets(wkb);
  } catch {
    return false;
  }
}
