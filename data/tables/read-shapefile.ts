/// <reference path="./shpjs.d.ts" />
/**
 * Reads Shapefiles.
 * @see https://support.esri.com/en-us/technical-paper/esri-shapefile-technical-description-279 @module
 */
import { messageOf } from "../format/message-of.ts";
import { decodeText } from "./decode-text.ts";
import { parseGeometry } from "./parse-geometry.ts";
import { columnsOfObjects, type RawTable } from "./raw-table.ts";
import { TableError } from "./table.ts";

/**
 * Reads a Shapefile. `part` returns the bytes of the file with an ending such as `shp`, undefined if it is missing.
 * Without `dbf` the rows have geometries only. Coordinates stay as stored; `crs` is the text of `prj`. Throws
 * `TableError` without `shp`, or if a part is damaged.
 */
export async function readShapefile(part: (ending: string) => Uint8Array | undefined): Promise<RawTable> {
  const { parseShp, parseDbf } = await import("shpjs");
  const [shp, dbf, cpg, prj] = ["shp", "dbf", "cpg", "prj"].map(part);
  const text = (bytes: Uint8Array | undefined) => (bytes ? new TextDecoder().decode(bytes).trim() : undefined);
  try {
    if (!shp) throw new Error("the .shp file is missing");
    const geometries = parseShp(shp);
    const objects = dbf
      ? parseDbf(dbf, cpg ?? new TextEncoder().encode(decodeText(dbf.subarray(32)).encoding))
      : geometries.map(() => ({}));
    const { columns, valuesOf } = columnsOfObjects(objects);
    const crs = text(prj);
    return {
      format: "shapefile",
      columns,
      rows: geometries.map((geometry, index) => ({
        line: index + 1,
        geometry: parseGeometry(geometry),
        values: valuesOf(index).map(dayOf),
      })),
      geometryFrom: "geometry",
      ...(crs === undefined ? {} : { crs }),
    };
  } catch (error) {
    throw new TableError(`the Shapefile is damaged: ${messageOf(error)}`);
  }
}

/** Dates are in local time; an empty one is made of zeros. */
function dayOf(value: unknown): unknown {
  if (!(value instanceof Date)) return value;
  const [year, month, day] = [value.getFullYear(), value.getMonth() + 1, value.getDate()];
  if (Number.isNaN(year) || year < 1900) return null;
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
