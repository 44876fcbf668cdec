/**
 * Verifies that what stands for a beginning of names which is not stored itself has its rows.
 * @module
 */
import { MAX_TERM_CHARS } from "../../data/format/fold.ts";
import { prefixTerm } from "../../data/format/terms.ts";
import { type Database, quoteLiteral } from "../database/index.ts";
import type { Ledger } from "./ledger.ts";

interface Told {
  readonly scope: string;
  /** Table of `country`, `id` and `term`: names of all rows, and each beginning that is stored with all rows that have it. */
  readonly told: string;
}

interface Wrong {
  readonly beginnings: number;
  readonly country: string | null;
  readonly beginning: string | null;
}

/**
 * Looks at beginnings that are not stored while some are that go on from them: readers take the rows of the first of those
 * for theirs, so there must be as many.
 */
export async function verifyShorterBeginnings(
  database: Database,
  { scope, told }: Told,
  ledger: Ledger,
): Promise<void> {
  const sizes = `(SELECT unnest(generate_series(1, ${MAX_TERM_CHARS})) AS size)`;
  const [wrong] = await database.rows<Wrong>(`
    WITH stored AS (
      SELECT country, substr(term, ${prefixTerm("").length + 1}) AS beginning, count(*) AS rows
      FROM ${told} WHERE starts_with(term, ${quoteLiteral(prefixTerm(""))}) GROUP BY ALL
    ), shorter AS (
      SELECT country, left(beginning, size) AS shorter, arg_min(rows, beginning) AS rows
      FROM stored, ${sizes} WHERE size < length(beginning) GROUP BY ALL
    ), missing AS (
      SELECT shorter.* FROM shorter ANTI JOIN stored ON shorter.country = stored.country AND shorter.shorter = beginning
    ), counted AS (
      SELECT country, shorter, count(DISTINCT id) AS rows
      FROM (
        SELECT country, id, left(substr(term, ${"name:".length + 1}), size) AS shorter FROM ${told}, ${sizes}
        WHERE starts_with(term, 'name:') AND length(term) >= ${"name:".length} + size
      ) SEMI JOIN missing USING (country, shorter)
      GROUP BY ALL
    )
    SELECT count(*) AS beginnings, min(country) AS country, arg_min(shorter, (country, shorter)) AS beginning
    FROM missing JOIN counted USING (country, shorter) WHERE missing.rows <> counted.rows`);
  const fault = () =>
    `${scope}: ${wrong?.beginnings} beginnings have other rows than what stands for them, such as ${wrong?.beginning} of ${wrong?.country}`;
  ledger.expect(scope, "runs", wrong?.beginnings === 0, fault);
}
