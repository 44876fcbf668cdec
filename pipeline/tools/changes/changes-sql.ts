/**
 * SQL that finds the records that differ between two releases of a collection.
 * @module
 */
import { join } from "node:path";
import { areaOfBox } from "../../../data/format/area.ts";
import type { BBox } from "../../../data/format/bbox.ts";
import { COLLECTIONS, type CollectionName, type OvertureType } from "../../../data/format/collections.ts";
import { isPage } from "../../../data/format/manifest.ts";
import { locationPackPath } from "../../../data/format/paths.ts";
import { walkIndex } from "../../../data/format/walk-index.ts";
import { type Database, quoteIdentifier, quoteLiteral, quotePath } from "../../base/database/index.ts";
import { pageReader } from "../../builder/index/index.ts";
import { polygonFilter, wantedSql } from "../../overture/area/index.ts";
import type { OpenRelease } from "./keep-release.ts";

/** Column that is not compared, because it is computed from the geometry. */
const DERIVED = "bbox";

/**
 * Returns SQL with one row for each record that was added, removed or changed, by id. A record is wanted if its older
 * or newer version is in the country and box. Both versions of a wanted record are compared, even if one is elsewhere.
 */
export async function changesSql(
  database: Database,
  type: OvertureType,
  packs: ChangedPacks,
  { country, bbox }: WantedChanges,
): Promise<string> {
  const [older, newer] = [rowsSql(type, packs.older), rowsSql(type, packs.newer)];
  const columns = await database.columns(newer);
  const conditions = [
    ...(country === undefined ? [] : [`country = ${quoteLiteral(country)}`]),
    ...(bbox ? [wantedSql(database, polygonFilter("box", areaOfBox(bbox)), { type, columns })] : []),
  ];
  const where = conditions.join(" AND ");
  const wanted = `SELECT id FROM older WHERE ${where} UNION SELECT id FROM newer WHERE ${where}`;
  const only = (side: string): string => (where === "" ? side : `(FROM ${side} SEMI JOIN wanted USING (id))`);
  const compared = columns.map(({ name }) => name).filter((name) => name !== "id" && name !== DERIVED);
  const differing = compared.map((name) => {
    const column = quoteIdentifier(name);
    return `CASE WHEN o.${column} IS DISTINCT FROM n.${column} THEN ${quoteLiteral(name)} END`;
  });
  const hasNames = COLLECTIONS[type].columns.some(({ name }) => name === "names");
  const current = (column: string): string => `CASE WHEN n.id IS NULL THEN o.${column} ELSE n.${column} END`;
  return `WITH older AS (${older}), newer AS (${newer})${where === "" ? "" : `, wanted AS (${wanted})`}, compared AS (
    SELECT coalesce(n.id, o.id) AS id, ${quoteLiteral(type)} AS collection,
      CASE WHEN o.id IS NULL THEN 'added' WHEN n.id IS NULL THEN 'removed' ELSE 'changed' END AS change,
      CASE WHEN o.id IS NULL OR n.id IS NULL THEN []::VARCHAR[]
        ELSE list_filter([${differing.join(", ")}], lambda name: name IS NOT NULL) END AS "columns",
      ${current("country")} AS country, ${hasNames ? current('names."primary"') : "NULL::VARCHAR"} AS name,
      ${current("bbox")} AS bbox, ${current("geometry")} AS geometry
    FROM ${only("older")} AS o FULL JOIN ${only("newer")} AS n ON o.id = n.id)
  FROM compared WHERE change <> 'changed' OR len("columns") > 0 ORDER BY id`;
}

/** Returns SQL for the rows of pack files, with the country from the name of the folder. */
function rowsSql(type: OvertureType, paths: readonly string[]): string {
  const { columns } = COLLECTIONS[type];
  if (paths.length === 0) {
    const none = columns.map(
      ({ name, type: of }) => `NULL::${of === "GEOMETRY" ? "BLOB" : of} AS ${quoteIdentifier(name)}`,
    );
    return `SELECT ${none.join(", ")}, NULL::VARCHAR AS country WHERE false`;
  }
  const names = columns.map(({ name }) => quoteIdentifier(name));
  const files = paths.map(quotePath).join(", ");
  return `SELECT ${names.join(", ")}, country FROM read_parquet([${files}], hive_partitioning = true, hive_types = {'country': VARCHAR})`;
}

interface ChangedPacks {
  /** Paths of the location packs (files with the rows of a country) that only the older release has. */
  readonly older: readonly string[];
  /** Paths of the location packs that only the newer release has. */
  readonly newer: readonly string[];
}

/**
 * Returns the location packs that only one of the releases has. Packs with equal names hold equal rows, so no other
 * rows can differ.
 */
export async function changedPacks(
  older: OpenRelease,
  newer: OpenRelease,
  name: CollectionName,
): Promise<ChangedPacks> {
  const [before, after] = [await packsOf(older, name), await packsOf(newer, name)];
  const only = (packs: ReadonlySet<string>, others: ReadonlySet<string>, { folder }: OpenRelease) =>
    [...packs].filter((path) => !others.has(path)).map((path) => join(folder, path));
  return { older: only(before, after, older), newer: only(after, before, newer) };
}

async function packsOf({ folder, manifest }: OpenRelease, name: CollectionName): Promise<Set<string>> {
  const paths = new Set<string>();
  const readPage = pageReader(folder);
  const nodes = manifest.collections[name]?.runs.location.nodes ?? [];
  for await (const node of walkIndex(nodes, (page) => readPage(name, page))) {
    if (!isPage(node) && "points" in node) paths.add(locationPackPath(name, node));
  }
  return paths;
}

/** Which records to compare. Without country and box, all. */
export interface WantedChanges {
  readonly country?: string | undefined;
  readonly bbox?: BBox | undefined;
  /** Overture types. Default: all. */
  readonly types?: readonly OvertureType[] | undefined;
}
