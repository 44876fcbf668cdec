/**
 * Outlines of countries that the sources themselves hold.
 * @module
 */
import { readWkb } from "../../data/format/geometry.ts";
import type { Database } from "../database/index.ts";
import { figuresOf, wkbSql } from "../rows/index.ts";
import type { NormalisedSource, PlannedSource } from "../sources/index.ts";
import type { CountryOutline } from "./outlines.ts";

interface Row {
  readonly id: string;
  readonly version: number;
  readonly code: string;
  readonly wkb: Uint8Array;
}

/** Areas of countries and dependencies in division_area sources, the highest version of each id. */
export async function readSourceOutlines(
  database: Database,
  sources: readonly PlannedSource[],
  open: (source: PlannedSource) => Promise<NormalisedSource>,
): Promise<CountryOutline[]> {
  const kept = new Map<string, Row>();
  for (const source of sources) {
    for (const row of await readRows(database, await open(source))) {
      const other = kept.get(row.id);
      if (!other || row.version > other.version) kept.set(row.id, row);
    }
  }
  return [...kept.values()].map(({ code, wkb }) => ({ code, geometry: readWkb(wkb) }));
}

async function readRows(database: Database, { relation, columns }: NormalisedSource): Promise<Row[]> {
  const has = (name: string): boolean => columns.some((column) => column.name === name);
  if (!["id", "subtype", "country"].every(has)) return [];
  const rows = await database.rows<Row>(`
    SELECT id::VARCHAR AS id, ${has("version") ? "coalesce(TRY_CAST(version AS INTEGER), 0)" : "0"} AS version,
      upper(country::VARCHAR) AS code, ${wkbSql(columns)} AS wkb
    FROM (${relation})
    WHERE subtype IN ('country', 'dependency') AND regexp_full_match(country::VARCHAR, '[A-Za-z]{2}')
      ${has("is_territorial") ? "AND coalesce(is_territorial, true)" : ""}
    ORDER BY _row`);
  return rows.filter(({ wkb }) => !("reason" in figuresOf(wkb)));
}
