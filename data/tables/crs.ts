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

/** The code in any way of writing: `EPSG:25832`, `urn:ogc:def:crs:EPSG::25832`, `http://www.opengis.net/def/crs/EPSG/0/25832`, `25832`. */
function epsgCode(text: string): number | undefined {
  const found =
    /(?:EPSG|ESRI|IGNF)[:/]+(?:[\d.]*[:/])?(\d{4,6})$/i.exec(text) ?? /^(?:SRID[:=])?(\d{4,6})$/i.exec(text);
  const code = found?.[1] === undefined ? undefined : Number(found[1]);
  return code === 900913 || code === 102100 || code === 102113 || code === 3785 ? 3857 : code;
}

/**
 * Returns the reference system of a text: a code such as `EPSG:25832`, well-known text or a PROJ string. Throws
 * `TableError` for other texts and for systems that cannot be transformed.
 */
export async function crsOf(given: string): Promise<Crs> {
  const text = given.trim();
  if (/CRS:?84h?$|^WGS ?_?84$|^OGC:CRS(84|83|27)$/i.test(text)) return { name: WGS84 };
  const code = epsgCode(text);
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
  const definition = code === undefined ? text : await definitionOf(code);
  const { default: proj4 } = await import("proj4");
  try {
    const { forward } = proj4(definition, "+proj=longlat +datum=WGS84 +no_defs");
    return { name, toDegrees: ([x, y]) => forward([x, y]) as unknown as Position };
  } catch (error) {
    const reason = messageOf(error);
    throw new TableError(`reference system ${name} cannot be transformed (${reason}): convert the file to EPSG:4326`, {
      code: "crs",
      crs: name,
    });
  }
}

function nameOf(definition: string): string {
  return /^\w+\s*\[\s*"([^"]+)"/.exec(definition)?.[1] ?? definition.slice(0, 60);
}

async function definitionOf(code: number): Promise<string> {
  const { default: list } = await import("proj4-list");
  const definition = list[`EPSG:${code}`]?.[1];
  if (definition === undefined) {
    throw new TableError(
      `reference system EPSG:${code} is not among the known ones: convert the file to EPSG:4326, or use --crs`,
      { code: "crs", crs: `EPSG:${code}` },
    );
  }
  return definition;
}
