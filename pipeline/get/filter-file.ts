import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import type { OvertureType } from "../../data/format/collections.ts";
import { type AreaFilter, wantedSql } from "../area/index.ts";
import { type Database, quoteLiteral, quotePath } from "../database/index.ts";
import { DISK } from "../disk/index.ts";
import { type Citation, readCitations } from "../sources/index.ts";

export interface FilterOptions {
  readonly from: string;
  readonly to: string;
  readonly type: OvertureType;
  readonly area: AreaFilter;
}

export interface Filtered {
  readonly rows: number;
  readonly citations: readonly Citation[];
}

/** Writes the wanted rows of a file, in its order, with its columns; no file when there are none. */
export async function filterFile(database: Database, { from, to, type, area }: FilterOptions): Promise<Filtered> {
  const source = `read_parquet(${quotePath(from)}, hive_partitioning = false)`;
  const columns = await database.columns(`SELECT * FROM ${source}`);
  const wanted = wantedSql(database, area, { type, columns });
  const temporary = `${to}.tmp`;
  await mkdir(dirname(to), { recursive: true });
  const geo = await geoOf(database, from);
  const metadata = geo === undefined ? "" : `, KV_METADATA {geo: ${quoteLiteral(geo)}}`;
  await database.run(
    `COPY (SELECT * FROM ${source} WHERE ${wanted}) TO ${quoteLiteral(temporary)} (FORMAT parquet, COMPRESSION zstd${metadata})`,
  );
  const written = `read_parquet(${quotePath(temporary)}, hive_partitioning = false)`;
  const [counted] = await database.rows<{ rows: number }>(`SELECT count(*) AS rows FROM ${written}`);
  const rows = counted?.rows ?? 0;
  if (rows === 0) {
    await rm(temporary);
    return { rows, citations: [] };
  }
  const hasSources = columns.some(({ name }) => name === "sources");
  const citations = hasSources ? await readCitations(database, written) : [];
  await DISK.syncFile(temporary);
  await rename(temporary, to);
  return { rows, citations };
}

const geoMetadata = z.looseObject({
  primary_column: z.string(),
  columns: z.record(z.string(), z.looseObject({ bbox: z.unknown() })),
});

/** The file's GeoParquet metadata without the box, which is another now. */
async function geoOf(database: Database, path: string): Promise<string | undefined> {
  const [found] = await database.rows<{ geo: string }>(
    `SELECT decode(value) AS geo FROM parquet_kv_metadata(${quotePath(path)}) WHERE decode(key) = 'geo'`,
  );
  const result = geoMetadata.safeParse(found && JSON.parse(found.geo));
  if (!result.success) return undefined;
  const columns = Object.entries(result.data.columns).map(([name, { bbox: _, ...column }]) => [name, column]);
  return JSON.stringify({ ...result.data, columns: Object.fromEntries(columns) });
}
