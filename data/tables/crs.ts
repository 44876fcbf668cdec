/** Reference systems: what files state, and positions in degrees of WGS84. @see https://proj.org/ @module */

import type { Position } from "../format/geometry.ts";
import { messageOf } from "../format/message-of.ts";
import { TableError } from "./table.ts";

export const WGS84 = "EPSG:4326";

/** Geographic systems whose degrees are within a metre of WGS84's. */
const LIKE_WGS84 = new Set([
  4326, 4979, 4258, 4937, 4269, 4283, 7844, 4167, 4612, 6668, 4674, 4170, 4619, 6318, 4617, 4490, 4737,
]);

/** A coordinate reference system. */
export interface Crs {
  /** `EPSG:25832`, or the name that the file gives. */
  readonly name: string;
  /**
   * Converts coordinates of the system, x first, to longitude and latitude in degrees of WGS84. Undefined if they are
   * that already.
   */
  readonly toDegrees?: (position: Position) => Position;
}

/** Names of WGS 84, and of NAD83 in the order longitude, latitude. */
const WGS84_NAME = /CRS:?84h?\)?$|^(GCS[_ ])?WGS[ _-]?(19)?84$|OGC:(2:84|[\d.:]*CRS83)$/i;

/** A system of heights after the code: `EPSG:25832+5783`, `urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::5783`. */
const HEIGHTS = /(?<=\d)(\+|,\s*(crs:)?EPSG:[\d.]*:?)\d{4,6}$/i;

/**
 * The code in any way of writing: `EPSG:25832`, `urn:ogc:def:crs:EPSG::25832`, `25832`, and links such as
 * `http://www.opengis.net/gml/srs/epsg.xml#25832`.
 */
function epsgCode(given: string): number | undefined {
  const text = given.replace(HEIGHTS, "");
  const found =
    /(?:EPSG|ESRI|IGNF)[:/]+(?:[\d.]*[:/])?(\d{4,6})$/i.exec(text) ??
    /^(?:SRID[:=])?(\d{4,6})$/i.exec(text) ??
    /^https?:.*\b(?:EPSG|ESRI)(?:\.io|\.xml)?[:/#]+(?:[\d.]+[:/])?(\d{4,6})(?!\d)/i.exec(text);
  const code = found?.[1] === undefined ? undefined : Number(found[1]);
  return code === 900913 || code === 102100 || code === 102113 || code === 3785 ? 3857 : code;
}

/**
 * Returns the reference system of a text: a code such as `EPSG:25832`, well-known text or a PROJ string. Throws
 * `TableError` for other texts and for systems that cannot be transformed.
 */
export async function crsOf(given: string): Promise<Crs> {
  const text = given.trim();
  if (WGS84_NAME.test(text)) return { name: WGS84 };
  const code = /^OGC:CRS27$/i.test(text) ? 4267 : epsgCode(text);
  if (code !== undefined && LIKE_WGS84.has(code)) return { name: `EPSG:${code}` };
  const isDefinition =
    /^(PROJCS|GEOGCS|PROJCRS|GEOGCRS|COMPD_?CRS|COMPOUNDCRS|BOUNDCRS|GEODCRS)\s*\[/i.test(text) ||
    text.startsWith("+proj=");
  if (code === undefined && !isDefinition) {
    throw new TableError(
      `reference system ${JSON.stringify(text)} is not known: use --crs with an EPSG code, for example --crs EPSG:25832`,
      { code: "crs", crs: text },
    );
  }
  const name = code === undefined ? nameOf(text) : `EPSG:${code}`;
  const { definition, datum } = code === undefined ? await described(text) : { definition: await definitionOf(code) };
  const { default: proj4 } = await import("proj4");
  try {
    const system = new proj4.Proj(definition);
    if (datum !== undefined) system.datum = new proj4.Proj(datum).datum;
    const { forward } = proj4(system, "+proj=longlat +datum=WGS84 +no_defs");
    const { x0 = 0, y0 = 0 } = system as { readonly x0?: number; readonly y0?: number };
    if (forward([x0, y0]).some(Number.isNaN)) throw new Error("a parameter is missing or not known");
    return { name, toDegrees: ([x, y]) => forward([x, y]) as unknown as Position };
  } catch (error) {
    const reason = messageOf(error);
    throw new TableError(`reference system ${name} cannot be transformed (${reason}): convert the file to EPSG:4326`, {
      code: "crs",
      crs: name,
    });
  }
}

/**
 * Returns what proj4 shall read for a definition in a file, and the PROJ string of a system with the same datum if the
 * definition lacks the shift to WGS 84. Throws `TableError` if the shift is not known.
 */
async function described(text: string): Promise<{ readonly definition: string; readonly datum?: string }> {
  if (text.startsWith("+")) return { definition: withShift(text, nameOf(text)) };
  const wkt = wktPart(text, /^\w+/);
  // proj4 needs other names of its parameters, which are always the same
  if (/\b(PROJECTION|METHOD)\s*\[\s*"New[_ ]Zealand[_ ]Map[_ ]Grid"/i.test(wkt))
    return { definition: await definitionOf(27200) };
  const hasShift = /\bTOWGS84\b|^BOUNDCRS\b/i.test(wkt);
  const unit = otherAngles(wkt);
  const code = /\b(?:AUTHORITY|ID)\s*\[\s*"EPSG"\s*,\s*"?(\d+)"?\s*\]\s*\]$/i.exec(wkt)?.[1];
  const known = code === undefined || (hasShift && unit === undefined) ? undefined : await listed(Number(code));
  if (known !== undefined && /\+(datum|towgs84|nadgrids)=/.test(known))
    return { definition: withShift(known, nameOf(text)) };
  if (unit !== undefined) throw unusable(text, `has angles in ${unit}`);
  const datum = /\b(?:DATUM|TRF|GEODETICDATUM)\s*\[\s*"([^"]*)"/i.exec(wkt)?.[1];
  const [, axis, flattening] =
    /\b(?:SPHEROID|ELLIPSOID)\s*\[\s*"[^"]*"\s*,\s*([\d.eE+]+)\s*,\s*([\d.eE+]+)/i.exec(wkt) ?? [];
  if (hasShift || datum === undefined) return { definition: text };
  if (/^(D_)?North_American_(Datum_)?1927$/i.test(datum.replaceAll(" ", "_"))) throw withoutGrid(nameOf(text));
  const { codeOfDatum } = await import("./datums.ts");
  const geographic = codeOfDatum(datum);
  if (geographic !== undefined) return { definition: text, datum: await definitionOf(geographic) };
  // A sphere, and the ellipsoid of charts of sea ice, belong to no datum
  const isFigureOnly = Number(flattening) === 0 || /hughes/i.test(datum);
  if (Number(axis) !== 6_378_137 && !isFigureOnly)
    throw unusable(text, `has the datum ${datum}, whose shift to WGS 84 is not known`);
  return { definition: text };
}

/** Name of a unit of angles in well-known text which is not the degree. */
function otherAngles(wkt: string): string | undefined {
  const geographic = wktPart(wkt, /\b(BASE)?(GEOGCS|GEOGCRS|GEODCRS)\b/i);
  const units = [
    ...geographic.matchAll(/\bUNIT\s*\[\s*"([^"]*)"\s*,\s*([\d.eE+-]+)/gi),
    ...wkt.matchAll(/\bANGLEUNIT\s*\[\s*"([^"]*)"\s*,\s*([\d.eE+-]+)/gi),
  ];
  const isDegree = (radians: string | undefined) => Math.abs(Number(radians) - Math.PI / 180) < 1e-8;
  return units.find(([, name = "", factor]) => !/^met(re|er)$/i.test(name) && !isDegree(factor))?.[1];
}

/** The first part of well-known text whose keyword fits, up to its closing bracket. Empty if there is none. */
function wktPart(text: string, keyword: RegExp): string {
  const start = text.search(keyword);
  if (start < 0) return "";
  let depth = 0;
  for (const { 0: token, index } of text.slice(start).matchAll(/"[^"]*"|\[|\]/g)) {
    if (token === "[") depth++;
    else if (token === "]" && --depth === 0) return text.slice(start, start + index + 1);
  }
  return text.slice(start);
}

/** A PROJ string without grids that proj4 does not have. Throws `TableError` if only they have the shift. */
function withShift(definition: string, name: string): string {
  if (/\+towgs84=/.test(definition)) return definition.replace(/\+nadgrids=\S+/, "");
  if (/\+datum=NAD27\b/i.test(definition)) throw withoutGrid(name);
  return definition;
}

/** Whether a PROJ string without a datum has WGS 84's ellipsoid, a sphere, or the ellipsoid of charts of sea ice. */
function isLikeWgs84(definition: string): boolean {
  const [a, b] = [/\+a=(\S+)/.exec(definition)?.[1], /\+b=(\S+)/.exec(definition)?.[1]];
  return /\+ellps=(GRS80|WGS84)\b/.test(definition) || (a !== undefined && (a === b || a === "6378273"));
}

function withoutGrid(name: string): TableError {
  return new TableError(
    `reference system ${name} has the datum NAD27, whose shift to WGS 84 needs a grid: convert the file to EPSG:4326`,
    { code: "crs", crs: name },
  );
}

function unusable(definition: string, reason: string): TableError {
  const name = nameOf(definition);
  return new TableError(
    `reference system ${name} ${reason}: use --crs with its EPSG code, for example --crs EPSG:25832`,
    { code: "crs", crs: name },
  );
}

function nameOf(definition: string): string {
  return /^\w+\s*\[\s*"([^"]+)"/.exec(definition)?.[1] ?? definition.slice(0, 60);
}

async function listed(code: number): Promise<string | undefined> {
  const { default: list } = await import("proj4-list");
  return list[`EPSG:${code}`]?.[1];
}

/** The PROJ string of a code. Throws `TableError` for an unknown code, and for a datum whose shift is not known. */
async function definitionOf(code: number): Promise<string> {
  const definition = await listed(code);
  if (definition !== undefined) {
    if (/\+(datum|towgs84|nadgrids)=/.test(definition)) return withShift(definition, `EPSG:${code}`);
    const { shiftOfCode } = await import("./datums.ts");
    const shift = shiftOfCode(code);
    if (shift !== undefined) return `${definition} +towgs84=${shift}`;
    if (isLikeWgs84(definition)) return definition;
    throw new TableError(
      `reference system EPSG:${code} has a datum whose shift to WGS 84 is not known: convert the file to EPSG:4326`,
      { code: "crs", crs: `EPSG:${code}` },
    );
  }
  throw new TableError(
    `reference system EPSG:${code} is not among the known ones: convert the file to EPSG:4326, or use --crs`,
    { code: "crs", crs: `EPSG:${code}` },
  );
}
