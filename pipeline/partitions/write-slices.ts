/** Writes the primary copy: GeoParquet slices in packs, each slice followed by its points. @module */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBBlobValue } from "@duckdb/node-api";
import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { geoMetadata } from "../../data/format/geo-metadata.ts";
import { commonBits, spellGeohash } from "../../data/format/geohash.ts";
import type { LocationNode } from "../../data/format/manifest.ts";
import { FORMAT_VERSION } from "../../data/format/manifest.ts";
import { locationPackPath } from "../../data/format/paths.ts";
import { type PointRow, writePoints } from "../../data/format/points.ts";
import { type Database, quoteIdentifier } from "../database/index.ts";
import { createPack, deflate, type Level, writePack } from "../packs/index.ts";
import { shortest } from "../records/index.ts";
import { createJointFooter, withSlimFooter } from "./footers.ts";
import type { PlannedUnit } from "./plan-packs.ts";
import type { PlannedLeaf } from "./plan-partitions.ts";
import { copyToParquet, ROW_GROUP_ROWS } from "./row-target.ts";
import { BATCH_ROWS, batchRanges, type RowRange, readSummaries, type Summary } from "./summaries.ts";

export interface LocationTable {
  readonly collection: CollectionName;
  /** Rows in the run's order, by `rowid`, with `_geohash`, `_kind` and `_number`. */
  readonly table: string;
  readonly columns: readonly string[];
  /** The first number of a country. */
  readonly firstNumberOf: (country: string) => number;
  readonly folder: string;
  readonly level: Level;
}

type SliceWithPoints = Omit<LocationNode, "points"> & { readonly points: Uint8Array };

/** Writes the packs of units into the folder. Rows of units are counted from the table's first row. */
export async function writeUnits(
  database: Database,
  into: LocationTable,
  units: readonly PlannedUnit[],
): Promise<LocationNode[]> {
  const nodes: LocationNode[] = [];
  for (const { packs: planned } of units) {
    const summaries = await readSummaries(database, into.table, planned.flat());
    const made: SliceWithPoints[][] = new Array(planned.length);
    // Many countries have only a few rows each, so their packs share batches.
    await database.each(batchRanges(planned.map(spanOf), BATCH_ROWS), async (connection, packs) => {
      const mine = packs.map(({ index }) => planned[index] ?? []);
      const batches = createBatches(connection, into.table, mine.flat());
      for (const { index } of packs)
        made[index] = await writeLocationPack(connection, into, planned[index] ?? [], { summaries, batches });
      await batches.close();
    });
    const slices = made.flat();
    const place = { folder: into.folder, collection: into.collection, kind: "points" } as const;
    const points = await writePack(
      place,
      slices.map((slice) => slice.points),
    );
    for (const [index, slice] of slices.entries()) {
      const beside = points[index];
      if (beside) nodes.push({ ...slice, points: beside });
    }
  }
  return nodes;
}

function spanOf(slices: readonly RowRange[]): RowRange {
  return { start: slices[0]?.start ?? 0, end: slices.at(-1)?.end ?? 0 };
}

const BATCH = "batch";

interface SliceRows {
  /** A FROM clause, in order. */
  readonly from: string;
  /** Points with their numbers in the table. */
  readonly points: readonly PointRow[];
}

interface Batches {
  /** The rows of a slice. Request slices in order. */
  readonly rowsOf: (slice: RowRange) => Promise<SliceRows>;
  readonly close: () => Promise<void>;
}

/** DuckDB scans the complete table for each slice, so consecutive slices are copied into a small table first. */
function createBatches(database: Database, table: string, slices: readonly RowRange[]): Batches {
  const spans = batchRanges(slices, BATCH_ROWS).map((batch) => spanOf(batch.map(({ range }) => range)));
  let held: RowRange | undefined;
  let points: PointRow[] = [];
  return {
    rowsOf: async ({ start, end }) => {
      if (!held || start >= held.end) {
        held = spans.find((span) => start < span.end);
        if (!held) throw new Error(`${table}: no batch has row ${start}`);
        // Temporary, because other connections have tables of the same name.
        await database.run(
          `CREATE OR REPLACE TEMP TABLE ${BATCH} AS SELECT * FROM ${table} WHERE rowid >= ${held.start} AND rowid < ${held.end}`,
        );
        points = await readPointRows(database);
      }
      // A table keeps its order, and its rows up to a row group need no sorting, which would take a third of the
      // time.
      const order = end - start <= ROW_GROUP_ROWS ? "" : " ORDER BY rowid";
      const [first, after] = [start - held.start, end - held.start];
      const from = `${BATCH} WHERE rowid >= ${first} AND rowid < ${after}${order}`;
      return { from, points: points.slice(first, after) };
    },
    close: () => database.run(`DROP TABLE IF EXISTS ${BATCH}`),
  };
}

async function readPointRows(database: Database): Promise<PointRow[]> {
  const rows: PointRow[] = [];
  const sql = `SELECT rowid::INTEGER, geometry, _number FROM ${BATCH}`;
  for await (const [places = [], geometries = [], numbers = []] of database.stream(sql)) {
    for (const [index, geometry] of geometries.entries()) {
      const { bytes } = geometry as DuckDBBlobValue;
      rows[Number(places[index])] = { geometry: shortest(bytes), number: Number(numbers[index]) };
    }
  }
  return rows;
}

interface PackSource {
  readonly summaries: ReadonlyMap<number, Summary>;
  readonly batches: Batches;
}

/** Writes consecutive slices of a country into one pack. */
async function writeLocationPack(
  database: Database,
  into: LocationTable,
  planned: readonly PlannedLeaf[],
  { summaries, batches }: PackSource,
): Promise<SliceWithPoints[]> {
  const { collection, folder, table } = into;
  const country = planned[0]?.country ?? "";
  const writer = await createPack(folder);
  const footer = createJointFooter();
  const slices: Omit<SliceWithPoints, "pack">[] = [];
  const told: Summary[] = [];
  for (const range of planned) {
    const summary = summaries.get(range.start);
    if (!summary) throw new Error(`${table}: no rows from ${range.start} to ${range.end}`);
    const { from, points } = await batches.rowsOf(range);
    const bytes = await parquetOf(database, into, { from, country, summary });
    const written = await writer.add(bytes);
    footer.add({ bytes, offset: written.offset });
    const geohash = spellGeohash(...prefixOf([summary]));
    slices.push({
      ...written,
      rows: range.end - range.start,
      bbox: summary.bbox,
      country,
      geohash,
      points: writePoints(countedFrom(into.firstNumberOf(country), points), deflate),
    });
    told.push(summary);
  }
  if (slices.length > 1) {
    const kinds = new Set(told.flatMap((summary) => summary.kinds));
    const geo = geoMetadata(kinds, bboxUnion(told.map(({ bbox }) => bbox)));
    await writer.addBeside(footer.write({ geo }));
  }
  const geohash = spellGeohash(...prefixOf(told));
  const pack = await writer.finish((name) => locationPackPath(collection, { country, pack: `${geohash}/${name}` }));
  return slices.map((slice) => ({ ...slice, pack: `${geohash}/${pack}` }));
}

interface SliceSource {
  readonly from: string;
  readonly country: string;
  readonly summary: { readonly kinds: readonly string[]; readonly bbox: BBox };
}

async function parquetOf(
  database: Database,
  { collection, columns, folder, level }: LocationTable,
  { from, country, summary: { kinds, bbox } }: SliceSource,
): Promise<Uint8Array> {
  const file = join(folder, `${crypto.randomUUID()}.tmp`);
  const metadata = { geo: geoMetadata(kinds, bbox), cairn: cairnMetadata(collection, country) };
  const sql = `SELECT ${columns.map(quoteIdentifier).join(", ")} FROM ${from}`;
  await copyToParquet(database, sql, file, { level, metadata });
  const bytes = await readFile(file);
  await rm(file);
  return withSlimFooter(bytes);
}

function countedFrom(first: number, rows: readonly PointRow[]): PointRow[] {
  return rows.map(({ geometry, number }) => ({ geometry, number: number - first }));
}

/** The lowest geohash of the rows, and how many leading bits all rows share with it. */
function prefixOf(summaries: readonly Summary[]): [geohash: number, bits: number] {
  const least = Math.min(...summaries.map(({ firstGeohash }) => firstGeohash));
  const greatest = Math.max(...summaries.map(({ lastGeohash }) => lastGeohash));
  return [least, commonBits(least, greatest)];
}

/** The value of the key `cairn`: the information of the file's path, for a file that is copied alone. */
function cairnMetadata(collection: CollectionName, country: string): string {
  return JSON.stringify({ format_version: FORMAT_VERSION, collection, country });
}
