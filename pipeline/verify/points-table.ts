/** Points as a table. @module */
import type { CollectionName } from "../../data/format/collections.ts";
import { packPath } from "../../data/format/paths.ts";
import { type Points, readPoints } from "../../data/format/points.ts";
import { firstNumberOf } from "../../data/format/records.ts";
import { appendRow } from "../database/index.ts";
import { checksOf } from "./ledger.ts";
import { digestGeometry, isNeedlessWkb } from "./row-facts.ts";
import { type BookedNode, nameSlice } from "./slice-book.ts";
import { openSlice, type Verified } from "./verified.ts";

export const POINTS_TABLE = "verified_points";

/** Fills the table with the points of these countries' slices, numbers counted from 0. */
export async function loadPoints(verified: Verified, countries: ReadonlySet<string>): Promise<void> {
  const { database, name, book, manifest } = verified;
  await database.run(
    `CREATE OR REPLACE TABLE ${POINTS_TABLE} (slice INTEGER, row BIGINT, number BIGINT, geometry UBIGINT)`,
  );
  const appender = await database.connection.createAppender(POINTS_TABLE);
  for await (const booked of book.nodes("location", countries)) {
    const { points, country, rows } = booked.node;
    const path = pointsOf(name, booked);
    const read = await openSlice(verified, "points", { ...points, ...path }, open);
    if (!read) continue;
    const { say, same } = checksOf(verified, nameSlice(path));
    if (!same("points", "rows", rows, read.rows)) continue;
    const first = firstNumberOf(manifest.stretches[country] ?? 0);
    let needless = -1;
    for (let row = 0; row < read.rows; row++) {
      const geometry = read.geometry(row);
      if (isNeedlessWkb(geometry)) needless = row;
      appendRow(appender, booked.slice, row, first + read.number(row), digestGeometry(geometry));
    }
    say("points", needless === -1, () => `row ${needless} has WKB where TWKB holds every coordinate`);
    appender.flushSync();
  }
  appender.closeSync();
}

/** Where the points of a slice of the primary copy are. */
export function pointsOf(
  name: CollectionName,
  { node: { points } }: BookedNode<"location">,
): { readonly path: string; readonly offset: number } {
  return { path: packPath(name, "points", points.pack), offset: points.offset };
}

/** Throws where a geometry cannot be read. */
function open(bytes: Uint8Array): Points {
  const points = readPoints(bytes);
  for (let row = 0; row < points.rows; row++) digestGeometry(points.geometry(row));
  return points;
}
