/** Finds the area of a country or a division in the `division_area` files of a release. @module */
import type { Area } from "../../../data/format/area.ts";
import type { BBox } from "../../../data/format/bbox.ts";
import { readWkb } from "../../../data/format/geometry.ts";
import { atATime, type OpenedFile, openParquet, pickGroups, type Release } from "../../../data/release/index.ts";
import { quoteLiteral } from "../../base/database/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { type AreaFilter, joinAreas, polygonFilter, shareOfBox } from "../area/index.ts";
import { packageOutlines } from "../borders/index.ts";
import { askColumns, type ColumnsOptions } from "./fetch-file.ts";

export interface OutlineOptions extends ColumnsOptions {
  readonly release: Release;
  readonly onNotice: (message: string) => void;
}

/**
 * Returns the area of a country with its territorial sea, from the release. If the release has none, returns coarse
 * borders and calls `onNotice`. Throws if neither has the country.
 */
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
  if (coarse.length === 0)
    throw new CodedError("CAIRN_E_AREA", `${label}: neither release ${options.release.name} nor ISO 3166-1 has it`);
  options.onNotice(`release ${options.release.name} has no area of ${label}: using coarse borders`);
  return polygonFilter(label, joinAreas(coarse), code);
}

/**
 * Returns the area of a division. `id` is that of the division or of a division area. Throws if the release has none.
 */
export async function divisionArea(id: string, options: OutlineOptions): Promise<AreaFilter> {
  const wanted = quoteLiteral(id);
  const found = await findAreas(options, {
    near: () => true,
    columns: ["id", "division_id"],
    where: (has) => `id = ${wanted} ${has("division_id") ? `OR division_id = ${wanted}` : ""}`,
  });
  if (found.length === 0)
    throw new CodedError("CAIRN_E_AREA", `division ${id}: release ${options.release.name} has no area of this id`);
  return polygonFilter(`division ${id}`, joinAreas(found));
}

/** The polygons of one division, such as those of its land and of its sea. */
export type DivisionShape = readonly Area[];

/**
 * Returns the areas of divisions by the division's id. Divisions without an area are left out. Reads only parts of the
 * release within 1 degree of the divisions' points (`lon`, `lat` in degrees).
 */
export async function areasOfDivisions(
  divisions: readonly { readonly id: string; readonly lon: number; readonly lat: number }[],
  options: OutlineOptions,
): Promise<Map<string, DivisionShape>> {
  const ids = divisions.map(({ id }) => quoteLiteral(id)).join(", ");
  const found = await findRows(options, {
    near: ([west, south, east, north]) =>
      divisions.some(
        ({ lon, lat }) =>
          lon >= west - NEAR_DEG && lon <= east + NEAR_DEG && lat >= south - NEAR_DEG && lat <= north + NEAR_DEG,
      ),
    columns: ["id", "division_id"],
    where: (has) => (has("division_id") ? `division_id IN (${ids})` : "false"),
    of: "division_id",
  });
  const shapes = new Map<string, Area[]>();
  for (const { of, area } of found) shapes.set(of, [...(shapes.get(of) ?? []), area]);
  return shapes;
}

/** The point of a division is the position of its label, inside its area or close to it. */
const NEAR_DEG = 1;

/** A coarse border may be wrong by some kilometres. */
const PAD_DEG = 0.1;

function padded([west, south, east, north]: BBox): BBox {
  return [west - PAD_DEG, south - PAD_DEG, east + PAD_DEG, north + PAD_DEG];
}

interface Question {
  readonly near: (box: BBox) => boolean;
  readonly columns: readonly string[];
  /** Returns a SQL condition over the columns that the file has. */
  readonly where: (has: (column: string) => boolean) => string;
  /** Name of the column with the id of the area's division. */
  readonly of?: string;
}

const FILES_AT_A_TIME = 8;

interface FoundArea {
  readonly of: string;
  readonly area: Area;
}

async function findAreas(options: OutlineOptions, question: Question): Promise<Area[]> {
  return (await findRows(options, question)).map(({ area }) => area);
}

async function findRows(options: OutlineOptions, question: Question): Promise<FoundArea[]> {
  const { release, remote } = options;
  const collection = release.collections.find(({ type }) => type === "division_area");
  if (!collection) return [];
  const files = await collection.files(question.near);
  const opened = await atATime(files, FILES_AT_A_TIME, ({ addresses }) => openParquet(remote, addresses));
  const areas: FoundArea[] = [];
  for (const file of opened) areas.push(...(await areasIn(file, options, question)));
  return areas;
}

/** Returns the matching areas of a file. Reads geometries only of row groups in which a row matches. */
async function areasIn(file: OpenedFile, options: OutlineOptions, question: Question): Promise<FoundArea[]> {
  const { near, columns, where, of = "NULL::VARCHAR" } = question;
  const names = new Set(file.metadata.schema.map(({ name }) => name));
  const condition = where((column) => names.has(column));
  const picked = pickGroups(file.metadata, (box) => (near(box) ? 1 : 0)).map(({ index }) => index);
  const hits: number[] = [];
  for (const group of picked) {
    const found = await askColumns(file, options, {
      groups: [group],
      columns,
      sql: (from) => `SELECT 1 FROM ${from} WHERE ${condition} LIMIT 1`,
    });
    if (found.length > 0) hits.push(group);
  }
  if (hits.length === 0) return [];
  const rows = await askColumns<{ of: string | null; geometry: Uint8Array }>(file, options, {
    groups: hits,
    columns: [...columns, "geometry"],
    sql: (from) => `SELECT ${of} AS of, geometry FROM ${from} WHERE ${condition} AND geometry IS NOT NULL`,
  });
  return rows.flatMap((row) => {
    const area = readWkb(row.geometry);
    return isArea(area) ? [{ of: row.of ?? "", area }] : [];
  });
}

function isArea(geometry: { readonly type: string }): geometry is Area {
  return geometry.type === "Polygon" || geometry.type === "MultiPolygon";
}
