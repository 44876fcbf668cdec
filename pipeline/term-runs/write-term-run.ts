import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import type { PartitionNode, TermRunName } from "../../data/format/manifest.ts";
import { partitionPath } from "../../data/format/paths.ts";
import { type Database, quoteIdentifier } from "../database/index.ts";
import { allEnded } from "../disk/index.ts";
import {
  BATCH_ROWS,
  cairnMetadata,
  copyToParquet,
  copyToParquets,
  eachBatch,
  nameByContent,
  type ParquetOptions,
  type Placed,
  partedPath,
  ROW_GROUP_ROWS,
  type RowRange,
} from "../partitions/index.ts";
import type { PlannedTerms } from "./plan-terms.ts";

/** SQL of a collection's rows and their `country`, as what follows FROM. */
export type RowsOf = (collection: CollectionName) => string;

export interface TermTable {
  readonly collection: CollectionName;
  readonly run: TermRunName;
  readonly table: string;
  /** Whether one thread wrote the table: then DuckDB's vectors begin at rowid 0. */
  readonly isByOneThread?: boolean;
  readonly columns: readonly string[];
  readonly folder: string;
}

/** Open at a time in a statement. */
const BATCH_FILES = 64;

const PART = "part";

/** Rows of one of DuckDB's vectors. */
const VECTOR_ROWS = 2048;

/** DuckDB 1.5 holds back 64. */
const HELD_BACK_ROWS = 128;

export async function writeTermPartitions(
  database: Database,
  table: TermTable,
  planned: readonly PlannedTerms[],
): Promise<PartitionNode[]> {
  const boxes = await boxesOf(database, table.table, planned);
  const partitions: PartitionNode[] = new Array(planned.length);
  const write = async (connection: Database, source: BatchSource, batch: readonly Placed<PlannedTerms>[]) => {
    const { temporary, copied } = await copyBatch(connection, table, source, batch);
    await allEnded(
      copied.map(async (each) => {
        partitions[each.index] = await publish(table, each, bboxUnion(boxes.get(each.index) ?? []));
      }),
    );
    await rm(temporary, { recursive: true, force: true });
  };
  if (table.isByOneThread) {
    const source = { rows: table.table, start: 0 };
    await database.each(batchAlike(planned, 0), (connection, batch) => write(connection, source, batch));
  } else {
    await eachBatch(database, table.table, batchAlike(planned), (connection, rows, batch) =>
      write(connection, { rows, start: batch[0]?.range.start ?? 0 }, batch),
    );
  }
  return partitions;
}

/** Boxes that cover each range together, by its index: one pass over the table. */
async function boxesOf(
  database: Database,
  table: string,
  ranges: readonly RowRange[],
): Promise<Map<number, readonly BBox[]>> {
  if (ranges.length === 0) return new Map();
  const starts = ranges.map(({ start }, index) => `(${index}, ${start})`).join(", ");
  const rows = await database.rows<Record<"index" | "west" | "south" | "east" | "north", number>>(`
    SELECT index, min(bbox.xmin) AS west, min(bbox.ymin) AS south, max(bbox.xmax) AS east, max(bbox.ymax) AS north
    FROM (SELECT rowid AS place, bbox FROM ${table})
    ASOF JOIN (VALUES ${starts}) ranges(index, first) ON place >= first
    GROUP BY index, bbox.xmin > bbox.xmax ORDER BY ALL`);
  const boxes = new Map<number, BBox[]>();
  for (const { index, west, south, east, north } of rows) {
    boxes.set(index, [...(boxes.get(index) ?? []), [west, south, east, north]]);
  }
  return boxes;
}

/** Neighbours of one country that can be copied together; others alone. */
function batchAlike(planned: readonly PlannedTerms[], vectorStart?: number): Placed<PlannedTerms>[][] {
  const batches: Placed<PlannedTerms>[][] = [];
  for (const [index, range] of planned.entries()) {
    const batch = batches.at(-1);
    const [first, last] = [batch?.[0]?.range, batch?.at(-1)?.range];
    const isNext =
      batch !== undefined &&
      batch.length < BATCH_FILES &&
      last?.end === range.start &&
      first?.country === range.country &&
      range.end - first.start <= BATCH_ROWS &&
      staysInOrder(first, vectorStart ?? first.start) &&
      staysInOrder(range, vectorStart ?? first.start);
    if (isNext) batch.push({ range, index });
    else batches.push([{ range, index }]);
  }
  return batches;
}

/**
 * Whether a range can be copied together with others and stay in order: DuckDB writes vector by vector, and holds
 * back a few rows of a file while it writes more from the same vector.
 */
function staysInOrder({ start, end }: RowRange, vectorStart: number): boolean {
  const inFirstVector = VECTOR_ROWS - ((start - vectorStart) % VECTOR_ROWS);
  return end - start <= ROW_GROUP_ROWS && (end - start <= inFirstVector || inFirstVector >= HELD_BACK_ROWS);
}

interface CopiedRange extends Placed<PlannedTerms> {
  readonly file: string;
}

/** A table of a batch, from row `start` of the whole table on. */
interface BatchSource {
  readonly rows: string;
  readonly start: number;
}

/** Copies each range into a file; all are in, or are, the temporary one. */
async function copyBatch(
  connection: Database,
  { collection, run, columns, folder }: TermTable,
  { rows, start }: BatchSource,
  batch: readonly Placed<PlannedTerms>[],
): Promise<{ temporary: string; copied: CopiedRange[] }> {
  const { range: first } = batch[0] as Placed<PlannedTerms>;
  const end = batch.at(-1)?.range.end ?? first.end;
  const list = columns.map(quoteIdentifier).join(", ");
  const options = { ...optionsOf(run), metadata: { cairn: cairnMetadata(collection, run, first.country) } };
  const temporary = join(folder, `${collection}.${run}.${randomUUID()}.tmp`);
  const within = `FROM ${rows} WHERE rowid >= ${first.start - start} AND rowid < ${end - start}`;
  if (batch.length === 1) {
    // as in `eachRange`
    const order = first.end - first.start <= ROW_GROUP_ROWS ? "" : " ORDER BY rowid";
    await copyToParquet(connection, `SELECT ${list} ${within}${order}`, temporary, options);
    return { temporary, copied: batch.map((placed) => ({ ...placed, file: temporary })) };
  }
  const parts = batch.map(({ range }, part) => `WHEN rowid < ${range.end - start} THEN ${part}`).join(" ");
  const sql = `SELECT ${list}, CASE ${parts} END AS ${PART} ${within}`;
  await copyToParquets(connection, sql, { folder: temporary, column: PART, ...options });
  const copied = batch.map((placed, part) => ({ ...placed, file: partedPath(temporary, PART, part) }));
  return { temporary, copied };
}

/** Records, all of them different, are most of the term run. */
export function optionsOf(run: TermRunName): ParquetOptions {
  return { hasDictionaries: run !== "term" };
}

async function publish(
  { collection, run, folder }: TermTable,
  { file, range: { country, start, end, firstTerm, lastTerm, startInTerm } }: CopiedRange,
  bbox: BBox,
): Promise<PartitionNode> {
  const named = (sha256: string): string => join(folder, partitionPath(collection, run, { country, sha256 }));
  const content = await nameByContent(file, named);
  const terms = { first_term: firstTerm, last_term: lastTerm, start: startInTerm };
  return { ...content, rows: end - start, bbox, country, ...terms };
}
