/**
 * The SQL of the engine: the one place where it is spelled, and where names and text are quoted.
 * @module
 */
import type { SqlValue } from "../contract/ports.ts";

export interface Statement {
  readonly sql: string;
  /** Bound to the `?`, in order. */
  readonly values: readonly SqlValue[];
}

/** The name as an identifier. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The text as a literal, where nothing can be bound. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export interface PageOptions {
  /** Tables of partitions with columns `row` and `id`, in the order of the collections. */
  readonly partitions: readonly string[];
  /** Table with columns `part` (index into `partitions`), `row` and `distance`; left out when all rows match. */
  readonly distances?: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** The rows of a page, `part`, `row` and `distance` where there is one, in order, each with the number of all matches. */
export function pageStatement({ partitions, distances, start, end }: PageOptions): Statement {
  const columns = distances === undefined ? 'part, "row"' : 'part, "row", distance';
  const order = distances === undefined ? "id, part" : "distance, id, part";
  return {
    sql: `SELECT ${columns}, count(*) OVER () AS matched FROM ${matches(partitions, distances)} ORDER BY ${order} LIMIT ? OFFSET ?`,
    values: [end - start, start],
  };
}

/** The number of rows that match. */
export function countStatement({ partitions, distances }: Pick<PageOptions, "partitions" | "distances">): Statement {
  return { sql: `SELECT count(*) AS matched FROM ${matches(partitions, distances)}`, values: [] };
}

function matches(partitions: readonly string[], distances: string | undefined): string {
  const rows = partitions
    .map((name, part) => `SELECT ${part} AS part, "row", id FROM ${quoteName(name)}`)
    .join(" UNION ALL ");
  return distances === undefined ? `(${rows})` : `(${rows}) JOIN ${quoteName(distances)} USING (part, "row")`;
}
