/** Outlines of a release: the area of a country or a division, from the columns of its `division_area` that tell. @module */

import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Area } from "../../data/format/area.ts";
import type { BBox } from "../../data/format/bbox.ts";
import { readWkb } from "../../data/format/geometry.ts";
import {
  atATime,
  newFile,
  type OpenedFile,
  openParquet,
  pickGroups,
  type Release,
  type Remote,
} from "../../data/release/index.ts";
import { type AreaFilter, joinAreas, polygonFilter, shareOfBox } from "../area/index.ts";
import { packageOutlines } from "../country/index.ts";
import { type Database, quoteLiteral, quotePath } from "../database/index.ts";
import { endFile, fetchPiece, missingPieces } from "./fetch-file.ts";

export interface OutlineOptions {
  readonly remote: Remote;
  readonly release: Release;
  readonly database: Database;
  readonly folder: string;
  readonly onNotice: (message: string) => void;
}

/** Land and territorial sea. By coarse borders, saying so, where the release has no area of the country. */
export async function countryArea(code: string, options: OutlineOptions): Promise<AreaFilter> {
  const coarse = packageOutlines().flatMap((outline) =>
    outline.code === code && isArea(outline.geometry) ? [outline.geometry] : [],
  );
  const label = `country ${code}`;
  const near = coarse.length > 0 ? shareOfBox(polygonFilter(label, joinAreas(coarse))) : () => 1;
  const found = await findAreas(options, {
    near: (box) => near(padded(box)) > 0,
    columns: ["subtype", "country", "is_territorial"],
    where: (has) => `subtype IN ('country', 'dependency') AND upper(country) = ${quoteLiteral(code)}
      ${has("is_territorial") ? "AND coalesce(is_territorial, true)" : ""}`,
  });
  if (found.length > 0) return polygonFilter(label, joinAreas(found), code);
  if (coarse.length === 0) throw new Error(`${label}: neither release ${options.release.name} nor ISO 3166-1 has it`);
  options.onNotice(`release ${options.release.name} has no area of ${label}: coarse borders are taken`);
  return polygonFilter(label, joinAreas(coarse), code);
}

/** By the id of the division or of its area. Throws when the release has none. */
export async function divisionArea(id: string, options: OutlineOptions): Promise<AreaFilter> {
  const wanted = quoteLiteral(id);
  const found = await findAreas(options, {
    near: () => true,
    columns: ["id", "division_id"],
    where: (has) => `id = ${wanted} ${has("division_id") ? `OR division_id = ${wanted}` : ""}`,
  });
  if (found.length === 0) throw new Error(`division ${id}: release ${options.release.name} has no area of this id`);
  return polygonFilter(`division ${id}`, joinAreas(found));
}

/** A coarse border may be off by some kilometres. */
const PAD_DEG = 0.1;

function padded([west, south, east, north]: BBox): BBox {
  return [west - PAD_DEG, south - PAD_DEG, east + PAD_DEG, north + PAD_DEG];
}

interface Question {
  readonly near: (box: BBox) => boolean;
  readonly columns: readonly string[];
  /** SQL over those of the columns that the file has. */
  readonly where: (has: (column: string) => boolean) => string;
}

const FILES_AT_A_TIME = 8;

async function findAreas(options: OutlineOptions, question: Question): Promise<Area[]> {
  const { release, remote } = options;
  const collection = release.collections.find(({ type }) => type === "division_area");
  if (!collection) return [];
  const files = await collection.files(question.near);
  const opened = await atATime(files, FILES_AT_A_TIME, ({ addresses }) => openParquet(remote, addresses));
  const areas: Area[] = [];
  for (const file of opened) areas.push(...(await areasIn(file, options, question)));
  return areas;
}

/** Shapes are read only of row groups in which the other columns say that there is one. */
async function areasIn(file: OpenedFile, options: OutlineOptions, { near, columns, where }: Question): Promise<Area[]> {
  const names = new Set(file.metadata.schema.map(({ name }) => name));
  const condition = where((column) => names.has(column));
  const picked = pickGroups(file.metadata, (box) => (near(box) ? 1 : 0)).map(({ index }) => index);
  const hits: number[] = [];
  for (const group of picked) {
    const found = await ask(file, options, {
      groups: [group],
      columns,
      sql: (from) => `SELECT 1 FROM ${from} WHERE ${condition} LIMIT 1`,
    });
    if (found.length > 0) hits.push(group);
  }
  if (hits.length === 0) return [];
  const rows = await ask<{ geometry: Uint8Array }>(file, options, {
    groups: hits,
    columns: [...columns, "geometry"],
    sql: (from) => `SELECT geometry FROM ${from} WHERE ${condition} AND geometry IS NOT NULL`,
  });
  return rows.map(({ geometry }) => readWkb(geometry)).filter(isArea);
}

interface ColumnsQuery {
  readonly groups: readonly number[];
  readonly columns: readonly string[];
  readonly sql: (from: string) => string;
}

async function ask<Row>(
  { file, metadata }: OpenedFile,
  { database, folder }: OutlineOptions,
  query: ColumnsQuery,
): Promise<Row[]> {
  const scratch = await mkdtemp(join(folder, "columns-"));
  try {
    const { spans, footer } = newFile(metadata, query.groups, query.columns);
    const wanted = { path: join(scratch, "columns.parquet"), spans, footer };
    await atATime((await missingPieces(wanted)) ?? [], FILES_AT_A_TIME, (piece) => fetchPiece(file, piece, wanted));
    await endFile(wanted);
    return await database.rows<Row>(query.sql(`read_parquet(${quotePath(wanted.path)}, hive_partitioning = false)`));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function isArea(geometry: { readonly type: string }): geometry is Area {
  return geometry.type === "Polygon" || geometry.type === "MultiPolygon";
}
