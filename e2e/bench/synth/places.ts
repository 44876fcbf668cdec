/**
 * SQL of places: each at a centre, with the categories, brand and contacts of a real place of the sample, and a
 * generated name in the country's language.
 * @module
 */
import { COLLECTIONS } from "../../../data/format/collections.ts";
import { type Database, quoteIdentifier, quoteLiteral } from "../../../pipeline/base/database/database.ts";
import { idSql, POINT_BBOX_SQL, POINT_SQL, positionSql, type RowRange } from "./position.ts";
import { type Draws, drawsOf } from "./random.ts";
import { sourceSql } from "./sources.ts";
import { KINDS_OF_LANGUAGE, WORDS_OF_LANGUAGE } from "./words.ts";

const SALT = 10;

/** Real places of the sample, numbered. Rare values are as rare in the synthetic data. */
export async function createPlaceDonors(database: Database, sample: string): Promise<void> {
  const cast = ["categories", "basic_category", "taxonomy", "brand"].map((name) => {
    const type = COLLECTIONS.place.columns.find((column) => column.name === name)?.type;
    return `CAST(${quoteIdentifier(name)} AS ${type}) AS ${quoteIdentifier(name)}`;
  });
  await database.run(`
    CREATE TABLE place_donor AS
    SELECT row_number() OVER (ORDER BY id) - 1 AS donor_id, * EXCLUDE (id)
    FROM (
      SELECT id, version, names."primary" AS donor_name, ${cast.join(", ")}, operating_status, confidence AS donor_confidence,
        sources[1].dataset AS dataset, len(sources) > 1 AS has_second_source,
        len(websites) > 0 AS has_website, len(socials) > 0 AS has_social, len(emails) > 0 AS has_email, len(phones) > 0 AS has_phone
      FROM read_parquet(${quoteLiteral(`${sample}/*/place.parquet`)}, union_by_name = true)
    ) ORDER BY donor_id`);
}

/** Query of places in the order of their numbers, with Overture's columns. */
export function placesSql({ start, end, seed }: RowRange): string {
  const draws = drawsOf("n", seed, SALT);
  const { unit, below } = draws;
  // The k-th word has a probability of 1/k, as in natural languages.
  const word = (language: string, draw: number): string =>
    `${language} * ${WORDS_OF_LANGUAGE} + least(floor(${WORDS_OF_LANGUAGE} ^ ${unit(draw)})::BIGINT, ${WORDS_OF_LANGUAGE}) - 1`;
  const drawn = `
    SELECT *, ${below(2, "(SELECT count(*) FROM place_donor)")} AS donor_id,
      ${word("language", 3)} AS word_id, ${word("language", 4)} AS second_id, ${word("0", 3)} AS english_id,
      language * ${KINDS_OF_LANGUAGE} + floor(${unit(5)} ^ 2 * kinds)::BIGINT AS kind_id,
      ${unit(6)} AS form, ${unit(7)} AS extra, 1 + floor(900 ^ ${unit(8)})::BIGINT AS house
    FROM (${positionSql({ start, end, seed, ratio: 1, draws })}) JOIN language USING (language)`;
  return `
    SELECT ${idSql(draws)} AS id, ${POINT_SQL} AS geometry, ${POINT_BBOX_SQL} AS bbox, version, ${sourcesSql(draws)} AS sources,
      ${NAMES_SQL} AS "names", categories, basic_category, taxonomy,
      round(least(greatest(donor_confidence + 0.04 * (${unit(12)} - 0.5), 0), 1), 4) AS confidence,
      CASE WHEN ${unit(13)} < 0.985 THEN operating_status WHEN ${unit(14)} < 0.8 THEN 'permanently_closed' ELSE 'temporarily_closed' END AS operating_status,
      CASE WHEN has_website THEN ['https://www.' || site || CASE WHEN extra > 0.7 THEN '/' || lower(country) || '/' || house ELSE '' END] END AS websites,
      CASE WHEN has_social THEN ['https://www.facebook.com/' || ${below(15, "900000000000000")}] END AS socials,
      CASE WHEN has_email THEN ['info@' || site] END AS emails,
      CASE WHEN has_phone THEN ['+' || (20 + hash(country) % 79) || (200000000 + ${below(16, 700_000_000)})] END AS phones,
      brand, ${addressesSql(unit(17))} AS addresses
    FROM (
      SELECT *, ${nameSql()} AS name, english || ' ' || second_english AS english_name,
        lower(english || second_english) || CASE WHEN extra < 0.5 THEN '.com' ELSE '.' || lower(country) END AS site
      FROM (
        SELECT drawn.*, place_donor.* EXCLUDE (donor_id), word.word AS word, second.word AS second, kind, english.word AS english,
          second_english.word AS second_english
        FROM (${drawn}) drawn
          JOIN place_donor USING (donor_id)
          JOIN word ON word.word_id = drawn.word_id
          JOIN word second ON second.word_id = drawn.second_id
          JOIN word english ON english.word_id = drawn.english_id
          JOIN word second_english ON second_english.word_id = drawn.second_id - drawn.language * ${WORDS_OF_LANGUAGE}
          JOIN kind USING (kind_id)
      )
    )`;
}

/** A brand's name, a real one in English, or one or two words and a kind; one in twenty-five is long. */
function nameSql(): string {
  const words = "CASE WHEN form < 0.45 THEN word ELSE word || space || second END";
  const short = `CASE WHEN is_kind_first THEN kind || space || (${words}) ELSE (${words}) || space || kind END`;
  return `
    CASE WHEN brand."names"."primary" IS NOT NULL THEN brand."names"."primary" || CASE WHEN extra < 0.2 THEN ' #' || house ELSE '' END
      WHEN code = 'en' AND form < 0.12 THEN donor_name
      WHEN extra > 0.96 THEN ${short} || ' – ' || second || space || kind || ', ' || locality || ' (' || word || ' ' || house || ')'
      WHEN extra > 0.92 THEN ${short} || ' ' || locality
      ELSE ${short} END`;
}

const NAMES_SQL = `struct_pack(
  "primary" := name,
  common := CASE WHEN extra BETWEEN 0.5 AND 0.55 THEN
    CASE WHEN code = 'en' THEN MAP {'en': name} ELSE MAP([code, 'en'], [name, english_name]) END END,
  rules := CASE WHEN extra BETWEEN 0.55 AND 0.565 THEN [struct_pack(
    variant := 'alternate', "language" := NULL::VARCHAR, perspectives := NULL::STRUCT("mode" VARCHAR, countries VARCHAR[]),
    "value" := word || ' ' || second, "between" := NULL::DOUBLE[], side := NULL::VARCHAR)] END)`;

function sourcesSql(draws: Draws): string {
  const first = sourceSql({ draws, firstDraw: 9, dataset: "dataset", confidence: "donor_confidence" });
  const second = sourceSql({ draws, firstDraw: 9, dataset: "'Overture'", property: "/properties/confidence" });
  return `CASE WHEN has_second_source THEN [${first}, ${second}] ELSE [${first}] END`;
}

/** A few have no country, as in real data. */
function addressesSql(unit: string): string {
  return `[struct_pack(
    freeform := CASE WHEN code IN ('en', 'fr') THEN house || ' ' || second ELSE second || ' ' || house END || CASE WHEN extra < 0.1 THEN ', ' || locality ELSE '' END,
    locality := locality, postcode := lpad((hash(country, block) % 100000)::VARCHAR, 5, '0'),
    region := split_part(region, '-', 2), country := CASE WHEN ${unit} < 0.97 THEN country END)]`;
}
