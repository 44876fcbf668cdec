import type { Table } from "apache-arrow";
import { quoteIdentifier } from "../../../../data/format/sql.ts";
import { CONFIDENCE_STEPS, FACETS, type FacetCounts, MOST_LISTED_VALUES, type Statistics } from "../protocol/index.ts";

export function countTable(query: (sql: string) => Table, table: string): Statistics {
  const rowsOf = (sql: string) => [...query(sql)].map((row) => row.toJSON());
  const from = quoteIdentifier(table);
  const facets = FACETS.map((facet): FacetCounts => {
    const column = quoteIdentifier(facet);
    const counted = rowsOf(
      `SELECT ${column} AS value, count(*) AS n, sum(count(*)) OVER () AS total, count(*) OVER () AS different
       FROM ${from} WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY n DESC, value LIMIT ${MOST_LISTED_VALUES}`,
    );
    return {
      facet,
      rows: Number(counted[0]?.total ?? 0),
      values: Number(counted[0]?.different ?? 0),
      listed: counted.map(({ value, n }) => ({ value: String(value), rows: Number(n) })),
    };
  });
  const steps = rowsOf(
    `SELECT least(floor(confidence * ${CONFIDENCE_STEPS}), ${CONFIDENCE_STEPS - 1})::INTEGER AS step, count(*) AS n
     FROM ${from} WHERE confidence IS NOT NULL GROUP BY 1`,
  );
  const inStep = (step: number) => Number(steps.find((row) => row.step === step)?.n ?? 0);
  const confidence = Array.from({ length: CONFIDENCE_STEPS }, (_, step) => inStep(step));
  return {
    rows: Number(rowsOf(`SELECT count(*) AS n FROM ${from}`)[0]?.n ?? 0),
    facets: facets.filter(({ rows }) => rows > 0),
    ...(steps.length > 0 ? { confidence } : {}),
  };
}
