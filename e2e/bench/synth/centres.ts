/**
 * Where people live: the towns of the sample, and villages between adjacent towns.
 *
 * Rows are numbered through the centres in an order from the seed, each centre as dense as on the real planet. So more
 * rows mean more towns, not denser ones, and a smaller dataset is the first part of a larger one.
 * @module
 */
import { type Database, quoteLiteral } from "../../../pipeline/base/database/database.ts";
import { LANGUAGES } from "./languages.ts";
import { drawsOf } from "./random.ts";

/**
 * Table of the centres in order: `first` and `rows` number the places, the other columns are position and language.
 */
export const CENTRES = "centres";

/** Rows of the release 2026-09-23, which are divided among the centres. */
const PLANET_PLACES = 81_455_425;

/** The first rows go to all countries in turn, this many each, so that the smallest dataset has all countries. */
const FIRST_ROWS_OF_COUNTRY = 4;

const VILLAGES_OF_TOWN = 6;

/** Share of places in the sample's towns from 15,000 people; estimated from maps. */
const TOWN_SHARE = 0.6;

/** Countries where Overture has clearly more or fewer places per inhabitant; estimated, not measured. */
const RICHLY_MAPPED = "US CA GB IE FR DE AT CH IT ES PT NL BE LU DK SE NO FI IS AU NZ JP TW HK SG MC LI SM AD VA";
const THINLY_MAPPED = "CN IN PK BD NG ET CD SD AF KP SS TD NE SO YE MM";

/** Metres from the centre within which a town of 5,000 places has 63 % of them. Gives Boulder's 2,138 within 1 km. */
const SPREAD_METERS = 1800;

/** Makes the table. `sample` is the folder of the real sample. */
export async function createCentres(database: Database, sample: string, seed: number): Promise<void> {
  await database.run(`CREATE TEMP TABLE spoken AS ${spokenSql()}`);
  await database.run(`CREATE TEMP TABLE towns AS ${townsSql(sample)}`);
  await database.run(`CREATE TEMP TABLE villages AS ${villagesSql(seed)}`);
  await database.run(`CREATE TABLE ${CENTRES} AS ${numberedSql(seed)}`);
}

function spokenSql(): string {
  const pairs = LANGUAGES.flatMap(({ countries }, index) =>
    countries.split(" ").map((code) => `('${code}', ${index})`),
  );
  return `SELECT * FROM (VALUES ${pairs.join(", ")}) spoken(country, language)`;
}

/** A country without a town has one at its own point. */
function townsSql(sample: string): string {
  const divisions = `read_parquet(${quoteLiteral(`${sample}/world/division.parquet`)})`;
  const columns = `country, coalesce(region, country) AS region, names."primary" AS locality, bbox.xmin AS lon, bbox.ymin AS lat`;
  return `
    WITH found AS (
      SELECT ${columns}, population FROM ${divisions} WHERE subtype = 'locality' AND population > 0
      UNION ALL
      SELECT ${columns}, 15000 FROM ${divisions}
      WHERE subtype = 'country' AND country NOT IN (SELECT country FROM ${divisions} WHERE subtype = 'locality' AND country IS NOT NULL)
    )
    SELECT row_number() OVER (ORDER BY country, locality, lon, lat) AS town, *, ${weightSql()} AS weight FROM found`;
}

function weightSql(): string {
  const list = (countries: string): string => countries.split(" ").map(quoteLiteral).join(", ");
  // A metropolis has fewer places per inhabitant than a town, because its suburbs are included.
  return `population ^ 0.92 * CASE WHEN country IN (${list(RICHLY_MAPPED)}) THEN 2.5 WHEN country IN (${list(THINLY_MAPPED)}) THEN 0.15 ELSE 1 END`;
}

/** Each village is on the way to one of the three nearest towns of the country, so that few are in the sea. */
function villagesSql(seed: number): string {
  const draws = drawsOf(`town * ${VILLAGES_OF_TOWN} + village`, seed, 1);
  const part = `least(0.15 + 0.7 * ${draws.unit(0)}, 60 / distance_km)`;
  const jitter = (draw: number): string => `0.03 * (${draws.unit(draw)} - 0.5)`;
  return `
    WITH near AS (
      SELECT a.town, min_by({lon: b.lon, lat: b.lat}, (a.lon - b.lon) ^ 2 + (a.lat - b.lat) ^ 2 + b.town * 1e-12, 3) AS towns
      FROM towns a JOIN towns b ON a.country = b.country AND a.town <> b.town AND abs(a.lon - b.lon) < 3 AND abs(a.lat - b.lat) < 2
      GROUP BY a.town
    ), paired AS (
      SELECT towns.*, village, near.towns[1 + (village % len(near.towns))::INTEGER] AS neighbour
      FROM towns JOIN near USING (town), range(${VILLAGES_OF_TOWN}) villages(village)
    ), placed AS (
      SELECT * EXCLUDE (neighbour), (neighbour).lon - lon AS east, (neighbour).lat - lat AS north,
        greatest(111 * sqrt(north ^ 2 + (east * cos(radians(lat))) ^ 2), 0.1) AS distance_km
      FROM paired
    )
    SELECT town, village + 1 AS place, country, region,
      locality || CASE WHEN village % 2 = 0 THEN ' ' || (village + 1) ELSE '-' || upper(left(locality, 1)) || (village + 1) END AS locality,
      lon + ${part} * east + ${jitter(1)} AS lon,
      lat + ${part} * north + ${jitter(2)} AS lat,
      weight * (${draws.unit(3)} ^ 3 + 0.02) AS weight
    FROM placed`;
}

function numberedSql(seed: number): string {
  const draws = drawsOf("town", seed, 2);
  return `
    WITH weighed AS (
      SELECT town, 0 AS place, country, region, locality, lon, lat, weight * ${TOWN_SHARE} / sum(weight) OVER () AS share FROM towns
      UNION ALL
      SELECT * FROM (SELECT town, place, country, region, locality, lon, lat, weight * ${1 - TOWN_SHARE} / sum(weight) OVER () AS share FROM villages)
    ), counted AS (
      SELECT *, greatest(3, round(share * ${PLANET_PLACES}))::BIGINT AS rows, ${draws.bits(0)} AS chance FROM weighed
    ), dense AS (
      -- a dense city stands at the prefix, so that small datasets have one too
      SELECT town FROM counted WHERE place = 0 AND rows BETWEEN 20000 AND 40000 ORDER BY chance LIMIT 1
    ), ordered AS (
      SELECT 0 AS stage, 0::UBIGINT AS chance, town, 0 AS place, country, region, locality, lon, lat,
        ${FIRST_ROWS_OF_COUNTRY}::BIGINT AS rows
      FROM (SELECT *, row_number() OVER (PARTITION BY country ORDER BY weight DESC, town) AS rank FROM towns) WHERE rank = 1
      UNION ALL
      SELECT CASE WHEN town IN (FROM dense) THEN 1 ELSE 2 END, chance, town, place, country, region, locality, lon, lat, rows
      FROM counted
    )
    SELECT row_number() OVER final - 1 AS centre, (sum(rows) OVER final - rows)::BIGINT AS first, rows,
      country, region, locality, lon, lat, ${SPREAD_METERS} * greatest(sqrt(rows / 5000), 0.12) AS spread_meters,
      coalesce(language, 0) AS language
    FROM ordered LEFT JOIN spoken USING (country)
    WINDOW final AS (ORDER BY stage, chance, town, place ROWS UNBOUNDED PRECEDING)
    ORDER BY centre`;
}
