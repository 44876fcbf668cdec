/**
 * The executor that has a database order the rows.
 * @module
 */
import { makeVector, Table } from "apache-arrow";
import { quoteIdentifier } from "../../../data/format/sql.ts";
import { EngineError } from "../contract/errors.ts";
import type { Database, SqlValue } from "../contract/ports.ts";
import type { Partition } from "../store/partition.ts";
import { createMemo } from "../tasks/memo.ts";
import type { Candidates, Executor, RowRef } from "./executor.ts";

/** 64 bits tell partitions apart, as they do in file names. */
const NAME_CHARS = 16;

/** An executor over the database. A partition is inserted when first used and dropped when it leaves memory. */
export function createSqlExecutor(database: Database): Executor {
  const tables = createMemo<string>();
  let searches = 0;

  function insertPartition(partition: Partition): Promise<string> {
    const { sha256 } = partition.node;
    return tables.get(sha256, async () => {
      const name = `partition_${sha256.slice(0, NAME_CHARS)}`;
      await database.insert(name, idTable(partition));
      return name;
    });
  }

  async function withDistances<T>(
    candidates: readonly Candidates[],
    work: (distances: string | undefined) => Promise<T>,
  ): Promise<T> {
    if (candidates.some(({ distances }) => distances === undefined)) return work(undefined);
    const name = `distances_${++searches}`;
    await database.insert(name, distanceTable(candidates));
    try {
      return await work(name);
    } finally {
      await database.drop(name);
    }
  }

  return {
    async run(candidates, { start, end }, signal) {
      const sql: string[] = [];
      const query = (statement: Statement): Promise<Table> => {
        sql.push(statement.sql);
        return database.query(statement.sql, statement.values);
      };
      if (candidates.length === 0) return { rows: [], matched: 0, executor: "sql", sql };
      const partitions: string[] = [];
      for (const { partition } of candidates) {
        signal?.throwIfAborted();
        partitions.push(await insertPartition(partition));
      }
      return withDistances(candidates, async (distances) => {
        const page = await query(pageStatement({ partitions, distances, start, end }));
        // a page past the end has no row to carry the number
        const matched = page.numRows > 0 ? page : await query(countStatement({ partitions, distances }));
        const total = Number(matched.getChild("matched")?.get(0));
        return { rows: rowsOf(page, candidates), matched: total, executor: "sql", sql };
      });
    },
    forget({ node: { sha256 } }) {
      const name = tables.peek(sha256);
      if (name === undefined) return;
      tables.delete(sha256);
      // memory is all that a failure would cost
      database.drop(name).catch(() => {});
    },
  };
}

function idTable({ table, rows }: Partition): Table {
  const id = table.getChild("id");
  if (!id) throw new EngineError("table has no column id");
  return new Table({ row: makeVector(Int32Array.from({ length: rows }, (_, row) => row)), id });
}

/** The rows that match, of all partitions. */
function distanceTable(candidates: readonly Candidates[]): Table {
  const parts: number[] = [];
  const rows: number[] = [];
  const distances: number[] = [];
  for (const [part, candidate] of candidates.entries()) {
    candidate.distances?.forEach((meters, row) => {
      if (meters === Number.POSITIVE_INFINITY) return;
      parts.push(part);
      rows.push(row);
      distances.push(meters);
    });
  }
  return new Table({
    part: makeVector(Int32Array.from(parts)),
    row: makeVector(Int32Array.from(rows)),
    distance: makeVector(Float64Array.from(distances)),
  });
}

function rowsOf(page: Table, candidates: readonly Candidates[]): RowRef[] {
  // a database gives its rows in as many batches as it likes
  const column = (name: string): ArrayLike<number> => page.getChild(name)?.toArray() ?? [];
  const parts = column("part");
  const rows = column("row");
  const distances = candidates[0]?.distances && column("distance");
  return Array.from({ length: page.numRows }, (_, index) => {
    const partition = candidates[Number(parts[index])]?.partition;
    if (!partition) throw new EngineError(`database gave part ${parts[index]}, expected 0 to ${candidates.length - 1}`);
    const row = Number(rows[index]);
    return distances ? { partition, row, distanceMeters: Number(distances[index]) } : { partition, row };
  });
}

interface Statement {
  readonly sql: string;
  /** Bound to the `?`, in order. */
  readonly values: readonly SqlValue[];
}

interface PageOptions {
  /** Tables of partitions with columns `row` and `id`, in the order of the collections. */
  readonly partitions: readonly string[];
  /** Table with columns `part` (index into `partitions`), `row` and `distance`; left out when all rows match. */
  readonly distances?: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** The rows of a page, `part`, `row` and `distance` where there is one, in order, each with the number of all matches. */
function pageStatement({ partitions, distances, start, end }: PageOptions): Statement {
  const columns = distances === undefined ? 'part, "row"' : 'part, "row", distance';
  const order = distances === undefined ? "id, part" : "distance, id, part";
  return {
    sql: `SELECT ${columns}, count(*) OVER () AS matched FROM ${matches(partitions, distances)} ORDER BY ${order} LIMIT ? OFFSET ?`,
    values: [end - start, start],
  };
}

/** The number of rows that match. */
function countStatement({ partitions, distances }: Pick<PageOptions, "partitions" | "distances">): Statement {
  return { sql: `SELECT count(*) AS matched FROM ${matches(partitions, distances)}`, values: [] };
}

function matches(partitions: readonly string[], distances: string | undefined): string {
  const rows = partitions
    .map((name, part) => `SELECT ${part} AS part, "row", id FROM ${quoteIdentifier(name)}`)
    .join(" UNION ALL ");
  return distances === undefined ? `(${rows})` : `(${rows}) JOIN ${quoteIdentifier(distances)} USING (part, "row")`;
}
