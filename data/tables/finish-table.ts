/** Raw rows as a table: names made unique, geometries found, moved to degrees and checked, columns typed. @module */

import { bboxOf, type Geometry } from "../format/geometry.ts";
import { messageOf } from "../format/message-of.ts";
import { coordinatePairs } from "./column-names.ts";
import { type Crs, crsOf, WGS84 } from "./crs.ts";
import { findGeometrySource, type GeometrySource } from "./geometry-source.ts";
import { mapPositions, onGlobe } from "./globe.ts";
import { isGeometry, shown } from "./parse-geometry.ts";
import { GeometryFault, isEmpty, NO_GEOMETRY, type RawGeometry, type RawRow, type RawTable } from "./raw-table.ts";
import { type ReadOptions, refuseRows, type Table, TableError, type TableReject, type TableRow } from "./table.ts";
import { hasDecimalComma, typedColumn } from "./values.ts";

/** Reasons for which a row has no coordinates. Other reasons are for wrong coordinates. */
const WITHOUT = new Set(["no geometry", "no coordinates", "empty geometry"]);

/**
 * Returns the table with unique column names, geometries in degrees WGS84 and typed values. Rows with a wrong geometry,
 * or with none unless `allowNoGeometry`, are in `rejects`. Throws `TableError` for too many rows, no coordinates,
 * swapped coordinates, an unknown reference system, or options that do not fit.
 */
export async function finishTable(given: RawTable, options: ReadOptions): Promise<Table<Geometry | null>> {
  const { maxRows = Number.POSITIVE_INFINITY } = options;
  refuseRows(rowCountOf(given), maxRows);
  const raw = { ...given, columns: uniqueNames(given.columns) };
  const source = await sourceOf(raw, options);
  const found = raw.rows.map((row) => ({ row, ...(source?.read(row) ?? { geometry: NO_GEOMETRY, srid: undefined }) }));
  const systems = await systemsOf(found, options.crs ?? raw.crs);
  if (source?.pair && options.lat === undefined) refuseSwapped(source.pair, found);
  if (systems.isUnstated) refuseOtherUnits(found);
  const shown = raw.columns.map((_, index) => index).filter((index) => !isDropped(index));
  function isDropped(index: number): boolean {
    const name = raw.columns[index] ?? "";
    return source?.onlyGeometry.includes(name) === true;
  }
  const isText = raw.isText === true;
  const placed = found.map(({ row, geometry, srid }) => ({
    row,
    geometry: isGeometry(geometry) ? placedOn(geometry, systems.of(srid)) : geometry,
  }));
  const isTaken = (geometry: RawGeometry) =>
    isGeometry(geometry) || (options.allowNoGeometry === true && WITHOUT.has(geometry.reason));
  const taken = placed.filter(({ geometry }) => isTaken(geometry));
  // rejects, such as a row of units, do not decide about types
  const typing = { isText, decimalComma: isText && hasDecimalComma(raw) };
  const typed = shown.map((index) =>
    typedColumn(
      (taken.length > 0 ? taken : placed).map(({ row }) => row.values[index]),
      typing,
    ),
  );
  const valuesOf = (row: RawRow) => typed.map(({ read }, at) => read(row.values[shown[at] ?? 0]) ?? null);
  const rejectValuesOf = (row: RawRow) =>
    valuesOf(row).map((value, at) => {
      const own = row.values[shown[at] ?? 0];
      return value ?? (isEmpty(own) ? null : own);
    });
  const rows: TableRow<Geometry | null>[] = [];
  const rejects: TableReject[] = [...(raw.rejects ?? []).map((reject) => withShown(reject, shown))];
  for (const { row, geometry } of placed) {
    const { line } = row;
    if (isGeometry(geometry)) rows.push({ line, geometry, values: valuesOf(row) });
    else if (isTaken(geometry)) rows.push({ line, geometry: null, values: valuesOf(row) });
    else rejects.push({ line, reason: geometry.reason, detail: geometry.detail, values: rejectValuesOf(row) });
  }
  return {
    format: raw.format,
    columns: shown.map((index, at) => ({ name: raw.columns[index] ?? "", type: typed[at]?.type ?? "text" })),
    rows,
    rejects: rejects.sort((a, b) => a.line - b.line),
    geometryFrom: source?.from ?? [],
    crs: systems.name,
    ...(raw.encoding === undefined ? {} : { encoding: raw.encoding }),
    ...(raw.delimiter === undefined ? {} : { delimiter: raw.delimiter }),
    notes: [...(raw.notes ?? []), ...(source?.notes ?? [])],
  };
}

function withShown(reject: TableReject, shown: readonly number[]): TableReject {
  const { values } = reject;
  return values ? { ...reject, values: shown.map((index) => values[index] ?? null) } : reject;
}

/** Duplicates (without case, as databases compare them) get a number; empty names are the number of the column. */
function uniqueNames(given: readonly string[]): string[] {
  const names = given.map((name, index) => name.replace(/^\ufeff/, "").trim() || `column_${index + 1}`);
  const taken = new Set(names.map((name) => name.toLowerCase()));
  const used = new Set<string>();
  return names.map((name) => {
    let unique = name;
    const isTaken = (text: string) => used.has(text.toLowerCase()) || (text !== name && taken.has(text.toLowerCase()));
    for (let number = 2; isTaken(unique); number++) unique = `${name}_${number}`;
    used.add(unique.toLowerCase());
    return unique;
  });
}

/** Returns whether the table has columns with coordinates, the chosen ones if options choose them. */
export async function hasCoordinates(raw: RawTable, options: ReadOptions): Promise<boolean> {
  try {
    return (await findGeometrySource({ ...raw, columns: uniqueNames(raw.columns) }, options)) !== undefined;
  } catch (error) {
    if (error instanceof TableError) return false;
    throw error;
  }
}

const rowCountOf = ({ rows, rejects }: RawTable): number => rows.length + (rejects?.length ?? 0);

async function sourceOf(raw: RawTable, options: ReadOptions): Promise<GeometrySource | undefined> {
  const isChosen = options.lat !== undefined || options.lng !== undefined || options.geometry !== undefined;
  const hasOwn = raw.rows.some(({ geometry }) => geometry !== undefined && geometry !== NO_GEOMETRY);
  if (raw.geometryFrom !== undefined && hasOwn && !isChosen) {
    return {
      from: [raw.geometryFrom],
      onlyGeometry: [],
      notes: [],
      read: ({ geometry = NO_GEOMETRY }) => ({ geometry }),
    };
  }
  const source = await findGeometrySource(raw, options);
  if (source || options.allowNoGeometry || raw.geometryFrom !== undefined) return source;
  if (rowCountOf(raw) === 0)
    throw new TableError(
      `the table has the columns ${raw.columns.join(", ")} and no rows: at least one row is expected`,
    );
  const [pair] = coordinatePairs(raw.columns);
  if (pair && pair.lat !== pair.lng) {
    const { lat, lng } = pair;
    const values = raw.rows.map((row) => [lat, lng].map((name) => row.values[raw.columns.indexOf(name)]));
    const example = values.find((two) => !two.every(isEmpty)) ?? [null];
    throw new TableError(
      `the columns ${lat} and ${lng} contain no coordinates (for example ${example.map((value) => (isEmpty(value) ? "nothing" : shown(value))).join(" and ")}): numbers in degrees are expected, or choose other columns with --lat and --lng`,
      { code: "columns", columns: raw.columns },
    );
  }
  throw new TableError(
    `no coordinates found in the columns ${raw.columns.join(", ")}: choose them with --lat and --lng, or a column with geometries with --geometry`,
    { code: "columns", columns: raw.columns },
  );
}

interface FoundRow {
  readonly row: RawRow;
  readonly geometry: RawGeometry;
  readonly srid?: number | undefined;
}

/** The reference systems of the rows: as chosen, as the file states it, or as EWKT and EWKB contain it. */
async function systemsOf(found: readonly FoundRow[], stated: string | undefined) {
  const codes =
    stated === undefined
      ? new Set(found.map(({ srid }) => srid).filter((srid) => srid !== undefined && srid !== 0))
      : [];
  const all = stated === undefined ? undefined : await crsOf(stated);
  const own = new Map<number, Crs>();
  for (const code of codes) if (code !== undefined) own.set(code, await crsOf(`EPSG:${code}`));
  const names = [...new Set(Array.from(own.values(), ({ name }) => name))];
  return {
    name: all?.name ?? (names.length > 0 ? names.join(", ") : WGS84),
    isUnstated: all === undefined && own.size === 0,
    of: (srid: number | undefined): Crs | undefined => all ?? (srid === undefined ? undefined : own.get(srid)),
  };
}

function placedOn(geometry: Geometry, crs: Crs | undefined): RawGeometry {
  if (!crs?.toDegrees) return onGlobe(geometry);
  try {
    return onGlobe(mapPositions(geometry, crs.toDegrees));
  } catch (error) {
    return new GeometryFault("position outside of the reference system", messageOf(error));
  }
}

function refuseSwapped({ lat, lng }: NonNullable<GeometrySource["pair"]>, found: readonly FoundRow[]): void {
  const points = found.flatMap(({ geometry }) =>
    isGeometry(geometry) && geometry.type === "Point" ? [geometry.coordinates] : [],
  );
  const swapped = points.filter(([x, y]) => Math.abs(y) > 90 && Math.abs(y) <= 180 && Math.abs(x) <= 90);
  const isContrary = points.some(([x, y]) => Math.abs(x) > 90 && Math.abs(y) <= 90);
  if (isContrary || swapped.length === 0 || swapped.length < points.length / 5) return;
  throw new TableError(
    `column ${lat} contains ${swapped[0]?.[1]}, which is no latitude: use --lat ${quoted(lng)} --lng ${quoted(lat)} if the columns are swapped, --lat ${quoted(lat)} --lng ${quoted(lng)} if not`,
  );
}

const quoted = (name: string): string => (/^[\w.-]+$/.test(name) ? name : JSON.stringify(name));

/** Most positions are outside of degrees and nothing says what they are. */
function refuseOtherUnits(found: readonly FoundRow[]): void {
  let [beyond, all] = [0, 0];
  let example: string | undefined;
  for (const { geometry } of found) {
    if (!isGeometry(geometry)) continue;
    const box = bboxOf(geometry);
    if (!box) continue;
    all++;
    const [west, south, east, north] = box;
    if (west >= -540 && east <= 540 && south >= -180 && north <= 180) continue;
    beyond++;
    example ??= `${west}, ${south}`;
  }
  if (beyond === 0 || beyond <= all / 2) return;
  throw new TableError(
    `coordinates such as ${example} are not degrees, and the file names no reference system: use --crs with its EPSG code, for example --crs EPSG:3857`,
    { code: "units", example: example ?? "" },
  );
}
