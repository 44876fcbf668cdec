/** FlatGeobuf. @see https://flatgeobuf.org/ @module */
import { messageOf } from "../format/message-of.ts";
import { parseGeometry } from "./parse-geometry.ts";
import { columnsOfObjects, type RawGeometry, type RawTable } from "./raw-table.ts";
import { TableError } from "./table.ts";

/** Reads all rows of a FlatGeobuf file. Throws `TableError` if it is damaged. */
export async function readFlatGeobuf(bytes: Uint8Array): Promise<RawTable> {
  const { deserialize } = await import("flatgeobuf/lib/mjs/geojson.js");
  let crs: string | undefined;
  const geometries: RawGeometry[] = [];
  const objects: Readonly<Record<string, unknown>>[] = [];
  const options = {
    headerMetaFn: (header: {
      readonly crs: { readonly org: string | null; readonly code: number; readonly wkt: string | null } | null;
    }) => {
      const own = header.crs;
      if (own && own.code > 0) crs = `${own.org ?? "EPSG"}:${own.code}`;
      else if (own?.wkt) crs = own.wkt;
    },
  };
  try {
    for await (const { geometry, properties } of deserialize(bytes, options)) {
      geometries.push(parseGeometry(geometry));
      objects.push(properties ?? {});
    }
  } catch (error) {
    throw new TableError(`the FlatGeobuf file is damaged: ${messageOf(error)}`);
  }
  const { columns, valuesOf } = columnsOfObjects(objects);
  return {
    format: "flatgeobuf",
    columns,
    rows: geometries.map((geometry, index) => ({ line: index + 1, geometry, values: valuesOf(index) })),
    geometryFrom: "geometry",
    ...(crs === undefined ? {} : { crs }),
  };
}
