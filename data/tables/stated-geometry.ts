/** The geometry column of a file and its reference system, as the file states them. @see https://geoparquet.org/releases/v1.1.0/ @module */
import { TableError } from "./table.ts";

type Members = Readonly<Record<string, unknown>>;

/** Returns the value if it is an object, otherwise an empty object. */
export const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null ? (value as Members) : {};

/** Name of the geometry column (`primary`) and of its reference system, if the file states them. */
export interface StatedGeometry {
  readonly primary?: string;
  readonly crs?: string;
}

/** A column of Parquet's own geometry types. */
export interface GeometryTyped {
  readonly name: string;
  readonly crs: string | undefined;
}

/**
 * Returns the geometry column of a Parquet file (`primary`) and its reference system, by the GeoParquet metadata in its
 * key-value `metadata`, otherwise by `typed`. An empty object without both. Throws `TableError` for damaged metadata,
 * and for encodings other than WKB and point.
 */
export function statedGeometry(metadata: ReadonlyMap<string, string>, typed?: GeometryTyped): StatedGeometry {
  const text = metadata.get("geo");
  if (text === undefined) {
    if (!typed) return {};
    return { primary: typed.name, ...crsName(typed.crs === undefined ? undefined : projJson(typed.crs, metadata)) };
  }
  let geo: Members;
  try {
    geo = membersOf(JSON.parse(text));
  } catch {
    throw new TableError("the Parquet file is damaged: its geo metadata is not JSON");
  }
  const primary = String(geo.primary_column);
  const { encoding, crs } = membersOf(membersOf(geo.columns)[primary]);
  if (encoding !== undefined && encoding !== "WKB" && encoding !== "point")
    throw new TableError(`the geometry is encoded as ${encoding}: WKB and point are read`);
  return { primary, ...crsName(crs) };
}

/** Parquet's types have PROJJSON as text, `srid:25832`, or the key of the metadata with it. */
function projJson(text: string, metadata: ReadonlyMap<string, string>): unknown {
  const key = /^projjson:(.+)$/.exec(text)?.[1];
  const found = key === undefined ? text : (metadata.get(key) ?? text);
  try {
    return JSON.parse(found);
  } catch {
    return found;
  }
}

/** Null says that the system is not known; without one it is longitude and latitude. */
function crsName(crs: unknown): { readonly crs?: string } {
  if (crs === null) return {};
  if (crs === undefined) return { crs: "OGC:CRS84" };
  if (typeof crs === "string" || typeof crs === "number") return { crs: String(crs).replace(/^srid:/i, "EPSG:") };
  const { id, name } = membersOf(crs);
  const { authority, code } = membersOf(id);
  return { crs: authority !== undefined && code !== undefined ? `${authority}:${code}` : String(name) };
}

/**
 * Returns the reference system that the member `crs` of GeoJSON 2008 names; undefined if it names none. A link is
 * the name if it has an EPSG code. Throws `TableError` for other links.
 */
export function statedCrs(crs: unknown): string | undefined {
  const { type, properties } = membersOf(crs);
  const { name, code, href } = membersOf(properties);
  if (typeof name === "string") return name;
  if (type === "EPSG" && (typeof code === "number" || typeof code === "string")) return `EPSG:${code}`;
  if (typeof href === "string" && /^https?:.*\bepsg\b.*\d{4}/i.test(href)) return href;
  if (typeof href === "string")
    throw new TableError(`the reference system is only linked (${href}): use --crs with its EPSG code`);
  return undefined;
}
