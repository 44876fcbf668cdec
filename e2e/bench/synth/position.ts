/**
 * SQL of a row's position: in a block of its town, as along streets, denser towards the centre.
 * @module
 */
import { CENTRES } from "./centres.ts";
import { type Draws, drawsOf } from "./random.ts";

const METERS_PER_DEGREE = 111_195;

/** Half-open range of row numbers. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
  readonly seed: number;
}

/** Rows of a block, few enough for a smooth edge of towns. */
const ROWS_OF_BLOCK = 6;

/** Average distance of rows from the middle of their block. */
const BLOCK_METERS = 40;

/** Share of rows with exactly the position of another: floors of a tower, stalls of a hall. Boulder has 13 %. */
const SHARED_POINT = 0.12;

/** Positions use the draws of a row from here on. */
const FIRST_DRAW = 48;

export interface PositionOptions {
  readonly start: number;
  readonly end: number;
  readonly seed: number;
  /** Rows per place. Centres have this many times more. */
  readonly ratio: number;
  readonly draws: Draws;
}

/**
 * Query of rows `n` from start to end, in order, with the columns of their centre, `x` and `y` in degrees to 7
 * decimals, and `block`, a number that rows of the same block share.
 */
export function positionSql({ start, end, seed, ratio, draws }: PositionOptions): string {
  const first = `(round(first * ${ratio})::BIGINT + round * (SELECT round(sum(rows) * ${ratio})::BIGINT FROM ${CENTRES}))`;
  const last = `(round((first + rows) * ${ratio})::BIGINT + round * (SELECT round(sum(rows) * ${ratio})::BIGINT FROM ${CENTRES}))`;
  const ofBlock = drawsOf("block", seed, 4);
  const draw = (index: number): string => draws.unit(FIRST_DRAW + index);
  const offset = (index: number): string =>
    `CASE WHEN ${draw(1)} < ${SHARED_POINT} THEN 0 ELSE ${BLOCK_METERS} * ln(${draw(index)} + 1e-9) * (2 * round(${draw(index + 1)}) - 1) END`;
  return `
    SELECT * EXCLUDE (lon, lat, east, north, radius, angle),
      (CASE WHEN lon + east > 180 THEN lon + east - 360 WHEN lon + east < -180 THEN lon + east + 360 ELSE lon + east END)::DECIMAL(10, 7) AS x,
      least(greatest(lat + north, -89), 89)::DECIMAL(10, 7) AS y
    FROM (
      SELECT *,
        (radius * sin(angle) + ${offset(2)}) / (${METERS_PER_DEGREE} * cos(radians(lat))) AS east,
        (radius * cos(angle) + ${offset(4)}) / ${METERS_PER_DEGREE} AS north
      FROM (
        SELECT *, -spread_meters * ln(1 - ${ofBlock.unit(0)} * 0.9999) AS radius, 2 * pi() * ${ofBlock.unit(1)} AS angle
        FROM (
          SELECT *, centre * 1048576 + floor(${draw(0)} ^ 2 * greatest(rows * ${ratio} / ${ROWS_OF_BLOCK}, 1))::BIGINT AS block
          FROM (
            SELECT * EXCLUDE (first, last), unnest(range(greatest(first, ${start}), least(last, ${end}))) AS n
            FROM (
              SELECT * EXCLUDE (first), ${first} AS first, ${last} AS last
              FROM range((SELECT 1 + ${end} // round(sum(rows) * ${ratio})::BIGINT FROM ${CENTRES})) rounds(round), ${CENTRES}
            ) WHERE first < ${end} AND last > ${start}
          )
        )
      )
    )`;
}

/** SQL of the point as GEOMETRY. */
export const POINT_SQL = "('POINT(' || x || ' ' || y || ')')::GEOMETRY";

/** SQL of the point's box. */
export const POINT_BBOX_SQL = "struct_pack(xmin := x::DOUBLE, xmax := x::DOUBLE, ymin := y::DOUBLE, ymax := y::DOUBLE)";

/** SQL of an id in the form of Overture's UUIDs. */
export function idSql(draws: Draws): string {
  // With the highest bit set every number has 16 digits. The first digit is not used.
  const digits = (draw: number): string => `hex(${draws.bits(draw)} | 9223372036854775808::UBIGINT)`;
  const [a, b] = [digits(0), digits(1)];
  return `lower(substr(${a}, 2, 8) || '-' || substr(${a}, 10, 4) || '-4' || substr(${a}, 14, 3) || '-a' || substr(${b}, 2, 3) || '-' || substr(${b}, 5, 12))`;
}
