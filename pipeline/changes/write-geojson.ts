import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { DuckDBBlobValue, DuckDBListValue, DuckDBValue } from "@duckdb/node-api";
import { readWkb } from "../../data/format/geometry.ts";
import type { Database } from "../database/index.ts";
import { allChangesSql } from "./changes-columns.ts";

/** One FeatureCollection of all changes, a line each, in the order of the files. */
export async function writeGeoJson(database: Database, files: readonly string[], path: string): Promise<void> {
  await pipeline(Readable.from(piecesOf(database, files)), createWriteStream(path));
}

async function* piecesOf(database: Database, files: readonly string[]): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":[';
  let separator = "\n";
  const columns = `id, geometry, change, "columns", collection, country, name`;
  for await (const values of database.stream(`SELECT ${columns} FROM (${allChangesSql(files)})`)) {
    for (let row = 0; row < (values[0]?.length ?? 0); row++) {
      yield separator + JSON.stringify(featureOf(values.map((column) => column[row] ?? null)));
      separator = ",\n";
    }
  }
  yield "\n]}\n";
}

function featureOf([id, geometry, change, columns, collection, country, name]: readonly (DuckDBValue | undefined)[]) {
  return {
    type: "Feature",
    id,
    geometry: readWkb((geometry as DuckDBBlobValue).bytes),
    properties: { id, collection, change, columns: (columns as DuckDBListValue).items, country, name },
  };
}
