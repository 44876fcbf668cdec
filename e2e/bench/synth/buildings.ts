/**
 * SQL of buildings: rotated outlines and attributes of the sample's, and a few many times as large.
 * @module
 */
import { type Database, quoteLiteral } from "../../../pipeline/base/database/database.ts";
import { idSql, positionSql, type RowRange } from "./position.ts";
import { drawsOf } from "./random.ts";
import { MOVED_SQL, outlineSql, POLYGON_SQL, SHAPE_BBOX_SQL, turnSql } from "./shapes.ts";
import { sourceSql } from "./sources.ts";
import { KINDS_OF_LANGUAGE, WORDS_OF_LANGUAGE } from "./words.ts";

const SALT = 11;

/** Buildings per place in the release 2026-09-23. */
const FOR_EACH_PLACE = 31.1;

/** One in this many is a mall, a plant or an airport's hall. */
const LARGE_ONE_IN = 1000;

/** Overture's attributes, without those that every row has or that are generated. */
const ATTRIBUTES =
  "subtype, class, level, has_parts, is_underground, height, min_height, num_floors, num_floors_underground, min_floor, " +
  "facade_color, facade_material, roof_material, roof_shape, roof_direction, roof_orientation, roof_color, roof_height";

/** Real buildings of the sample, numbered. */
export async function createBuildingDonors(database: Database, sample: string): Promise<void> {
  await database.run(`
    CREATE TABLE building_donor AS
    SELECT row_number() OVER (ORDER BY id) - 1 AS donor_id, version, sources[1].dataset AS dataset,
      "names"."primary" IS NOT NULL AS has_name, ${ATTRIBUTES}, ${outlineSql("ST_GeomFromWKB(geometry)", "bbox")} AS outline
    FROM read_parquet([${["boulder", "monaco"].map((folder) => quoteLiteral(`${sample}/${folder}/building.parquet`)).join(", ")}], union_by_name = true)
    ORDER BY donor_id`);
}

/** Query of buildings in the order of their numbers, with Overture's columns. */
export function buildingsSql({ start, end, seed }: RowRange): string {
  const draws = drawsOf("n", seed, SALT);
  const { unit, below } = draws;
  const scale = `((0.8 + 0.5 * ${unit(4)}) * CASE WHEN ${below(5, LARGE_ONE_IN)} = 0 THEN 8 ELSE 1 END)`;
  const name = "CASE WHEN is_kind_first THEN kind || space || word ELSE word || space || kind END";
  return `
    SELECT ${idSql(draws)} AS id, ${POLYGON_SQL} AS geometry, ${SHAPE_BBOX_SQL} AS bbox, version,
      [${sourceSql({ draws, firstDraw: 6, dataset: "dataset" })}] AS sources,
      CASE WHEN has_name THEN struct_pack("primary" := ${name}, common := NULL::MAP(VARCHAR, VARCHAR), rules := NULL::STRUCT(variant VARCHAR,
        "language" VARCHAR, perspectives STRUCT("mode" VARCHAR, countries VARCHAR[]), "value" VARCHAR, "between" DOUBLE[], side VARCHAR)[]) END AS "names",
      ${ATTRIBUTES}
    FROM (
      SELECT *, ${MOVED_SQL}
      FROM (
        SELECT *, ${below(2, "(SELECT count(*) FROM building_donor)")} AS donor_id, ${turnSql(unit(3), scale)},
          language * ${WORDS_OF_LANGUAGE} + least(floor(${WORDS_OF_LANGUAGE} ^ ${unit(9)})::BIGINT, ${WORDS_OF_LANGUAGE}) - 1 AS word_id,
          language * ${KINDS_OF_LANGUAGE} + ${below(10, "kinds")} AS kind_id
        FROM (${positionSql({ start, end, seed, ratio: FOR_EACH_PLACE, draws })}) JOIN language USING (language)
      ) JOIN building_donor USING (donor_id) JOIN word USING (word_id) JOIN kind USING (kind_id)
    )`;
}
