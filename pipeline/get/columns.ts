/** Some columns of some row groups of a release's file, asked by SQL. @module */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { newFile } from "../../data/parquet/index.ts";
import { atATime, type OpenedFile, type Remote } from "../../data/release/index.ts";
import { type Database, quotePath } from "../database/index.ts";
import { endFile, fetchPiece, missingPieces } from "./fetch-file.ts";

export interface ColumnsOptions {
  readonly remote: Remote;
  readonly database: Database;
  /** For what is fetched, which goes again. */
  readonly folder: string;
}

const PIECES_AT_A_TIME = 8;

export interface ColumnsQuery {
  readonly groups: readonly number[];
  readonly columns: readonly string[];
  readonly sql: (from: string) => string;
}

export async function askColumns<Row>(
  { file, metadata }: OpenedFile,
  { database, folder }: ColumnsOptions,
  query: ColumnsQuery,
): Promise<Row[]> {
  const scratch = await mkdtemp(join(folder, "columns-"));
  try {
    const { spans, footer } = newFile(metadata, query.groups, query.columns);
    const wanted = { path: join(scratch, "columns.parquet"), spans, footer };
    await atATime((await missingPieces(wanted)) ?? [], PIECES_AT_A_TIME, (piece) => fetchPiece(file, piece, wanted));
    await endFile(wanted);
    return await database.rows<Row>(query.sql(`read_parquet(${quotePath(wanted.path)}, hive_partitioning = false)`));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
