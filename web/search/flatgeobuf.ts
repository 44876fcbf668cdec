/** FlatGeobuf: typed columns. It has no spatial index, which would need every record before the first byte. @module */
import { Builder } from "flatbuffers";
import { magicbytes } from "flatgeobuf/lib/mjs/constants.js";
import { Column } from "flatgeobuf/lib/mjs/flat-geobuf/column.js";
import { ColumnType } from "flatgeobuf/lib/mjs/flat-geobuf/column-type.js";
import { Crs } from "flatgeobuf/lib/mjs/flat-geobuf/crs.js";
import { GeometryType } from "flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js";
import { Header } from "flatgeobuf/lib/mjs/flat-geobuf/header.js";
import { buildFeature } from "flatgeobuf/lib/mjs/generic/feature.js";
import { parseGC, parseGeometry } from "flatgeobuf/lib/mjs/geojson/geometry.js";
import { joinBytes } from "../../data/format/bytes.ts";
import type { Feature } from "../engine/index.ts";
import { type Credit, creditLines } from "./credit.ts";
import { type ColumnKind, type FlatColumn, flatValue, neededBy } from "./flat-columns.ts";
import { FORMATS } from "./formats.ts";
import { type Frame, recordsAs, type Writer } from "./frame.ts";

const TYPES: Readonly<Record<ColumnKind, ColumnType>> = {
  text: ColumnType.String,
  integer: ColumnType.Int,
  number: ColumnType.Double,
  boolean: ColumnType.Bool,
};

const WGS84 = 4326;

interface FlatgeobufOptions {
  readonly title: string;
  readonly credit: Credit;
  readonly columns: readonly FlatColumn[];
  readonly isOfPoints: boolean;
}

/**
 * Returns a writer of one FlatGeobuf file with typed columns and without a spatial index. The credit is in its header.
 */
export function flatgeobufWriter({ title, credit, columns, isOfPoints }: FlatgeobufOptions): Writer {
  const id: FlatColumn = { name: "id", kind: "text", read: (feature) => feature.id };
  const table = [id, ...columns];
  const meta = {
    geometryType: isOfPoints ? GeometryType.Point : GeometryType.Unknown,
    columns: table.map(({ name, kind }) => columnMeta(name, TYPES[kind])),
    envelope: null,
    featuresCount: 0,
    indexNodeSize: 0,
    crs: null,
    title: null,
    description: null,
    metadata: null,
  };
  const write = (feature: Feature): Uint8Array => {
    const { geometry } = feature;
    const properties = Object.fromEntries(table.map((column) => [column.name, flatValue(column, feature)]));
    const shape =
      geometry.type === "GeometryCollection" ? parseGC(geometry as never) : parseGeometry(geometry as never);
    return buildFeature(shape, properties, meta);
  };
  const { contentType, extension } = FORMATS.flatgeobuf;
  const open = joinBytes([magicbytes, headerOf(title, credit, meta)]);
  const frame: Frame = { contentType, extension, open, separator: "", close: "" };
  return { ...frame, ...recordsAs(write, { frame, properties: neededBy(columns) }) };
}

function columnMeta(name: string, type: ColumnType) {
  return {
    name,
    type,
    title: null,
    description: null,
    width: -1,
    precision: -1,
    scale: -1,
    nullable: true,
    unique: false,
    primary_key: false,
  };
}

/** Returns the header. The library cannot write a description and metadata, so it is written here. */
function headerOf(
  title: string,
  credit: Credit,
  { columns, geometryType }: { readonly columns: readonly { name: string; type: ColumnType }[]; geometryType: number },
): Uint8Array {
  const builder = new Builder();
  // aligns the coordinates after it, for readers that map them in place
  builder.prep(Float64Array.BYTES_PER_ELEMENT, 0);
  const columnOffsets = columns.map(({ name, type }) => {
    const nameAt = builder.createString(name);
    Column.startColumn(builder);
    Column.addName(builder, nameAt);
    Column.addType(builder, type);
    return Column.endColumn(builder);
  });
  const columnsAt = Header.createColumnsVector(builder, columnOffsets);
  const [nameAt, titleAt] = [builder.createString(title), builder.createString(title)];
  const descriptionAt = builder.createString(creditLines(credit).join("\n"));
  const { release, attribution } = credit;
  const metadataAt = builder.createString(JSON.stringify({ release, attribution }));
  const organisationAt = builder.createString("EPSG");
  Crs.startCrs(builder);
  Crs.addOrg(builder, organisationAt);
  Crs.addCode(builder, WGS84);
  const crsAt = Crs.endCrs(builder);
  Header.startHeader(builder);
  Header.addName(builder, nameAt);
  Header.addTitle(builder, titleAt);
  Header.addDescription(builder, descriptionAt);
  Header.addMetadata(builder, metadataAt);
  Header.addGeometryType(builder, geometryType);
  Header.addColumns(builder, columnsAt);
  // unknown until all are written
  Header.addFeaturesCount(builder, 0n);
  Header.addIndexNodeSize(builder, 0);
  Header.addCrs(builder, crsAt);
  builder.finishSizePrefixed(Header.endHeader(builder));
  return builder.asUint8Array();
}
