import type { Table } from "apache-arrow";
import { quoteIdentifier } from "../../../../data/format/sql.ts";
import { CONFIDENCE_STEPS, FACETS, type FacetCounts, MOST_LISTED_VALUES, type Statistics } from "../protocol/index.ts";

export function countTable(query: (sql: string) => Table, table: string): Statistics {
  const rowsOf = (sql: string) => [...query(sql)].map((row) => row.toJSON());
  const from = quoteIdentifier(table);
  const facets = FACETS.map((facet): FacetCounts => {
    const counted = rowsOf(
      `SELECT value, count(*) AS n, count(*) OVER () AS different
       FROM (SELECT unnest(${quoteIdentifier(facet)}) AS value FROM ${from}) GROUP BY 1 ORDER BY n DESC, value LIMIT ${MOST_LISTED_VALUES}`,
    );
    return {
      facet,
      values: Number(counted[0]?.different ?? 0),
      listed: counted.map(({ value, n }) => ({ value: String(value), rows: Number(n) })),
    };
  });
  const atLeast = Array.from(
    { length: CONFIDENCE_STEPS },
    (_, step) => `count_if(confidence >= ${step / CONFIDENCE_STEPS}::DOUBLE) AS s${step}`,
  );
  const [counts = {}] = rowsOf(`SELECT count(*) AS n, ${atLeast.join(", ")} FROM ${from}`);
  const confidence = Array.from({ length: CONFIDENCE_STEPS }, (_, step) => Number(counts[`s${step}`]));
  return {
    rows: Number(counts.n),
    facets: facets.filter(({ values }) => values > 0),
    ...(confidence[0] ? { confidence } : {}),
  };
}
