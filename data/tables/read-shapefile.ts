/// <reference path="./shpjs.d.ts" />
/**
 * Reads Shapefiles.
 * @see https://support.esri.com/en-us/technical-paper/esri-shapefile-technical-description-279 @module
 */
import { messageOf } from "../format/message-of.ts";
import { decoderOf, decodeText, encodingOfCodePage } from "./decode-text.ts";
import { parseGeometry } from "./parse-geometry.ts";
import { GeometryFault, type RawTable } from "./raw-table.ts";
import { readDbf } from "./read-dbf.ts";
import { TableError } from "./table.ts";

/**
 * Reads a Shapefile. `part` returns the bytes of the file with an ending such as `shp`, undefined if it is missing.
 * Without `dbf` the rows have geometries only. Coordinates stay as stored; `crs` is the text of `prj`. Throws
 * `TableError` without `shp`, or if a part is damaged.
 */
export async function readShapefile(part: (ending: string) => Uint8Array | undefined): Promise<RawTable> {
  const { parseShp } = await import("shpjs");
  const [shp, dbf, cpg, prj] = ["shp", "dbf", "cpg", "prj"].map(part);
  const text = (bytes: Uint8Array | undefined) => (bytes ? new TextDecoder().decode(bytes).trim() : undefined);
  try {
    if (!shp) throw new Error("the .shp file is missing");
    const geometries = parseShp(shp);
    const isMultiPatch = new DataView(shp.buffer, shp.byteOffset).getInt32(32, true) === MULTI_PATCH;
    const { encoding, notes } = dbf ? encodingOf(dbf, text(cpg)) : { encoding: "utf-8", notes: [] };
    const { columns, rows } = dbf ? readDbf(dbf, decoderOf(encoding)) : { columns: [], rows: [] };
    const crs = text(prj);
    return {
      format: "shapefile",
      columns,
      rows: geometries.map((geometry, index) => ({
        line: index + 1,
        geometry:
          isMultiPatch && geometry !== null
            ? new GeometryFault("geometry type not supported", "MultiPatch")
            : parseGeometry(geometry),
        values: rows[index] ?? [],
      })),
      geometryFrom: "geometry",
      notes,
      ...(crs === undefined ? {} : { crs }),
    };
  } catch (error) {
    throw new TableError(`the Shapefile is damaged: ${messageOf(error)}`);
  }
}

/** Surfaces in space, which parsers of points, lines and polygons misread. */
const MULTI_PATCH = 31;

/** The encoding that `cpg` names, or the one whose letters fit best. */
function encodingOf(dbf: Uint8Array, cpg = ""): { readonly encoding: string; readonly notes: readonly string[] } {
  const stated = encodingOfCodePage(cpg);
  if (stated !== undefined) return { encoding: stated, notes: [] };
  const { encoding } = decodeText(dbf.subarray(32));
  return { encoding, notes: cpg === "" ? [] : [`read as ${encoding}: the encoding ${cpg} of .cpg is not known`] };
}
