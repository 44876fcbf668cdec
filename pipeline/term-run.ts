/**
 * Makes the term run of a collection: rows by (country, term, id), each with its columns, so that a page of a search by
 * name or category is read from one place.
 * @module
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BBox } from "../data/format/bbox.ts";
import type { Collection } from "../data/format/collections.ts";
import type { ManifestRun, PartitionNode } from "../data/format/manifest.ts";
import { partitionPath } from "../data/format/paths.ts";
import type { Database } from "./database.ts";
import { cairnMetadata } from "./geo-metadata.ts";
import { type PlannedTerms, planTermRun, type TermCount } from "./plan-terms.ts";
import { quoteIdentifier } from "./sql.ts";
import { makePostings, termColumns } from "./term-postings.ts";
import { writeIndex } from "./write-index.ts";
import { copyToParquet } from "./write-partition.ts";

/** A search by term reads one or two partitions and no more: half the size of the other runs' keeps it quick. */
const SHARE_OF_TARGET = 0.5;

const POSTINGS = "postings";
const RUN = "run_term";

export interface TermRunOptions {
  readonly collection: Collection;
  readonly staged: string;
  /** Row target of the collection's other runs. */
  readonly target: number;
  readonly folder: string;
  readonly onPartition: () => void;
}

/** The term run; undefined when rows of the collection have no terms. Needs `rowTerms` registered. */
export async function makeTermRun(database: Database, options: TermRunOptions): Promise<ManifestRun | undefined> {
  const { collection, staged, target, folder, onPartition } = options;
  if (termColumns(collection).length === 0) return undefined;
  const goal = Math.max(1, Math.floor(target * SHARE_OF_TARGET));
  await makePostings(database, { collection, staged, table: POSTINGS, target: goal });
  const columns = collection.columns.map(({ name }) => name);
  // a light row keeps what names it and where it lies
  const kept = columns.map((name) => {
    const column = `staged.${quoteIdentifier(name)}`;
    return name === "id" || name === "bbox"
      ? column
      : `CASE WHEN NOT _is_light THEN ${column} END AS ${quoteIdentifier(name)}`;
  });
  await database.run(`
    CREATE OR REPLACE TABLE ${RUN} AS
    SELECT p._country AS _country, p._term AS term, p._is_light AS is_light, staged._country AS row_country, ${kept.join(", ")}
    FROM ${POSTINGS} p JOIN ${staged} staged ON staged.rowid = p._at
    ORDER BY p._country, p._term, staged.id`);
  await database.run(`DROP TABLE ${POSTINGS}`);
  const counts = await database.rows<TermCount>(
    `SELECT _country AS country, term, count(*) AS rows, count(*) FILTER (NOT is_light) AS "full" FROM ${RUN} GROUP BY ALL ORDER BY _country, term`,
  );
  if (counts.length === 0) return undefined;
  const planned = planTermRun(counts, goal);
  const partitions: PartitionNode[] = new Array(planned.length);
  await database.each(planned, async (connection, partition, index) => {
    partitions[index] = await writeTerms(connection, { collection, folder, columns }, partition);
    onPartition();
  });
  await database.run(`DROP TABLE ${RUN}`);
  return writeIndex(folder, { collection: collection.name, run: "term", partitions });
}

async function writeTerms(
  database: Database,
  { collection, folder, columns }: { collection: Collection; folder: string; columns: readonly string[] },
  { country, start, end, firstTerm, lastTerm, startInTerm }: PlannedTerms,
): Promise<PartitionNode> {
  const where = `rowid >= ${start} AND rowid < ${end}`;
  const [box] = await database.rows<{ west: number; south: number; east: number; north: number }>(
    `SELECT min(bbox.xmin) AS west, min(bbox.ymin) AS south, max(bbox.xmax) AS east, max(bbox.ymax) AS north FROM ${RUN} WHERE ${where}`,
  );
  if (!box) throw new Error(`${RUN} has no rows where ${where}`);
  const temporary = join(folder, `${collection.name}.term.${start}.tmp`);
  const list = ["term", "is_light", "row_country", ...columns].map(quoteIdentifier).join(", ");
  await copyToParquet(database, `SELECT ${list} FROM ${RUN} WHERE ${where} ORDER BY rowid`, temporary, {
    cairn: cairnMetadata(collection.name, "term", country),
  });
  const content = await readFile(temporary);
  const bbox: BBox = [box.west, box.south, box.east, box.north];
  const node: PartitionNode = {
    sha256: createHash("sha256").update(content).digest("hex"),
    bytes: content.length,
    rows: end - start,
    bbox,
    country,
    first_term: firstTerm,
    last_term: lastTerm,
    start: startInTerm,
  };
  const path = join(folder, partitionPath(collection.name, "term", node));
  await mkdir(dirname(path), { recursive: true });
  await rename(temporary, path);
  return node;
}
