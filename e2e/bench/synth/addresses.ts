/**
 * SQL of addresses: houses along generated streets of a town's blocks.
 * @module
 */
import type { Database } from "../../../pipeline/base/database/database.ts";
import { idSql, POINT_BBOX_SQL, POINT_SQL, positionSql, type RowRange } from "./position.ts";
import { drawsOf } from "./random.ts";
import { sourceSql } from "./sources.ts";
import { WORDS_OF_LANGUAGE } from "./words.ts";

const SALT = 12;

/** Addresses per place in the release 2026-09-23. */
const FOR_EACH_PLACE = 5.82;

/** Share of the addresses with a unit: flats and offices, about as in Boulder. */
const UNITS = 0.3;

/** Needs nothing of the sample. */
export async function createAddressDonors(_database: Database): Promise<void> {}

/** Query of addresses in the order of their numbers, with Overture's columns. */
export function addressesSql({ start, end, seed }: RowRange): string {
  const draws = drawsOf("n", seed, SALT);
  const { unit, below } = draws;
  return `
    SELECT ${idSql(draws)} AS id, ${POINT_SQL} AS geometry, ${POINT_BBOX_SQL} AS bbox, 1::INTEGER AS version,
      [${sourceSql({ draws, firstDraw: 6, dataset: "'OpenAddresses'" })}] AS sources, country,
      lpad((hash(country, block) % 100000)::VARCHAR, 5, '0') AS postcode, word AS street,
      (1 + floor(900 ^ ${unit(3)})::BIGINT)::VARCHAR || CASE WHEN ${unit(4)} < 0.05 THEN 'a' ELSE '' END AS number,
      CASE WHEN ${unit(5)} < ${UNITS} THEN (1 + ${below(9, 400)})::VARCHAR END AS unit,
      [struct_pack("value" := region), struct_pack("value" := locality)] AS address_levels, NULL::VARCHAR AS postal_city
    FROM (
      SELECT *, language * ${WORDS_OF_LANGUAGE} + hash(block + 1) % ${WORDS_OF_LANGUAGE} AS word_id
      FROM (${positionSql({ start, end, seed, ratio: FOR_EACH_PLACE, draws })})
    ) JOIN word USING (word_id)`;
}
