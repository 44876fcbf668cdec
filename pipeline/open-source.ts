/**
 * Makes a source file something that SQL can read.
 * @module
 */
import { INTEGER, VARCHAR } from "@duckdb/node-api";
import { COLLECTIONS } from "../data/format/collections.ts";
import type { Database, DescribedColumn } from "./database.ts";
import { loadGeoJson } from "./load-geojson.ts";
import type { NormalisedSource } from "./normalise.ts";
import { castColumns, ignoredColumns } from "./schema.ts";
import { parquetRelation, type TypedSource } from "./source-type.ts";

/** Opens sources; each is opened once, since GeoJSON has to be loaded first. */
export function createSourceOpener(database: Database): (source: TypedSource) => Promise<NormalisedSource> {
  const opened = new Map<number, Promise<NormalisedSource>>();
  return (source) => {
    const known = opened.get(source.index) ?? openSource(database, source);
    opened.set(source.index, known);
    return known;
  };
}

async function openSource(database: Database, source: TypedSource): Promise<NormalisedSource> {
  const collection = COLLECTIONS[source.type];
  const typed = await castColumns(database, collection);
  if (source.format === "parquet") {
    const file = parquetRelation(source.path);
    const columns = await database.columns(`SELECT * EXCLUDE (file_row_number) FROM ${file}`);
    const relation = `SELECT *, file_row_number AS _row FROM ${file}`;
    return { index: source.index, relation, columns, ignored: ignoredColumns(columns, collection, typed) };
  }
  const taken: DescribedColumn[] = [...typed, { name: "version", type: INTEGER }];
  if (collection.countryRule === "declared") taken.push({ name: "country", type: VARCHAR });
  return loadGeoJson(database, source, taken);
}
