/** Points as a table. @module */
import type { CollectionName } from "../../data/format/collections.ts";
import { packPath } from "../../data/format/paths.ts";
import { type Points, readPoints } from "../../data/format/points.ts";
import { firstNumberOf } from "../../data/format/records.ts";
import type { Database } from "../database/index.ts";
import { checksOf, type Ledger, messageOf } from "./ledger.ts";
import { readSlice } from "./read-slice.ts";
import { digestGeometry, isNeedlessWkb } from "./row-facts.ts";
import { type BookedNode, nameSlice, type SliceBook } from "./slice-book.ts";

export const POINTS_TABLE = "verified_points";

export interface PointsRun {
  readonly dataset: string;
  readonly name: CollectionName;
  readonly book: SliceBook;
  readonly stretches: Readonly<Record<string, number>>;
}

/** Fills the table with the points of these countries' slices, numbers counted from 0. */
export async function loadPoints(
  database: Database,
  { dataset, name, book, stretches }: PointsRun,
  countries: ReadonlySet<string>,
  ledger: Ledger,
): Promise<void> {
  await database.run(
    `CREATE OR REPLACE TABLE ${POINTS_TABLE} (slice INTEGER, row BIGINT, number BIGINT, geometry UBIGINT)`,
  );
  const appender = await database.connection.createAppender(POINTS_TABLE);
  for await (const booked of book.nodes("location", countries)) {
    const { points, country, rows } = booked.node;
    const { path, offset } = pointsOf(name, booked);
    const bytes = await readSlice(dataset, path, points);
    if (!bytes) continue;
    const { say, same } = checksOf(ledger, name, nameSlice({ path, offset }));
    const read = open(bytes);
    if (!say("points", typeof read !== "string", () => `cannot be read: ${read}`) || typeof read === "string") continue;
    if (!same("points", "rows", rows, read.rows)) continue;
    const first = firstNumberOf(stretches[country] ?? 0);
    let needless = -1;
    for (let row = 0; row < read.rows; row++) {
      const geometry = read.geometry(row);
      if (isNeedlessWkb(geometry)) needless = row;
      appender.appendInteger(booked.slice);
      appender.appendBigInt(BigInt(row));
      appender.appendBigInt(BigInt(first + read.number(row)));
      appender.appendUBigInt(digestGeometry(geometry));
      appender.endRow();
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

function open(bytes: Uint8Array): Points | string {
  try {
    const points = readPoints(bytes);
    for (let row = 0; row < points.rows; row++) digestGeometry(points.geometry(row));
    return points;
  } catch (error) {
    return messageOf(error);
  }
}
