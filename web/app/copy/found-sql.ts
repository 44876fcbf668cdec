/** The rows of a search as a SELECT over the SQL console's tables. @module */
import type { CollectionName } from "../../../data/format/collections.ts";
import { bboxOf } from "../../../data/format/geometry.ts";
import { areaOf } from "../../map/drawn-area.ts";
import { collectionsOf, type Search } from "../address/index.ts";
import { boxesMeet, filterConditions } from "./sql.ts";

/**
 * Rows in the circle, in the box of the drawn area and in the country, that pass the filters which SQL can say: words of a name are none of them.
 * Undefined when the dataset has nothing of what is searched.
 */
export function foundSql(search: Search, collections: ReadonlySet<CollectionName>): string | undefined {
  const { path, centre, radiusMeters, area, country, filters } = search;
  const tables = collectionsOf(path, filters).filter((name) => collections.has(name));
  if (tables.length === 0) return undefined;
  const bbox = area && bboxOf(areaOf(area));
  const conditions = [
    ...(centre ? [`within_circle(bbox, ${centre.lon}, ${centre.lat}, ${radiusMeters})`] : []),
    ...(bbox ? [boxesMeet(bbox)] : []),
    ...filterConditions({ country, filters }),
  ];
  const rows = tables.map((table) => `SELECT * FROM ${table}`).join(" UNION ALL BY NAME ");
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
  return tables.length === 1 ? rows + where : `SELECT * FROM (${rows})${where}`;
}
