/**
 * Checks that records and points match the rows of the primary copy. Rows, records, entries of ids and points of the
 * countries must be loaded into tables.
 *
 * @module
 */
import { recordPositionOf } from "../../../data/format/records.ts";
import { quoteLiteral } from "../../base/database/index.ts";
import { NUMBERED_TABLE } from "./id-table.ts";
import { checksOf } from "./ledger.ts";
import { RECORDS_TABLE } from "./record-table.ts";
import { POINTS_TABLE, pointsOf, ROWS_TABLE } from "./row-table.ts";
import { nameSlice, type TableNode } from "./slice-table.ts";
import { expectNone, type Verified } from "./verified.ts";

/**
 * Checks that each row has exactly one record with the same columns and geometry, and that each record has a row. Rows
 * and records of `countries` must be complete.
 */
export async function compareRecords(verified: Verified, countries: ReadonlySet<string>): Promise<void> {
  if (countries.size === 0) return;
  const within = `country IN (${[...countries].map(quoteLiteral).join(", ")})`;
  const rows = `(SELECT country, id, NULL::BIGINT AS address, content, geometry FROM ${ROWS_TABLE} WHERE ${within}) rows`;
  const records = `(SELECT country, id, address, content, geometry FROM ${RECORDS_TABLE} WHERE ${within}) records`;
  const both = `FROM ${rows} JOIN ${records} USING (country, id)`;
  for (const [what, query] of [
    ["rows of the primary copy have no record", `SELECT * FROM ${rows} ANTI JOIN ${records} USING (country, id)`],
    ["records have no row in the primary copy", `SELECT * FROM ${records} ANTI JOIN ${rows} USING (country, id)`],
    ["rows have the id of another", `SELECT * FROM ${rows} QUALIFY count(*) OVER (PARTITION BY country, id) > 1`],
    [
      "records have other columns than their rows",
      `SELECT country, id, records.address ${both} WHERE rows.content <> records.content`,
    ],
    [
      "records have another geometry than their rows",
      `SELECT country, id, records.address ${both} WHERE rows.geometry IS DISTINCT FROM records.geometry`,
    ],
  ] as const) {
    const sql = `
      SELECT count(*) AS rows,
        to_json(arg_min({country: country, id: id, address: address}, (country, id)))::VARCHAR AS first
      FROM (${query})`;
    await expectNone(verified, "records", sql, (rows, first) => `${rows} ${what}, such as ${spell(first)}`);
  }
}

function spell(text: string): string {
  const { id, country, address } = JSON.parse(text) as { id?: string; country?: string; address?: number | null };
  const { chunk, block, row } = recordPositionOf(address ?? 0);
  const at = address == null ? "" : ` (chunk ${chunk}, block ${block}, row ${row})`;
  return `${id} of ${country}${at}`;
}

interface DifferentPoints {
  readonly slice: number;
  readonly geometries: number;
  readonly first_geometries: string | null;
  readonly numbers: number;
  readonly first_numbers: string | null;
  readonly addresses: number;
  readonly first_addresses: string | null;
  /** Address (position) of the record of the slice's first row. */
  readonly record: number | null;
}

/**
 * SQL condition: the geometry of a point differs. Of a long geometry, points have the table of its parts, which is
 * compared with that of the record.
 */
const GEOMETRY_DIFFERS = `
  points.parts IS DISTINCT FROM records.parts OR
  (points.parts IS NULL AND rows.geometry IS DISTINCT FROM points.geometry)`;

/**
 * Checks that points have the geometries of the rows of their slice, in order, and the numbers, addresses and groups of
 * the rows' records. Records are compared only for `countries`, where they must be complete.
 */
export async function comparePoints(
  verified: Verified,
  countries: ReadonlySet<string>,
  slices: readonly TableNode<"location">[],
): Promise<void> {
  const { database, name } = verified;
  const codes = [...countries].map(quoteLiteral).join(", ") || "''";
  const different = (what: string, condition: string): string => `
    count(*) FILTER (${condition}) AS ${what},
    arg_min(row || ' (' || rows.id || ')', row) FILTER (${condition}) AS first_${what}`;
  const found = await database.rows<DifferentPoints>(`
    SELECT slice, ${different("geometries", GEOMETRY_DIFFERS)},
      ${different("numbers", "numbers.number <> points.number")},
      ${different("addresses", "records.address <> points.address OR records.blocks <> points.blocks")},
      min(records.address) FILTER (row = 0) AS record
    FROM ${POINTS_TABLE} points JOIN ${ROWS_TABLE} rows USING (slice, row)
    LEFT JOIN (SELECT * FROM ${RECORDS_TABLE} WHERE country IN (${codes})) records
      ON records.country = rows.country AND records.id = rows.id
    LEFT JOIN ${NUMBERED_TABLE} numbers ON numbers.country = records.country AND numbers.address = records.address
    GROUP BY slice`);
  const bySlice = new Map(found.map((line) => [line.slice, line]));
  for (const entry of slices) {
    const line = bySlice.get(entry.slice);
    if (!line) continue;
    const of = nameSlice(entry);
    const { say } = checksOf(verified, nameSlice(pointsOf(name, entry)));
    const { geometries, numbers, addresses, record } = line;
    say(
      "points",
      geometries === 0,
      () => `${geometries} geometries differ from ${of}, such as row ${line.first_geometries}`,
    );
    say(
      "points",
      numbers === 0,
      () => `${numbers} numbers differ from the ids, such as row ${line.first_numbers} of ${of}`,
    );
    say(
      "points",
      addresses === 0,
      () => `${addresses} records are elsewhere, such as that of row ${line.first_addresses} of ${of}`,
    );
    if (record !== null) checksOf(verified, of).same("records", "record", record, entry.node.record);
  }
}
