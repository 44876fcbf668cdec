/**
 * SQL of segments: moved and rotated roads and railways of the sample, with their rules.
 * @module
 */
import { COLLECTIONS } from "../../../data/format/collections.ts";
import { type Database, quoteIdentifier, quoteLiteral } from "../../../pipeline/base/database/database.ts";
import { idSql, positionSql, type RowRange } from "./position.ts";
import { drawsOf } from "./random.ts";
import { LINE_SQL, MOVED_SQL, outlineSql, SHAPE_BBOX_SQL, turnSql } from "./shapes.ts";
import { sourceSql } from "./sources.ts";
import { WORDS_OF_LANGUAGE } from "./words.ts";

const SALT = 13;

/** Segments per place in the release 2026-09-23. */
const FOR_EACH_PLACE = 4.31;

/** Generated for each row. */
const OWN = ["id", "geometry", "bbox", "version", "sources", "names", "connectors"];

function attributes(): string[] {
  return COLLECTIONS.segment.columns.map(({ name }) => name).filter((name) => !OWN.includes(name));
}

/** Real segments of the sample, numbered. */
export async function createSegmentDonors(database: Database, sample: string): Promise<void> {
  await database.run(`
    CREATE TABLE segment_donor AS
    SELECT row_number() OVER (ORDER BY id) - 1 AS donor_id, version, sources[1].dataset AS dataset, "names"."primary" IS NOT NULL AS has_name,
      list_transform(connectors, lambda connector: connector."at") AS ats, ${attributes().map(quoteIdentifier).join(", ")},
      ${outlineSql("ST_GeomFromWKB(geometry)", "bbox")} AS outline
    FROM read_parquet(${quoteLiteral(`${sample}/boulder/segment.parquet`)})
    ORDER BY donor_id`);
}

/** Query of segments in the order of their numbers, with Overture's columns. */
export function segmentsSql({ start, end, seed }: RowRange): string {
  const draws = drawsOf("n", seed, SALT);
  const { unit, below } = draws;
  return `
    SELECT ${idSql(draws)} AS id, ${LINE_SQL} AS geometry, ${SHAPE_BBOX_SQL} AS bbox, version,
      [${sourceSql({ draws, firstDraw: 6, dataset: "dataset" })}] AS sources,
      CASE WHEN has_name THEN struct_pack("primary" := word, common := NULL::MAP(VARCHAR, VARCHAR), rules := NULL::STRUCT(variant VARCHAR,
        "language" VARCHAR, perspectives STRUCT("mode" VARCHAR, countries VARCHAR[]), "value" VARCHAR, "between" DOUBLE[], side VARCHAR)[]) END AS "names",
      list_transform(ats, lambda a: struct_pack(connector_id := md5(n || ' ' || a)::UUID::VARCHAR, "at" := a)) AS connectors,
      ${attributes().map(quoteIdentifier).join(", ")}
    FROM (
      SELECT *, ${MOVED_SQL}
      FROM (
        SELECT *, ${below(2, "(SELECT count(*) FROM segment_donor)")} AS donor_id, ${turnSql(unit(3), `(0.7 + 0.6 * ${unit(4)})`)},
          language * ${WORDS_OF_LANGUAGE} + hash(block + 1) % ${WORDS_OF_LANGUAGE} AS word_id
        FROM (${positionSql({ start, end, seed, ratio: FOR_EACH_PLACE, draws })})
      ) JOIN segment_donor USING (donor_id) JOIN word USING (word_id)
    )`;
}
