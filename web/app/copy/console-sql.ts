/** SQL over the tables of the console: for given records, and for the rows of a search. @module */
import { bboxUnion } from "../../../data/format/bbox.ts";
import { type CollectionName, POINT_COLLECTIONS } from "../../../data/format/collections.ts";
import { bboxOf } from "../../../data/format/geometry.ts";
import { isCollectionFolder, isOwnName } from "../../../data/format/own-collections.ts";
import type { OwnColumn } from "../../../data/format/own-schema.ts";
import { quoteIdentifier, quoteLiteral } from "../../../data/format/sql.ts";
import type { Feature } from "../../engine/index.ts";
import { areaOf } from "../../map/drawn-area.ts";
import { collectionsOf, itemsOf, keptFilters, ownFilterNamed, ownFiltersOf, type Search } from "../address/index.ts";
import { boxesMeet, filterConditions } from "./sql.ts";

/** Maximum number of ids in a statement. A longer one would be unreadable. */
const MOST_IDS = 1000;

/**
 * Returns SQL that selects the first 1000 of the records in their order; without records, all rows of the view `found`.
 * Conditions on bbox limit what is read.
 */
export function rowsSql(records: readonly Pick<Feature, "id" | "geometry" | "properties">[]): string {
  const asked = records.slice(0, MOST_IDS);
  if (asked.length === 0) return "SELECT * FROM found";
  const types = [...new Set(asked.map(({ properties }) => String(properties.type)))].filter(isCollectionFolder);
  const ids = `[${asked.map(({ id }) => quoteLiteral(id)).join(", ")}]`;
  const rows = types.map((type) => {
    const boxes = asked
      .filter(({ properties }) => properties.type === type)
      .map(({ geometry }) => bboxOf(geometry))
      .filter((box) => box !== undefined);
    return `SELECT * FROM ${tableOf(type)} WHERE list_contains(${ids}, id) AND ${boxesMeet(bboxUnion(boxes))}`;
  });
  const all = rows.length === 1 ? rows[0] : `SELECT * FROM (\n${rows.join("\nUNION ALL BY NAME\n")}\n)`;
  return `${all}\nORDER BY list_position(${ids}, id)`;
}

/**
 * Returns SQL that selects the rows of a search, in no order: inside its circle or drawn area, its country and its filters.
 * Filters by name apply only to collections with their own schema. Undefined if the dataset has none of the collections.
 */
export function foundSql(search: Search, collections: ReadonlySet<CollectionName>): string | undefined {
  const { path, centre, radiusMeters, area, filters } = search;
  const tables = collectionsOf(path, filters).filter((name) => collections.has(name));
  if (tables.length === 0) return undefined;
  const shape = area && areaOf(area);
  const bbox = shape && bboxOf(shape);
  const isPoint = tables.every((name) => POINT_COLLECTIONS.has(name));
  const circle = centre && `${centre.lon}, ${centre.lat}, ${radiusMeters}`;
  const conditions = [
    ...(circle ? [`within_circle(bbox, ${circle})`] : []),
    ...(circle && !isPoint ? [`within_metres(geometry, ${circle})`] : []),
    ...(bbox ? [boxesMeet(bbox), `within_area(geometry, ${quoteLiteral(JSON.stringify(shape))})`] : []),
    ...filterConditions(search),
    ...wordConditions(search),
  ];
  const rows = tables.map((table) => `SELECT * FROM ${tableOf(table)}`).join(" UNION ALL BY NAME ");
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
  return tables.length === 1 ? rows + where : `SELECT * FROM (${rows})${where}`;
}

/**
 * Returns the conditions of those filters of a collection with its own schema that plain SQL cannot express: words, names and
 * categories. Empty for a fixed path.
 */
export function wordConditions({ path, filters }: Search): string[] {
  const own = ownFiltersOf(path);
  if (!own) return [];
  const columns = [...new Map(own.map(({ column }) => [column.name, column])).values()];
  return Object.entries(keptFilters(path, filters)).flatMap(([name, value]) => {
    const filter = ownFilterNamed(path, name);
    if (filter) return filter.kind === "words" ? [hasWords(filter.column, value)] : [];
    if (name === "name") {
      const column = columns.find(({ role }) => role === "name");
      return column ? [hasWords(column, value)] : [];
    }
    if (name !== "categories") return [];
    const texts = itemsOf(value).map(quoteLiteral).join(", ");
    const among = columns
      .filter(({ role }) => role === "category")
      .map(({ name: column, type }) =>
        type === "list"
          ? `coalesce(list_has_any(${quoteIdentifier(column)}, [${texts}]), false)`
          : `coalesce(${quoteIdentifier(column)}::VARCHAR IN (${texts}), false)`,
      );
    return [`(${among.join(" OR ")})`];
  });
}

/** Returns the condition that the column has all words. Items of a list are joined by the unit separator, U+001F. */
function hasWords({ name, type }: OwnColumn, words: string): string {
  const column = quoteIdentifier(name);
  return `has_words(${type === "list" ? `array_to_string(${column}, chr(31))` : column}, ${quoteLiteral(words)})`;
}

/** Returns the name of a collection's table in SQL, quoted for a collection with its own schema, whose name may be a keyword. */
export function tableOf(collection: CollectionName): string {
  return isOwnName(collection) ? quoteIdentifier(collection) : collection;
}
