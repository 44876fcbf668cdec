/**
 * Two releases of a part of Monaco: the second has added, removed, renamed and moved records.
 * @module
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { writeWkb } from "../../data/format/write-wkb.ts";
import { buildDataset } from "../builder/dataset/build.ts";

const MONACO = "data/sample/monaco";
const TYPES = ["place", "address", "water"] as const;
/** Rows of each type. */
const ROWS = 200;
const EVERY = 20;

/** Writes sources of both releases into the folder, and their datasets `old` and `new`. */
export async function buildEditedMonaco(folder: string): Promise<{ readonly older: string; readonly newer: string }> {
  const database = await (await DuckDBInstance.create(":memory:")).connect();
  await database.run("SET enable_geoparquet_conversion = false");
  const tokyo = Buffer.from(writeWkb({ type: "Point", coordinates: [139.75, 35.68] })).toString("hex");
  for (const release of ["old", "new"]) await mkdir(join(folder, `${release}-sources`), { recursive: true });
  for (const type of TYPES) {
    const rows = `SELECT *, row_number() OVER (ORDER BY id) AS n, first_value(geometry) OVER (ORDER BY id) AS first
      FROM read_parquet('${MONACO}/${type}.parquet') ORDER BY id LIMIT ${ROWS}`;
    const write = (release: string, sql: string) =>
      database.run(`COPY (${sql}) TO '${join(folder, `${release}-sources`, `${type}.parquet`)}' (FORMAT parquet)`);
    // Water is the same in both.
    if (type === "water") {
      for (const release of ["old", "new"]) await write(release, `SELECT * EXCLUDE (n, first, bbox) FROM (${rows})`);
      continue;
    }
    const renamed =
      type === "place" ? 'struct_update(names, "primary" := names."primary" || \' bis\')' : "street || ' bis'";
    const column = type === "place" ? "names" : "street";
    const edits = `SELECT * REPLACE (
        CASE WHEN n % ${EVERY} IN (2, 4) THEN ${renamed} ELSE ${column} END AS ${column},
        CASE WHEN n = 5 THEN unhex('${tokyo}') WHEN n % ${EVERY} IN (3, 4) THEN first ELSE geometry END AS geometry)
      FROM (${rows})`;
    await write("old", `SELECT * EXCLUDE (n, first, bbox) FROM (${rows}) WHERE n % ${EVERY} <> 0`);
    await write("new", `SELECT * EXCLUDE (n, first, bbox) FROM (${edits}) WHERE n % ${EVERY} <> 1`);
  }
  database.closeSync();
  for (const release of ["old", "new"]) {
    await buildDataset({
      sources: [join(folder, `${release}-sources`)],
      out: join(folder, release),
      release,
      keep: false,
      packBytes: 0,
    });
  }
  return { older: join(folder, "old"), newer: join(folder, "new") };
}
