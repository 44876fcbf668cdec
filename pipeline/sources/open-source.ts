/**
 * Makes a source file something that SQL can read.
 * @module
 */
import { INTEGER, VARCHAR } from "@duckdb/node-api";
import { COLLECTIONS } from "../../data/format/collections.ts";
import type { Database, DescribedColumn } from "../database/index.ts";
import { loadGeoJson } from "./load-geojson.ts";
import { reachSources } from "./remote-sources.ts";
import { castColumns, ignoredColumns, type NormalisedSource } from "./schema.ts";
import { parquetRelation } from "./source-type.ts";
import type { PlannedSource } from "./sources.ts";

/** The source as SQL reads it; GeoJSON is loaded into a table, one file at a time. */
export async function openSource(database: Database, source: PlannedSource): Promise<NormalisedSource> {
  const collection = COLLECTIONS[source.type];
  const typed = await castColumns(database, collection);
  await reachSources(database, [source.path]);
  if (source.format === "parquet") {
    const file = parquetRelation(source.path);
    const columns = await database.columns(`SELECT * EXCLUDE (file_row_number) FROM ${file}`);
    const relation = `SELECT *, file_row_number AS _row FROM ${file}`;
    return { relation, columns, ignored: ignoredColumns(columns, collection, typed) };
  }
  const taken: DescribedColumn[] = [...typed, { name: "version", type: INTEGER }];
  if (collection.countryRule === "declared") taken.push({ name: "country", type: VARCHAR });
  return loadGeoJson(database, source, taken);
}
