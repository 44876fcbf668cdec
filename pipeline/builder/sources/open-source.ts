import { readFile } from "node:fs/promises";
import { BLOB, INTEGER, VARCHAR } from "@duckdb/node-api";
import { type Collection, isOvertureType, type OvertureType } from "../../../data/format/collections.ts";
import { statedCrs, TableError } from "../../../data/tables/index.ts";
import { appendRow, type Database, type DescribedColumn, quoteIdentifier } from "../../base/database/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { type AreaFilter, wantedSql } from "../../overture/area/index.ts";
import { readFeatures } from "./geojson.ts";
import { parseRecord } from "./geojson-record.ts";
import { inDegrees, type OpenedSource } from "./in-degrees.ts";
import { openParquet } from "./parquet.ts";
import { reachSources } from "./remote-sources.ts";
import { castColumns, isImplied, type NormalisedSource, REJECTS_TABLE } from "./schema.ts";
import type { PlannedSource } from "./sources.ts";

/**
 * Returns SQL that reads the wanted records of a source. GeoJSON is loaded into a table for it, so only one such source
 * can be open at a time. Throws if the file cannot be read.
 */
export async function openSource(
  database: Database,
  source: PlannedSource,
  collection: Collection,
): Promise<NormalisedSource> {
  const opened = await openAll(database, source, collection).catch((error) => {
    throw error instanceof TableError
      ? new CodedError("CAIRN_E_SOURCE", `${source.path}: ${error.message}`, { cause: error })
      : error;
  });
  if (!source.area) return opened;
  const filter = JSON.parse(await readFile(source.area.path, "utf8")) as AreaFilter;
  const wanted = wantedSql(database, filter, { type: source.type, columns: opened.columns });
  return { ...opened, relation: `SELECT * FROM (${opened.relation}) WHERE ${wanted}` };
}

async function openAll(database: Database, source: PlannedSource, collection: Collection): Promise<NormalisedSource> {
  const typed = await castColumns(database, collection);
  await reachSources(database, [source.path]);
  const taken: DescribedColumn[] = [...typed, { name: "version", type: INTEGER }];
  if (collection.countryRule === "declared") taken.push({ name: "country", type: VARCHAR });
  const opened =
    source.format === "parquet"
      ? await openParquet(database, source.path, { collection, typed, taken })
      : await loadGeoJson(database, source, taken);
  return collection.own ? opened : inDegrees(database, { ...opened, crs: source.crs ?? opened.crs });
}

const BATCH_ROWS = 10_000;

const RECORDS = "records";

/** Loads a GeoJSON file into a table. */
async function loadGeoJson(
  database: Database,
  source: PlannedSource,
  columns: readonly DescribedColumn[],
): Promise<OpenedSource> {
  await database.run(`CREATE OR REPLACE TABLE ${RECORDS} (_row BIGINT, id VARCHAR, geometry BLOB, properties VARCHAR)`);
  await database.run(
    `CREATE OR REPLACE TABLE ${REJECTS_TABLE} (id VARCHAR, reason VARCHAR, detail VARCHAR, _row BIGINT)`,
  );
  const records = await database.connection.createAppender(RECORDS);
  const rejects = await database.connection.createAppender(REJECTS_TABLE);
  const ignored = new Set<string>();
  const type = overtureTypeOf(source);
  let row = 0;
  let crs: string | undefined;
  for await (const feature of readFeatures(source)) {
    if ("crs" in feature) {
      crs = statedCrs(feature.crs);
      continue;
    }
    const parsed =
      "fault" in feature
        ? { id: null, ignored: [], result: { reason: "unreadable record", detail: feature.fault } }
        : parseRecord(feature.value, type, columns);
    for (const name of parsed.ignored) if (!isImplied(name)) ignored.add(name);
    if ("reason" in parsed.result) {
      appendRow(rejects, parsed.id, parsed.result.reason, parsed.result.detail, row);
    } else {
      const { id, wkb, properties } = parsed.result;
      appendRow(records, row, id, wkb, properties);
    }
    if (++row % BATCH_ROWS === 0) records.flushSync();
  }
  records.closeSync();
  rejects.closeSync();
  const struct = columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`).join(", ");
  return {
    relation: `SELECT _row, id, geometry, unnest(CAST(properties::JSON AS STRUCT(${struct}))) FROM ${RECORDS}`,
    columns: [{ name: "id", type: VARCHAR }, { name: "geometry", type: BLOB }, ...columns],
    ignored: [...ignored],
    crs,
  };
}

function overtureTypeOf({ name, type }: PlannedSource): OvertureType {
  if (isOvertureType(type)) return type;
  throw new CodedError("CAIRN_E_SOURCE", `${name}: is a table of ${type}, expected one of Overture's types`);
}
