/**
 * Makes one run of a collection: sort, cut, write, index.
 * @module
 */
import type { Collection } from "../data/format/collections.ts";
import type { ManifestCollection, ManifestRun, PartitionNode, RunName } from "../data/format/manifest.ts";
import type { Database } from "./database.ts";
import { countCells } from "./histogram.ts";
import { type PlannedPartition, planIdRun, planLocationRun } from "./plan-partitions.ts";
import { measureRowTarget } from "./row-target.ts";
import { makeTermRun } from "./term-run.ts";
import { writeIndex } from "./write-index.ts";
import { writePartition } from "./write-partition.ts";

const ORDERS: Readonly<Record<RunName, string>> = {
  location: "_country, _size_class, _geohash, id",
  id: "_country, id",
};

export interface RunOptions {
  readonly collection: Collection;
  /** Table of the collection's rows. */
  readonly staged: string;
  /** Rows by country, in order. */
  readonly countries: readonly (readonly [country: string, rows: number])[];
  readonly folder: string;
  readonly onPartition: () => void;
}

/** All runs; the row target is measured on the first. */
export async function makeRuns(database: Database, options: RunOptions): Promise<ManifestCollection["runs"]> {
  const { collection, countries, folder, staged } = options;
  const columns = collection.columns.map(({ name }) => name);
  const rows = countries.reduce((sum, [, count]) => sum + count, 0);
  const byLocation = await sort(database, staged, "location");
  const target = await measureRowTarget(database, { table: byLocation, columns, folder, rows });
  const cells = await countCells(database, byLocation, target);
  const location = await writeRun(database, options, "location", byLocation, planLocationRun(cells, target));
  const byId = await sort(database, staged, "id");
  const id = await writeRun(database, options, "id", byId, planIdRun(countries, target));
  const term = await makeTermRun(database, { ...options, target });
  return term ? { location, id, term } : { location, id };
}

async function sort(database: Database, staged: string, run: RunName): Promise<string> {
  const table = `run_${run}`;
  await database.run(`CREATE OR REPLACE TABLE ${table} AS SELECT * FROM ${staged} ORDER BY ${ORDERS[run]}`);
  return table;
}

async function writeRun(
  database: Database,
  { collection, folder, onPartition }: RunOptions,
  run: RunName,
  table: string,
  planned: readonly PlannedPartition[],
): Promise<ManifestRun> {
  const columns = collection.columns.map(({ name }) => name);
  const starts = startsInCountry(planned);
  const partitions: PartitionNode[] = new Array(planned.length);
  await database.each(planned, async (connection, partition, index) => {
    const into = { collection: collection.name, run, table, columns, folder };
    partitions[index] = await writePartition(connection, into, partition, starts[index] ?? 0);
    onPartition();
  });
  return writeIndex(folder, { collection: collection.name, run, partitions });
}

function startsInCountry(planned: readonly PlannedPartition[]): number[] {
  let country = "";
  let first = 0;
  return planned.map((partition) => {
    if (partition.country !== country) [country, first] = [partition.country, partition.start];
    return partition.start - first;
  });
}
