/** FlatGeobuf. @see https://flatgeobuf.org/ @module */

import type { ColumnMeta } from "flatgeobuf/lib/mjs/column-meta.js";
import type { Feature } from "flatgeobuf/lib/mjs/flat-geobuf/feature.js";
import type { HeaderMeta } from "flatgeobuf/lib/mjs/header-meta.js";
import { hexOf } from "../format/bytes.ts";
import { messageOf } from "../format/message-of.ts";
import { parseGeometry } from "./parse-geometry.ts";
import { GeometryFault, NO_GEOMETRY, type RawGeometry, type RawRow, type RawTable } from "./raw-table.ts";
import { TableError } from "./table.ts";

/** Reads all rows of a FlatGeobuf file. Throws `TableError` if it is damaged, or has another number of rows than it states. */
export async function readFlatGeobuf(bytes: Uint8Array): Promise<RawTable> {
  const [{ deserialize }, { fromGeometry }] = await Promise.all([
    import("flatgeobuf/lib/mjs/generic/featurecollection.js"),
    import("flatgeobuf/lib/mjs/geojson/geometry.js"),
  ]);
  const rows: RawRow[] = [];
  let header: HeaderMeta | undefined;
  const geometryOf = (feature: Feature, type: HeaderMeta["geometryType"]): RawGeometry => {
    const geometry = feature.geometry();
    if (!geometry) return NO_GEOMETRY;
    if (geometry.xyLength() + geometry.partsLength() === 0) return new GeometryFault("empty geometry", "no positions");
    return parseGeometry(fromGeometry(geometry, type));
  };
  const context = {
    headerMetaFn(found: HeaderMeta) {
      header = found;
      // 0 is an unknown number of features, and such a file has no index
      if (found.featuresCount === 0) found.indexNodeSize = 0;
    },
    fromFeature(index: number, feature: Feature, { columns, geometryType }: HeaderMeta) {
      const geometry = geometryOf(feature, geometryType);
      rows.push({ line: index + 1, geometry, values: valuesOf(feature.propertiesArray(), columns ?? []) });
      return {};
    },
  };
  try {
    for await (const _ of deserialize(bytes, context));
  } catch (error) {
    throw new TableError(`the FlatGeobuf file is damaged: ${messageOf(error)}`);
  }
  const { columns, crs, featuresCount = 0 } = header ?? {};
  if (featuresCount > 0 && rows.length !== featuresCount)
    throw new TableError(`the FlatGeobuf file is damaged: it has ${rows.length} rows and states ${featuresCount}`);
  const stated = crs && crs.code > 0 ? `${crs.org ?? "EPSG"}:${crs.code}` : crs?.wkt;
  return {
    format: "flatgeobuf",
    columns: (columns ?? []).map(({ name }) => name),
    rows,
    geometryFrom: "geometry",
    ...(stated ? { crs: stated } : {}),
  };
}

type ReadValue = (view: DataView, at: number) => unknown;

/** Whole numbers beyond 53 bits are text. */
const long = (value: bigint): unknown => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value));

/** Bytes of a value and how it is read, by the number of the column's type. */
const FIXED: readonly (readonly [bytes: number, read: ReadValue])[] = [
  [1, (view, at) => view.getInt8(at)],
  [1, (view, at) => view.getUint8(at)],
  [1, (view, at) => view.getUint8(at) !== 0],
  [2, (view, at) => view.getInt16(at, true)],
  [2, (view, at) => view.getUint16(at, true)],
  [4, (view, at) => view.getInt32(at, true)],
  [4, (view, at) => view.getUint32(at, true)],
  [8, (view, at) => long(view.getBigInt64(at, true))],
  [8, (view, at) => long(view.getBigUint64(at, true))],
  [4, (view, at) => view.getFloat32(at, true)],
  [8, (view, at) => view.getFloat64(at, true)],
];
const [JSON_TYPE, BINARY_TYPE] = [12, 14];

/** Values in the order of the columns. The file has pairs of a column's number and a value. */
function valuesOf(bytes: Uint8Array | null, columns: readonly ColumnMeta[]): unknown[] {
  const values: unknown[] = columns.map(() => null);
  if (!bytes) return values;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const index = view.getUint16(at, true);
    const column = columns[index];
    if (!column) throw new RangeError(`column ${index} of ${columns.length}`);
    at += 2;
    const fixed = FIXED[column.type];
    const size = fixed ? fixed[0] : 4 + view.getUint32(at, true);
    values[index] = fixed ? fixed[1](view, at) : lengthy(column.type, bytes.subarray(at + 4, at + size));
    at += size;
  }
  return values;
}

function lengthy(type: number, bytes: Uint8Array): unknown {
  if (type === BINARY_TYPE) return `\\x${hexOf(bytes)}`;
  const text = new TextDecoder().decode(bytes);
  return type === JSON_TYPE ? JSON.parse(text) : text;
}
