/** Approximate size of a release of the planet. @module */
import type { CollectionName, OvertureType } from "../../data/format/collections.ts";
import type { MeasuredSource } from "../builder/sources/measure-sources.ts";

/** Millions of rows by collection. */
const PLANET: Readonly<Partial<Record<CollectionName, number>>> = {
  address: 474,
  place: 81,
  building: 2534,
  building_part: 5,
  segment: 351,
  connector: 423,
  infrastructure: 158,
  land: 76,
  land_use: 56,
  water: 66,
  land_cover: 123,
  division: 5,
  division_area: 1,
};

/** Rows per file in Overture's releases. */
const FILE_ROWS = 8e6;
const ROW_BYTES = 125;

/** Generates sources for a share of the planet. */
export function planetSources(share: number): MeasuredSource[] {
  return Object.entries(PLANET).flatMap(([type, millions]) =>
    sourcesOf(type as OvertureType, (millions ?? 0) * 1e6 * share),
  );
}

/** Returns the planet's rows of a collection. */
export function planetRows(type: CollectionName): number {
  return (PLANET[type] ?? 0) * 1e6;
}

function sourcesOf(type: OvertureType, rows: number): MeasuredSource[] {
  const files = Math.ceil(rows / FILE_ROWS);
  return Array.from({ length: files }, (_, index) => {
    const name = `part-${index}.zstd.parquet`;
    const share = { rows: rows / files, bytes: (rows / files) * ROW_BYTES };
    const sha256 = `${type}${index}`.padEnd(64, "0");
    return { path: `/shared/overture/theme=any/type=${type}/${name}`, name, format: "parquet", type, sha256, ...share };
  });
}
