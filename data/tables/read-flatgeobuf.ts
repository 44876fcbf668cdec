/** FlatGeobuf. @see https://flatgeobuf.org/ @module */

import type { ColumnMeta } from "flatgeobuf/lib/mjs/column-meta.js";
import type { Feature as FeatureOf } from "flatgeobuf/lib/mjs/flat-geobuf/feature.js";
import type { HeaderMeta } from "flatgeobuf/lib/mjs/header-meta.js";
import { hexOf } from "../format/bytes.ts";
import { messageOf } from "../format/message-of.ts";
import { parseGeometry } from "./parse-geometry.ts";
import { GeometryFault, NO_GEOMETRY, type RawGeometry, type RawRow, type RawTable } from "./raw-table.ts";
import { TableError } from "./table.ts";

const MAGIC_BYTES = 8;
const LENGTH_BYTES = 4;
/** Bytes of a node of the index. */
const NODE_BYTES = 40;

/** Reads all rows of a FlatGeobuf file. Throws `TableError` if it is damaged, or has another number of rows than it states. */
export async function readFlatGeobuf(bytes: Uint8Array): Promise<RawTable> {
  const [{ ByteBuffer }, { Feature }, { fromByteBuffer }, { fromGeometry }] = await Promise.all([
    import("flatbuffers"),
    import("flatgeobuf/lib/mjs/flat-geobuf/feature.js"),
    import("flatgeobuf/lib/mjs/header-meta.js"),
    import("flatgeobuf/lib/mjs/geojson/geometry.js"),
  ]);
  const geometryOf = (feature: FeatureOf, type: HeaderMeta["geometryType"]): RawGeometry => {
    const geometry = feature.geometry();
    if (!geometry) return NO_GEOMETRY;
    if (geometry.xyLength() + geometry.partsLength() === 0) return new GeometryFault("empty geometry", "no positions");
    return parseGeometry(fromGeometry(geometry, type));
  };
  const rows: RawRow[] = [];
  let header: HeaderMeta;
  try {
    const buffer = new ByteBuffer(bytes);
    const endAt = (start: number) => start + LENGTH_BYTES + buffer.readUint32(start);
    buffer.setPosition(MAGIC_BYTES);
    header = fromByteBuffer(buffer);
    for (let at = endAt(MAGIC_BYTES) + indexBytes(header); at < bytes.length; at = endAt(at)) {
      if (endAt(at) > bytes.length) throw new RangeError(`it ends at byte ${bytes.length}, in the middle of a row`);
      buffer.setPosition(at);
      const feature = Feature.getSizePrefixedRootAsFeature(buffer);
      const values = valuesOf(feature.propertiesArray(), header.columns ?? []);
      rows.push({ line: rows.length + 1, geometry: geometryOf(feature, header.geometryType), values });
    }
  } catch (error) {
    throw new TableError(`the FlatGeobuf file is damaged: ${messageOf(error)}`);
  }
  const { columns, crs, featuresCount } = header;
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

/** 0 features are an unknown number, and such a file has no index. */
function indexBytes({ featuresCount, indexNodeSize }: HeaderMeta): number {
  if (indexNodeSize === 0) return 0;
  let nodes = 0;
  for (let level = featuresCount; level > 0; level = level === 1 ? 0 : Math.ceil(level / Math.max(2, indexNodeSize)))
    nodes += level;
  return (featuresCount === 1 ? 2 : nodes) * NODE_BYTES;
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
