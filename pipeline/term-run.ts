/**
 * Makes the term run of a collection: rows by (country, term, id), each with its columns, so that a page of a search by
 * name or category is read from one place.
 * @module
 */
import type { Collection } from "../data/format/collections.ts";
import type { PartitionNode } from "../data/format/manifest.ts";
import type { Database } from "./database.ts";
import { planTermRun, type TermCount } from "./plan-terms.ts";
import { quoteIdentifier } from "./sql.ts";
import { makePostings, termColumns } from "./term-postings.ts";
import { writeTermPartitions } from "./write-term-run.ts";

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
}

/** The partitions of the term run, none when no row has terms. Needs `rowTerms` registered. */
export async function makeTermPartitions(database: Database, options: TermRunOptions): Promise<PartitionNode[]> {
  const { collection, staged, target, folder } = options;
  if (termColumns(collection).length === 0) return [];
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
  const into = {
    collection: collection.name,
    run: "term",
    table: RUN,
    columns: ["term", "is_light", "row_country", ...columns],
  } as const;
  const partitions = await writeTermPartitions(database, { ...into, folder }, planTermRun(counts, goal));
  await database.run(`DROP TABLE ${RUN}`);
  return partitions;
}
