/**
 * Loads rows of the primary copy and their points into tables. Their sort keys and boxes are computed again from the
 * geometries.
 *
 * @module
 */

import { join } from "node:path";
import type { Collection, CollectionName } from "../../../data/format/collections.ts";
import { firstNumberOf } from "../../../data/format/id-order.ts";
import type { LocationNode } from "../../../data/format/manifest.ts";
import { packPath } from "../../../data/format/paths.ts";
import { checkSections, writeSections } from "../../../data/format/point-sections.ts";
import { type Points, readPoints } from "../../../data/format/points.ts";
import { appendRow, type Database, quoteIdentifier, quoteLiteral, quotePath } from "../../base/database/index.ts";
import { checksOf } from "./ledger.ts";
import type { LocationPack } from "./location-packs.ts";
import { digestGeometry, digestTable, isNeedlessWkb, SEPARATOR } from "./row-facts.ts";
import { nameSlice, type TableNode } from "./slice-table.ts";
import { openSlice, type Verified } from "./verified.ts";

export const ROWS_TABLE = "verified_rows";

const COLUMNS = `country VARCHAR, slice INTEGER, row BIGINT, id VARCHAR, json VARCHAR, content UBIGINT, geometry UBIGINT,
  terms VARCHAR[], cells VARCHAR[], wkb BLOB, reason VARCHAR, kind VARCHAR, size_class TINYINT, geohash BIGINT,
  west DOUBLE, south DOUBLE, east DOUBLE, north DOUBLE, has_box BOOLEAN`;

/** Creates the empty table of rows. */
export async function emptyRows(database: Database): Promise<void> {
  await database.run(`CREATE OR REPLACE TABLE ${ROWS_TABLE} (${COLUMNS})`);
}

/** Returns SQL for a row's columns without `geometry` and `bbox`, as JSON. */
function jsonSql({ columns }: Collection): string {
  const own = columns.filter(({ name }) => name !== "geometry" && name !== "bbox");
  const members = own.map(({ name }) => `${quoteIdentifier(name)} := ${quoteIdentifier(name)}`);
  return `to_json(struct_pack(${members.join(", ")}))::VARCHAR`;
}

/**
 * Adds the rows of these packs to the table. With `isKept`, also their JSON and geometry, otherwise the geometry of rows
 * wider than half the earth. Throws if a pack is unreadable.
 */
export async function loadRows(
  { database, dataset, collection }: Verified,
  packs: readonly LocationPack[],
  isKept: boolean,
): Promise<void> {
  if (packs.length === 0) return;
  const files = packs.map(({ path }) => quotePath(join(dataset, path)));
  const slices = packs.flatMap(({ path, slices: own }) => {
    const country = /country=([^/]*)/.exec(path)?.[1] ?? "";
    const file = quoteLiteral(join(dataset, path));
    return own
      .filter(({ start, end }) => end > start)
      .map(({ slice, start }) => `(${file}, ${start}, ${slice}, ${quoteLiteral(country)})`);
  });
  const json = isKept ? "json" : "NULL";
  const geometry = isKept ? "geometry" : "CASE WHEN f.xmax - f.xmin > 180 THEN geometry END";
  await database.run(`
    INSERT INTO ${ROWS_TABLE}
    SELECT slices.country, slices.slice, file_row_number - first, id, ${json}, facts.content, geometry_digest(geometry),
      list_filter(string_split(facts.terms, ${quoteLiteral(SEPARATOR)}), lambda term: term <> ''),
      list_filter(string_split(facts.cells, ${quoteLiteral(SEPARATOR)}), lambda value: value <> ''), ${geometry},
      f.reason, f.kind, f.size_class, f.geohash, f.xmin, f.ymin, f.xmax, f.ymax,
      f.wkb IS NULL AND bbox = struct_pack(xmin := f.xmin, xmax := f.xmax, ymin := f.ymin, ymax := f.ymax)
    FROM (
      SELECT filename, file_row_number, id, bbox, geometry, geometry_figures(geometry, NULL) AS f,
        ${jsonSql(collection)} AS json, row_facts(json, ${quoteLiteral(collection.name)}) AS facts
      FROM read_parquet([${files.join(", ")}], filename = true, file_row_number = true, hive_partitioning = false)
    ) ASOF JOIN (VALUES ${slices.join(", ")}) slices(file, first, slice, country)
      ON filename = file AND file_row_number >= first`);
}

export const POINTS_TABLE = "verified_points";

/**
 * Fills the table with the points of these countries' slices. `number` and `address` are counted from 0 in the
 * collection, `blocks` is the size of the record's group. A long geometry has `parts`, a digest of its table, and no
 * `geometry`.
 */
export async function loadPoints(verified: Verified, countries: ReadonlySet<string>): Promise<void> {
  const { database, name, sliceTable, manifest } = verified;
  await database.run(
    `CREATE OR REPLACE TABLE ${POINTS_TABLE} (slice INTEGER, row BIGINT, number BIGINT, address BIGINT, blocks INTEGER, geometry UBIGINT, parts UBIGINT)`,
  );
  const appender = await database.connection.createAppender(POINTS_TABLE);
  for await (const entry of sliceTable.nodes("location", countries)) {
    const { points, country, rows, record, bbox } = entry.node;
    const path = pointsOf(name, entry);
    const opened = await openSlice(verified, "points", { ...points, ...path }, (bytes) =>
      open(bytes, { bbox, record }),
    );
    if (!opened) continue;
    const { read, sections } = opened;
    const { say, same } = checksOf(verified, nameSlice(path));
    if (!same("points", "rows", rows, read.rows)) continue;
    if (!same("points", "sections", points.sections ?? "", sections)) continue;
    const first = firstNumberOf(manifest.segments[country] ?? 0);
    const blocks = read.groups.flatMap((group) => new Array<number>(group.rows).fill(group.blocks));
    let needless = -1;
    for (let row = 0; row < read.rows; row++) {
      const geometry = read.geometry(row);
      if (isNeedlessWkb(geometry)) needless = row;
      const [number, address] = [first + read.number(row), read.address(row, record)];
      const parts = digestTable(geometry);
      const digest = parts === null ? digestGeometry(geometry) : null;
      appendRow(appender, entry.slice, row, number, address, blocks[row] ?? 0, digest, parts);
    }
    say("points", needless === -1, () => `row ${needless} has WKB where a shorter encoding has every coordinate`);
    appender.flushSync();
  }
  appender.closeSync();
}

/** Returns the path and offset of the points of a location slice, for faults. */
export function pointsOf(
  name: CollectionName,
  { node: { points } }: TableNode<"location">,
): { readonly path: string; readonly offset: number } {
  return { path: packPath(name, "points", points.pack), offset: points.offset };
}

interface OpenedPoints {
  readonly read: Points;
  readonly sections: string;
}

/** Reads points, and their sections as the index must list them. Throws if a geometry is unreadable, or a section. */
async function open(bytes: Uint8Array, { bbox, record }: Pick<LocationNode, "bbox" | "record">): Promise<OpenedPoints> {
  const points = readPoints(bytes);
  const long = new Set(points.longRows);
  for (let row = 0; row < points.rows; row++) if (!long.has(row)) digestGeometry(points.geometry(row));
  await checkSections(bytes, points, record);
  return { read: points, sections: writeSections(bytes, bbox) ?? "" };
}
