/**
 * The minimum cost of a sorted copy: one plain `COPY (.. ORDER BY ..) TO` of DuckDB.
 *
 * tsx e2e/bench/pipeline/floor.ts <rows in their order, as SQL> <file to write> <memory> <folder to spill to>
 * [<database>]
 * @module
 */
import { DuckDBInstance } from "@duckdb/node-api";

const [rows = "", out = "", memory = "", spill = "", database = ":memory:"] = process.argv.slice(2);
const instance = await DuckDBInstance.create(database, {
  access_mode: database === ":memory:" ? "automatic" : "read_only",
});
const connection = await instance.connect();
for (const statement of [
  `SET memory_limit = '${memory}'`,
  `SET temp_directory = '${spill}'`,
  `COPY (${rows}) TO '${out}' (FORMAT parquet, COMPRESSION zstd)`,
])
  await connection.run(statement);
connection.closeSync();
instance.closeSync();
