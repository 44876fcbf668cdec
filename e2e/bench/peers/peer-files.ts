/**
 * Makes the peers' files from the primary copy of a dataset, so that all have the same rows.
 * @module
 */
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { installDebianPackage } from "../../support/debian-package.ts";
import { nameFactsOf, readNames, writeNameIndexes } from "./name-indexes.ts";

/** The same as in Cairn's partitions, so that neither reads coarser parts. */
const ROWS_PER_GROUP = 2048;
/** Above this, an index of all names, or its text, does not fit into a browser. */
export const MOST_INDEXED_ROWS = 1_000_000;

export interface Centre {
  readonly lon: number;
  readonly lat: number;
}

export interface NameFacts {
  /** All words of a name. */
  readonly exact: string;
  /** The first letters of many words. */
  readonly prefix: string;
  /** A word of only one place. */
  readonly rare: string;
  /** The word of the most places. */
  readonly hot: string;
}

/** Values for questions about the data. */
export interface Facts {
  readonly dense: Centre;
  readonly sparse: Centre;
  /** The country with the most places. */
  readonly country: string;
  /** A category of several places near the dense centre. */
  readonly category: string;
  readonly names: NameFacts;
}

/** Writes `places.parquet`, `places.fgb`, the indexes of names, and last `facts.json`. */
export async function writePeerFiles(dataset: string, rows: number, folder: string): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`CREATE VIEW copy AS FROM read_parquet('${dataset}/place/country=*/geohash=*/*.parquet',
    hive_partitioning = true, hive_types = {'country': VARCHAR, 'geohash': VARCHAR})`);
  const parquet = join(folder, "places.parquet");
  await writeSorted(connection, parquet);
  await writeFlatGeobuf(connection, parquet, folder);
  const facts = await factsOf(connection, parquet);
  const names = nameFactsOf(await readNames(connection, facts.country));
  if (rows <= MOST_INDEXED_ROWS) await writeNameIndexes(await readNames(connection), folder);
  connection.closeSync();
  instance.closeSync();
  writeFileSync(join(folder, "facts.json"), JSON.stringify({ ...facts, names } satisfies Facts));
}

/** One Parquet file in Morton order. It only has the columns of most answers, which favours the peers. */
async function writeSorted(connection: DuckDBConnection, parquet: string): Promise<void> {
  const bits = (axis: string) =>
    Array.from({ length: 20 }, (_, bit) => `(((${axis} >> ${bit}) & 1) << ${2 * bit})`).join(" | ");
  await connection.run(`COPY (
    WITH flat AS (
      SELECT id, names.primary AS name, confidence, bbox.xmin AS lon, bbox.ymin AS lat,
        ',' || array_to_string(list_concat([categories.primary], coalesce(categories.alternate, [])), ',') || ',' AS categories,
        websites[1] AS website, phones[1] AS phone, addresses[1].freeform AS address, country
      FROM copy
    ), cells AS (SELECT *, ((lon + 180) / 360 * 1048575)::BIGINT AS x, ((lat + 90) / 180 * 1048575)::BIGINT AS y FROM flat)
    SELECT * EXCLUDE (x, y) FROM cells ORDER BY (${bits("x")}) | ((${bits("y")}) << 1), id
  ) TO '${parquet}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROWS_PER_GROUP})`);
}

/** With an index, which FlatGeobuf's JavaScript writer cannot make. */
async function writeFlatGeobuf(connection: DuckDBConnection, parquet: string, folder: string): Promise<void> {
  const csv = join(folder, "places.csv");
  await connection.run(`COPY (FROM '${parquet}') TO '${csv}' (FORMAT csv, HEADER)`);
  ensureOgr();
  const columns = ["-oo", "X_POSSIBLE_NAMES=lon", "-oo", "Y_POSSIBLE_NAMES=lat", "-oo", "KEEP_GEOM_COLUMNS=NO"];
  const out = join(folder, "places.fgb");
  run("ogr2ogr", ["-f", "FlatGeobuf", "-a_srs", "EPSG:4326", "-nlt", "POINT", out, csv, ...columns]);
  rmSync(csv);
}

/** Finds values for questions in the data. */
export async function factsOf(connection: DuckDBConnection, parquet: string): Promise<Omit<Facts, "names">> {
  const first = async (sql: string): Promise<Record<string, unknown>> => {
    const [row] = (await connection.runAndReadAll(sql)).getRowObjectsJson();
    if (!row) throw new Error(`no row for: ${sql}`);
    return row;
  };
  // Cells of about 1 km in dense areas, 11 km in sparse ones; at least 3 places, so that there is an answer.
  const cell = (degrees: number, order: string) => `
    SELECT round(avg(lon), 4) AS lon, round(avg(lat), 4) AS lat FROM '${parquet}' WHERE lat BETWEEN -60 AND 60 AND abs(lon) < 170
    GROUP BY floor(lon / ${degrees}), floor(lat / ${degrees}) HAVING count(*) >= 3
    ORDER BY count(*) ${order}, floor(lon / ${degrees}), floor(lat / ${degrees}) LIMIT 1`;
  const [dense, sparse] = [await first(cell(0.01, "DESC")), await first(cell(0.1, "ASC"))];
  const near = `abs(lon - ${dense.lon}) < 0.05 AND abs(lat - ${dense.lat}) < 0.05`;
  const { country } = await first(`SELECT country FROM '${parquet}' GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`);
  const { category } = await first(`
    SELECT split_part(categories, ',', 2) AS category FROM '${parquet}' WHERE ${near} AND len(categories) > 2
    GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1 OFFSET 4`);
  const centre = ({ lon, lat }: Record<string, unknown>): Centre => ({ lon: Number(lon), lat: Number(lat) });
  return { dense: centre(dense), sparse: centre(sparse), country: String(country), category: String(category) };
}

function ensureOgr(): void {
  try {
    execFileSync("ogr2ogr", ["--version"]);
  } catch {
    installDebianPackage("gdal-bin");
  }
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { stdio: ["ignore", "inherit", "inherit"] });
}
