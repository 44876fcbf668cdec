/**
 * Makes a source file something that SQL can read.
 * @module
 */
import type { Database } from "./database.ts";
import type { NormalisedSource } from "./normalise.ts";
import { parquetRelation, type TypedSource } from "./source-type.ts";

export async function openSource(database: Database, source: TypedSource): Promise<NormalisedSource> {
  const file = parquetRelation(source.path);
  const columns = await database.columns(`SELECT * EXCLUDE (file_row_number) FROM ${file}`);
  return { relation: `SELECT *, file_row_number AS _row FROM ${file}`, columns, index: source.index };
}
