/**
 * The same places as a dataset and as the files of peers, made once and kept below `.cairn/bench`.
 * @module
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

const ROOT = ".cairn/bench";
/** As Cairn's partitions have, so that neither reads coarser pieces. */
const ROWS_PER_GROUP = 2048;

export interface BenchData {
  readonly dataset: string;
  readonly peers: string;
}

/** Makes what is missing. Without `ogr2ogr` it is installed, which needs root on Debian. */
export async function ensureData(places: number): Promise<BenchData> {
  const folder = join(ROOT, String(places));
  const [source, dataset, peers] = [join(folder, "source"), join(folder, "dataset"), join(folder, "peers")];
  mkdirSync(peers, { recursive: true });
  if (!existsSync(source))
    run("npm", ["run", "-s", "cairn", "--", "synth", "--places", String(places), "--out", source]);
  if (!existsSync(join(dataset, "manifest.json")))
    run("npm", ["run", "-s", "cairn", "--", "build", source, "--out", dataset]);
  await ensurePeerFiles(source, peers);
  return { dataset, peers };
}

/** One Parquet file in Morton order, and one FlatGeobuf file with an index. Both hold the columns that most answers show. */
export async function ensurePeerFiles(source: string, peers: string): Promise<void> {
  const parquet = join(peers, "places.parquet");
  const flatgeobuf = join(peers, "places.fgb");
  if (existsSync(parquet) && existsSync(flatgeobuf)) return;
  const csv = join(peers, "places.csv");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const bits = (axis: string) =>
    Array.from({ length: 20 }, (_, bit) => `(((${axis} >> ${bit}) & 1) << ${2 * bit})`).join(" | ");
  await connection.run(`CREATE TABLE flat AS
    SELECT id, names.primary AS name, categories.primary AS category, confidence,
      (bbox.xmin + bbox.xmax) / 2.0 AS lon, (bbox.ymin + bbox.ymax) / 2.0 AS lat,
      websites[1] AS website, phones[1] AS phone, addresses[1].freeform AS address, addresses[1].country AS country
    FROM read_parquet('${source}/**/*.parquet', hive_partitioning = false)`);
  await connection.run(`COPY (
    WITH cells AS (SELECT *, ((lon + 180) / 360 * 1048575)::BIGINT AS x, ((lat + 90) / 180 * 1048575)::BIGINT AS y FROM flat)
    SELECT * EXCLUDE (x, y) FROM cells ORDER BY (${bits("x")}) | ((${bits("y")}) << 1), id
  ) TO '${parquet}.part' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROWS_PER_GROUP})`);
  renameSync(`${parquet}.part`, parquet);
  await connection.run(`COPY (SELECT * FROM '${parquet}') TO '${csv}' (FORMAT csv, HEADER)`);
  connection.closeSync();
  ensureOgr();
  const columns = ["-oo", "X_POSSIBLE_NAMES=lon", "-oo", "Y_POSSIBLE_NAMES=lat", "-oo", "KEEP_GEOM_COLUMNS=NO"];
  rmSync(flatgeobuf, { force: true });
  run("ogr2ogr", ["-f", "FlatGeobuf", "-a_srs", "EPSG:4326", "-nlt", "POINT", flatgeobuf, csv, ...columns]);
  rmSync(csv);
}

function ensureOgr(): void {
  try {
    execFileSync("ogr2ogr", ["--version"]);
  } catch {
    if (process.getuid?.() !== 0) throw new Error("no ogr2ogr: install Debian's gdal-bin");
    run("apt-get", ["install", "-y", "--no-install-recommends", "gdal-bin"]);
  }
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { stdio: ["ignore", "inherit", "inherit"] });
}
