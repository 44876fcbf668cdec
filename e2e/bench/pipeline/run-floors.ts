/**
 * Measures the minimum cost of the primary copy: its rows, in order, written by one plain `COPY (.. ORDER BY ..) TO`.
 * @module
 */
import { mkdir, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { CollectionName } from "../../../data/format/collections.ts";
import type { ManifestCollection } from "../../../data/format/manifest.ts";
import { measureNode, type Taken } from "./process.ts";

export interface RunFloor {
  readonly run: keyof typeof RUNS;
  readonly rows: number;
  readonly taken: Taken;
  /** Bytes of the written file. */
  readonly bytes: number;
}

/** Files of a run that other programs read, and the sort order of its rows. */
const RUNS = {
  location: { files: "country=*/geohash=*/*.parquet", order: "country, geohash, id" },
} as const;

/** Maximum disk space for loaded, spilled and written rows, as a multiple of their files. */
const ROOM_BY_BYTES = 6;

/** The runs whose copies fit the disk of a folder. */
export async function runsThatFit<Run extends RunFloor["run"]>(
  runs: readonly Run[],
  made: ManifestCollection["runs"],
  folder: string,
): Promise<Run[]> {
  const { bavail, bsize } = await statfs(folder);
  return runs.filter((run) => (made[run]?.bytes ?? 0) * ROOM_BY_BYTES <= bavail * bsize);
}

export interface RunFloorOptions {
  readonly dataset: string;
  readonly collection: CollectionName;
  readonly runs: readonly RunFloor["run"][];
  /** Memory of a copy in DuckDB's syntax. */
  readonly memory: string;
  /** Folder for the rows during the copy, and for spilled data. */
  readonly scratch: string;
}

/**
 * Measures the runs one after another. Rows are loaded before, unsorted, so that only sorting and writing is
 * measured.
 */
export async function measureRunFloors(options: RunFloorOptions): Promise<RunFloor[]> {
  const { dataset, collection, runs, memory, scratch } = options;
  await mkdir(scratch, { recursive: true });
  const [database, copy] = [join(scratch, "run.duckdb"), join(scratch, "run.parquet")];
  const floors: RunFloor[] = [];
  for (const run of runs) {
    const rows = await loadRows(`${dataset}/${collection}/${RUNS[run].files}`, { database, memory, scratch });
    const args = ["--import", "tsx", "e2e/bench/pipeline/floor.ts", `FROM run ORDER BY ${RUNS[run].order}`];
    const taken = await measureNode([...args, copy, memory, scratch, database], scratch);
    floors.push({ run, rows, taken, bytes: (await stat(copy)).size });
    for (const file of [database, copy]) await rm(file);
  }
  return floors;
}

async function loadRows(
  files: string,
  { database, memory, scratch }: { database: string; memory: string; scratch: string },
): Promise<number> {
  const instance = await DuckDBInstance.create(database);
  const connection = await instance.connect();
  await connection.run(`SET memory_limit = '${memory}'`);
  await connection.run(`SET temp_directory = '${scratch}'`);
  await connection.run(`
    CREATE TABLE run AS
    FROM read_parquet('${files}', hive_partitioning = true, hive_types_autocast = false, union_by_name = true)
    ORDER BY hash(id)`);
  const reader = await connection.runAndReadAll("SELECT count(*)::DOUBLE FROM run");
  connection.closeSync();
  instance.closeSync();
  return Number(reader.getRows()[0]?.[0]);
}
