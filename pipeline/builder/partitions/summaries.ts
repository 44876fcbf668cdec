import type { DuckDBBlobValue } from "@duckdb/node-api";
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import { boxesOfPaths } from "../../../data/format/path-boxes.ts";
import type { Database } from "../../base/database/index.ts";
import { batchesOf } from "../packs/index.ts";

/** Rows of a table with a `rowid` from `start` to `end` (exclusive). */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** Approximate rows to process together. */
export const BATCH_ROWS = 16 * 1024;

interface Indexed<Range> {
  readonly range: Range;
  readonly index: number;
}

/** Groups consecutive ranges, with their indices, into batches of at most `most` rows, or of one range. */
export function batchRanges<Range extends RowRange>(ranges: readonly Range[], most: number): Indexed<Range>[][] {
  const indexed = ranges.map((range, index) => ({ range, index }));
  return batchesOf(indexed, most, ({ range: { start, end } }) => end - start);
}

/** Summary of a slice's rows. */
export interface Summary {
  readonly bbox: BBox;
  readonly firstGeohash: number;
  readonly lastGeohash: number;
  readonly kinds: readonly string[];
}

interface Summarised {
  readonly first: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly first_geohash: number;
  readonly last_geohash: number;
  readonly kinds: readonly string[];
}

/**
 * Returns a summary of the rows in each range, by the start of the range. Reads all rows once. Ranges must be ascending
 * and without gaps. A range without rows has no summary.
 */
export async function readSummaries(
  database: Database,
  table: string,
  ranges: readonly RowRange[],
): Promise<Map<number, Summary>> {
  const [start, end] = [ranges[0]?.start ?? 0, ranges.at(-1)?.end ?? 0];
  const starts = ranges.map((range) => `(${range.start})`).join(", ");
  const rows = await database.rows<Summarised>(`
    SELECT first, min(bbox.xmin) AS west, min(bbox.ymin) AS south, max(bbox.xmax) AS east, max(bbox.ymax) AS north,
      min(_geohash) AS first_geohash, max(_geohash) AS last_geohash, list(DISTINCT _kind) AS kinds
    FROM (SELECT rowid AS ordinal, bbox, _geohash, _kind FROM ${table} WHERE rowid >= ${start} AND rowid < ${end})
    ASOF JOIN (VALUES ${starts}) ranges(first) ON ordinal >= first
    GROUP BY first`);
  const summaries = new Map<number, Summary>();
  for (const row of rows) {
    const { west, south, east, north } = row;
    const range = ranges.find((one) => one.start === row.first);
    const bbox: BBox =
      range && east - west > 180 ? await acrossAntimeridian(database, table, range) : [west, south, east, north];
    summaries.set(row.first, {
      bbox,
      firstGeohash: row.first_geohash,
      lastGeohash: row.last_geohash,
      kinds: row.kinds,
    });
  }
  return summaries;
}

/** The narrowest box around the rows. Of a row that is wider than half the earth, each path counts alone. */
async function acrossAntimeridian(database: Database, table: string, { start, end }: RowRange): Promise<BBox> {
  const rows = `${table} WHERE rowid >= ${start} AND rowid < ${end}`;
  const boxes = await database.rows<Record<"west" | "south" | "east" | "north", number>>(`
    SELECT bbox.xmin AS west, bbox.xmax AS east, min(bbox.ymin) AS south, max(bbox.ymax) AS north
    FROM ${rows} AND bbox.xmax - bbox.xmin <= 180 GROUP BY 1, 2`);
  const all = boxes.map(({ west, south, east, north }): BBox => [west, south, east, north]);
  const wide = database.stream(`SELECT geometry FROM ${rows} AND bbox.xmax - bbox.xmin > 180`);
  for await (const [geometries = []] of wide) {
    for (const geometry of geometries) all.push(...boxesOfPaths((geometry as DuckDBBlobValue).bytes));
  }
  return bboxUnion(all);
}
