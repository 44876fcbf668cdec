/**
 * The least that a sorted copy costs: one plain `COPY (.. ORDER BY id) TO` of DuckDB, over all rows of a source.
 *
 *     tsx e2e/bench/pipeline-floor.ts <source> <file to write> <memory> <folder to spill to>
 * @module
 */
import { DuckDBInstance } from "@duckdb/node-api";

const [source = "", out = "", memory = "", spill = ""] = process.argv.slice(2);
const instance = await DuckDBInstance.create(":memory:");
const connection = await instance.connect();
for (const statement of [
  `SET memory_limit = '${memory}'`,
  `SET temp_directory = '${spill}'`,
  `COPY (FROM read_parquet('${source}/**/*.parquet', hive_partitioning = false) ORDER BY id) TO '${out}' (FORMAT parquet, COMPRESSION zstd)`,
])
  await connection.run(statement);
connection.closeSync();
instance.closeSync();
