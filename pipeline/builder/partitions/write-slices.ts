/** Writes the primary copy: GeoParquet slices in packs, the points of each slice, and its records in chunks. @module */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBBlobValue } from "@duckdb/node-api";
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import type { Collection, CollectionName } from "../../../data/format/collections.ts";
import { geoMetadata } from "../../../data/format/geo-metadata.ts";
import { commonBits, spellGeohash } from "../../../data/format/geohash.ts";
import type { ChunkNode, LocationNode, Slice } from "../../../data/format/manifest.ts";
import { FORMAT_VERSION } from "../../../data/format/manifest.ts";
import { locationPackPath } from "../../../data/format/paths.ts";
import { writeSections } from "../../../data/format/point-sections.ts";
import { type PointRow, writePoints } from "../../../data/format/points.ts";
import { firstAddressOf } from "../../../data/format/records.ts";
import { type Database, quoteIdentifier } from "../../base/database/index.ts";
import { createPack, deflate, type Level, type LooseSlice, writePack, writePacks } from "../packs/index.ts";
import {
  createChunks,
  type MadeChunk,
  type RowRecord,
  recordJson,
  rowJsonSql,
  storedGeometry,
} from "../records/index.ts";
import { createJointFooter, withSlimFooter } from "./footers.ts";
import type { PlannedUnit } from "./plan-packs.ts";
import { leafKey, type PlannedLeaf } from "./plan-partitions.ts";
import { copyToParquet, ROW_GROUP_ROWS } from "./row-target.ts";
import { BATCH_ROWS, batchRanges, type RowRange, readSummaries, type Summary } from "./summaries.ts";

interface LocationTable {
  readonly collection: Collection;
  /** Rows in the run's order, by `rowid`, with `_geohash`, `_kind` and `_number`. */
  readonly table: string;
  readonly rows: number;
  /** Returns the number of the first row of a country. */
  readonly firstNumberOf: (country: string) => number;
  /** The compression dictionary of records. */
  readonly dictionary: Uint8Array;
  readonly folder: string;
  readonly level: Level;
  /** Approximate maximum size of a pack of records. */
  readonly packBytes: number;
  readonly sectionBytes: number | undefined;
}

/** A slice of an unfinished pack. `record` is counted from the first chunk of the pack. */
type MadeSlice = Omit<LocationNode, "points"> & { readonly points: Uint8Array };

interface MadePack {
  readonly slices: readonly MadeSlice[];
  readonly chunks: readonly MadeChunk[];
  readonly country: string;
  readonly key: string;
  /** Rows of the table. */
  readonly span: RowRange;
}

/** What `writeUnits` wrote. Addresses of records are counted from the first chunk of the table. */
interface WrittenUnits {
  readonly slices: readonly LocationNode[];
  readonly chunks: readonly Omit<ChunkNode, "chunk">[];
  /** Number of each row of the table. */
  readonly numbers: Float64Array;
  /** Address of the record of each row of the table. */
  readonly addresses: Float64Array;
}

/**
 * Writes the packs of the units, their points and their records into the folder. Rows of units are counted from the
 * table's first row.
 */
export async function writeUnits(
  database: Database,
  into: LocationTable,
  units: readonly PlannedUnit[],
): Promise<WrittenUnits> {
  const [slices, chunks]: [LocationNode[], Omit<ChunkNode, "chunk">[]] = [[], []];
  const positions: RowPositions = { numbers: new Float64Array(into.rows), addresses: new Float64Array(into.rows) };
  for (const { packs: planned } of units) {
    const made = await makePacks(database, into, planned, positions);
    const target = { folder: into.folder, collection: into.collection.name };
    const stored = await writePack(
      { ...target, kind: "points" },
      made.flatMap((pack) => pack.slices.map((slice) => slice.points)),
    );
    const before = slices.length;
    let chunk = chunks.length;
    for (const { slices: mine, chunks: own, span } of made) {
      const first = firstAddressOf(chunk);
      for (let row = span.start; row < span.end; row++)
        positions.addresses[row] = first + (positions.addresses[row] ?? 0);
      for (const slice of mine) {
        const beside = stored[slices.length - before];
        if (!beside) throw new Error(`${into.table}: a slice has no points`);
        const sections = writeSections(slice.points, slice.bbox);
        const points = { ...beside, ...(sections === undefined ? {} : { sections }) };
        slices.push({ ...slice, points, record: first + slice.record });
      }
      chunk += own.length;
    }
    chunks.push(...(await writePacks({ ...target, kind: "records" }, chunkSlices(made), into.packBytes)));
  }
  return { slices, chunks, ...positions };
}

/** What is known of the table's rows by `rowid`. */
interface RowPositions {
  readonly numbers: Float64Array;
  readonly addresses: Float64Array;
}

async function makePacks(
  database: Database,
  into: LocationTable,
  planned: readonly (readonly PlannedLeaf[])[],
  positions: RowPositions,
): Promise<MadePack[]> {
  const summaries = await readSummaries(database, into.table, planned.flat());
  const made: MadePack[] = new Array(planned.length);
  // Many countries have only a few rows each, so their packs share batches.
  await database.each(batchRanges(planned.map(spanOf), BATCH_ROWS), async (connection, packs) => {
    const mine = packs.map(({ index }) => planned[index] ?? []);
    const batches = createBatches(connection, into, mine.flat());
    for (const { index } of packs)
      made[index] = await writeLocationPack(connection, into, planned[index] ?? [], { summaries, batches, positions });
    await batches.close();
  });
  return made;
}

/** Reads the chunks from their files, which are removed. */
async function* chunkSlices(
  packs: readonly MadePack[],
): AsyncGenerator<LooseSlice<Omit<ChunkNode, "chunk" | keyof Slice>>> {
  for (const { chunks, country, key } of packs) {
    for (const [index, { file, ...chunk }] of chunks.entries()) {
      const bytes = await readFile(file);
      await rm(file);
      yield { bytes, key: `${key} ${index}`, node: { ...chunk, country } };
    }
  }
}

function spanOf(slices: readonly RowRange[]): RowRange {
  return { start: slices[0]?.start ?? 0, end: slices.at(-1)?.end ?? 0 };
}

const BATCH = "batch";

interface TableRow extends RowRecord, PointRow {}

interface SliceRows {
  /** A FROM clause, in order. */
  readonly from: string;
  readonly rows: readonly TableRow[];
}

interface Batches {
  /** The rows of a slice. Request slices in order. */
  readonly rowsOf: (slice: RowRange) => Promise<SliceRows>;
  readonly close: () => Promise<void>;
}

/** DuckDB scans the complete table for each slice, so consecutive slices are copied into a small table first. */
function createBatches(
  database: Database,
  { table, collection, dictionary }: Pick<LocationTable, "table" | "collection" | "dictionary">,
  slices: readonly RowRange[],
): Batches {
  const spans = batchRanges(slices, BATCH_ROWS).map((batch) => spanOf(batch.map(({ range }) => range)));
  let held: RowRange | undefined;
  let rows: TableRow[] = [];
  return {
    rowsOf: async ({ start, end }) => {
      if (!held || start >= held.end) {
        held = spans.find((span) => start < span.end);
        if (!held) throw new Error(`${table}: no batch has row ${start}`);
        // Temporary, because other connections have tables of the same name.
        await database.run(
          `CREATE OR REPLACE TEMP TABLE ${BATCH} AS SELECT * FROM ${table} WHERE rowid >= ${held.start} AND rowid < ${held.end}`,
        );
        rows = await readRows(database, collection, dictionary);
      }
      // A table keeps its order, and its rows up to a row group need no sorting, which would take a third of the
      // time.
      const order = end - start <= ROW_GROUP_ROWS ? "" : " ORDER BY rowid";
      const [first, after] = [start - held.start, end - held.start];
      const from = `${BATCH} WHERE rowid >= ${first} AND rowid < ${after}${order}`;
      return { from, rows: rows.slice(first, after) };
    },
    close: () => database.run(`DROP TABLE IF EXISTS ${BATCH}`),
  };
}

async function readRows(database: Database, collection: Collection, dictionary: Uint8Array): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  const sql = `
    SELECT rowid::INTEGER, geometry, _number, encode(${rowJsonSql(collection)}), bbox.xmin, bbox.ymin, bbox.xmax, bbox.ymax
    FROM ${BATCH}`;
  for await (const columns of database.stream(sql)) {
    const [ordinals = [], geometries = [], numbers = [], texts = [], west = [], south = [], east = [], north = []] =
      columns;
    for (const [index, geometry] of geometries.entries()) {
      rows[Number(ordinals[index])] = {
        ...(await storedGeometry((geometry as DuckDBBlobValue).bytes, dictionary)),
        number: Number(numbers[index]),
        json: recordJson((texts[index] as DuckDBBlobValue).bytes),
        bbox: [Number(west[index]), Number(south[index]), Number(east[index]), Number(north[index])],
      };
    }
  }
  return rows;
}

interface PackSource {
  readonly summaries: ReadonlyMap<number, Summary>;
  readonly batches: Batches;
  readonly positions: RowPositions;
}

/**
 * Collections with many rows in a slice, which are searched for the nearest row. Other slices are one section by default, because the
 * list of sections takes space in the index.
 */
const IN_SECTIONS: ReadonlySet<string> = new Set(["address", "segment"]);
/** Bytes of geometries of a section. Compressed, it has about 2.7 KB. */
const SECTION_BYTES = 4096;

/** Writes consecutive slices of a country into one pack, and their records into chunks. */
async function writeLocationPack(
  database: Database,
  into: LocationTable,
  planned: readonly PlannedLeaf[],
  { summaries, batches, positions }: PackSource,
): Promise<MadePack> {
  const { collection, folder, table } = into;
  const [leaf] = planned;
  if (!leaf) throw new Error(`${table}: a pack of no slices`);
  const { country } = leaf;
  const firstNumber = into.firstNumberOf(country);
  const sectionBytes = into.sectionBytes ?? (IN_SECTIONS.has(collection.name) ? SECTION_BYTES : undefined);
  const writer = await createPack(folder);
  const chunks = createChunks(folder, into.dictionary);
  const footer = createJointFooter();
  const slices: Omit<MadeSlice, "pack">[] = [];
  const sliceSummaries: Summary[] = [];
  for (const range of planned) {
    const summary = summaries.get(range.start);
    if (!summary) throw new Error(`${table}: no rows from ${range.start} to ${range.end}`);
    const { from, rows } = await batches.rowsOf(range);
    const bytes = await parquetOf(database, into, { from, country, summary });
    const written = await writer.add(bytes);
    footer.add({ bytes, offset: written.offset });
    const { groups, addresses } = await chunks.add(rows);
    for (const [index, { number }] of rows.entries()) {
      positions.numbers[range.start + index] = number;
      positions.addresses[range.start + index] = addresses[index] ?? 0;
    }
    const points = rows.map(({ geometry, number }) => ({ geometry, number: number - firstNumber }));
    slices.push({
      ...written,
      rows: range.end - range.start,
      bbox: summary.bbox,
      country,
      geohash: spellGeohash(...prefixOf([summary])),
      points: await writePoints(points, { groups, record: addresses[0] ?? 0, sectionBytes }, deflate),
      record: addresses[0] ?? 0,
    });
    sliceSummaries.push(summary);
  }
  if (slices.length > 1) {
    const kinds = new Set(sliceSummaries.flatMap((summary) => summary.kinds));
    const geo = geoMetadata(kinds, bboxUnion(sliceSummaries.map(({ bbox }) => bbox)));
    await writer.addBeside(footer.write({ geo }));
  }
  const geohash = spellGeohash(...prefixOf(sliceSummaries));
  const pack = await writer.finish((name) =>
    locationPackPath(collection.name, { country, pack: `${geohash}/${name}` }),
  );
  return {
    slices: slices.map((slice) => ({ ...slice, pack: `${geohash}/${pack}` })),
    chunks: await chunks.close(),
    country,
    key: String(leafKey(leaf)),
    span: spanOf(planned),
  };
}

interface SliceSource {
  readonly from: string;
  readonly country: string;
  readonly summary: { readonly kinds: readonly string[]; readonly bbox: BBox };
}

async function parquetOf(
  database: Database,
  { collection, folder, level }: LocationTable,
  { from, country, summary: { kinds, bbox } }: SliceSource,
): Promise<Uint8Array> {
  const file = join(folder, `${crypto.randomUUID()}.tmp`);
  const metadata = { geo: geoMetadata(kinds, bbox), cairn: cairnMetadata(collection.name, country) };
  const columns = collection.columns.map(({ name }) => quoteIdentifier(name));
  const sql = `SELECT ${columns.join(", ")} FROM ${from}`;
  await copyToParquet(database, sql, file, { level, metadata });
  const bytes = await readFile(file);
  await rm(file);
  return withSlimFooter(bytes);
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
