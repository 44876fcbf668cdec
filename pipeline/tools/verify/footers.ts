/**
 * Reads Parquet footers of slices and packs, and checks the metadata that GeoParquet and the specification require.
 * @module
 */
import { type FileMetaData, parquetMetadata, type RowGroup } from "hyparquet";
import type { BBox } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { FORMAT_VERSION } from "../../../data/format/manifest.ts";
import { readRange } from "../../base/disk/index.ts";

/** Keeps statistics as bytes, because not all are UTF-8. */
const RAW = { stringFromBytes: (bytes: Uint8Array) => bytes };

/** Bytes after the footer of a Parquet file: its length and the magic bytes. */
const TAIL_BYTES = 8;
const MAGIC = "PAR1";

interface FileRange {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the footer of the Parquet file in bytes `start` to `end` (exclusive) of a file. Throws if these bytes are no
 * Parquet file.
 */
export async function readFooter({ file, start, end }: FileRange): Promise<FileMetaData> {
  const size = end - start;
  const head = new TextDecoder("latin1").decode(await readRange(file, start, MAGIC.length));
  const tail = await readRange(file, Math.max(start, end - TAIL_BYTES), TAIL_BYTES);
  if (head !== MAGIC || new TextDecoder("latin1").decode(tail.subarray(TAIL_BYTES - MAGIC.length)) !== MAGIC) {
    throw new Error(`no Parquet file: it does not begin and end with ${MAGIC}`);
  }
  const length = new DataView(tail.buffer, tail.byteOffset).getUint32(0, true);
  if (length + TAIL_BYTES + MAGIC.length > size) throw new Error(`a footer of ${length} bytes in a file of ${size}`);
  const footer = await readRange(file, end - TAIL_BYTES - length, length + TAIL_BYTES);
  const bytes = footer.buffer.slice(footer.byteOffset, footer.byteOffset + footer.byteLength) as ArrayBuffer;
  return parquetMetadata(bytes, { geoparquet: false, parsers: RAW });
}

/**
 * Returns texts that describe a row group and each of its columns, with `moveBytes` added to all offsets. Equal texts
 * mean the same bytes, with the same statistics.
 */
export function spellGroup({ num_rows, total_byte_size, columns }: RowGroup, moveBytes: number): string[] {
  const moved = (offset: bigint | undefined): bigint | undefined => offset && offset + BigInt(moveBytes);
  return [
    spell({ num_rows, total_byte_size }),
    ...columns.map(({ meta_data: data, offset_index_offset, column_index_offset }) =>
      spell({
        path: data?.path_in_schema.join("."),
        type: data?.type,
        codec: data?.codec,
        encodings: data?.encodings,
        num_values: data?.num_values,
        compressed: data?.total_compressed_size,
        uncompressed: data?.total_uncompressed_size,
        data_page: moved(data?.data_page_offset),
        dictionary_page: moved(data?.dictionary_page_offset),
        index_page: moved(data?.index_page_offset),
        bloom_filter: moved(data?.bloom_filter_offset),
        offset_index: moved(offset_index_offset),
        column_index: moved(column_index_offset),
        min: data?.statistics?.min_value,
        max: data?.statistics?.max_value,
        nulls: data?.statistics?.null_count,
      }),
    ),
  ];
}

/** Returns the first difference of two descriptions of a column by `spellGroup`. */
export function differenceOf(expected = "{}", got = "{}"): string {
  const [wanted, found] = [expected, got].map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>);
  const member = Object.keys(wanted ?? {}).find((key) => spell(wanted?.[key]) !== spell(found?.[key])) ?? "path";
  const of = wanted?.path === undefined ? "" : `column ${wanted.path}, `;
  return `${of}${member} expected ${spell(wanted?.[member])}, got ${spell(found?.[member])}`;
}

/** Returns the schema as text, for comparison. */
export function spellSchema({ schema }: FileMetaData): string {
  return spell(schema);
}

function spell(value: unknown): string {
  return JSON.stringify(value ?? null, (_, member: unknown) => {
    if (typeof member === "bigint") return String(member);
    return member instanceof Uint8Array ? Buffer.from(member).toString("hex") : member;
  });
}

/** Returns the values of the footer's metadata with this key. */
export function entriesOf({ key_value_metadata: pairs }: FileMetaData, key: string): string[] {
  return (pairs ?? []).flatMap((pair) => (pair.key === key ? [pair.value ?? ""] : []));
}

const EDGES = ["xmin", "ymin", "xmax", "ymax"] as const;

interface GeoColumn {
  readonly encoding?: unknown;
  readonly geometry_types?: unknown;
  readonly bbox?: unknown;
  readonly covering?: { readonly bbox?: Readonly<Record<string, unknown>> };
  readonly edges?: unknown;
  readonly crs?: unknown;
}

/**
 * Returns the fault of the metadata `geo`: not GeoParquet 1.1, or other geometry types or another box than given.
 * Undefined if there is none.
 * @see
 * https://geoparquet.org/releases/v1.1.0/
 */
export function geoFault(texts: readonly string[], kinds: readonly string[], bbox: BBox): string | undefined {
  const geo = parseOne(texts);
  if (!geo) return `${texts.length} entries geo that are JSON, expected one`;
  const { version, primary_column, columns } = geo;
  const column = (columns as Readonly<Record<string, GeoColumn>> | undefined)?.geometry ?? {};
  const { encoding, geometry_types, covering, edges, crs } = column;
  const types = Array.isArray(geometry_types) ? [...geometry_types].sort() : geometry_types;
  const facts: readonly (readonly [what: string, expected: unknown, got: unknown])[] = [
    ["version", "1.1.0", version],
    ["primary_column", "geometry", primary_column],
    ["encoding", "WKB", encoding],
    ["edges", "planar", edges ?? "planar"],
    ["crs", "none", crs === undefined ? "none" : crs],
    ["geometry_types", [...kinds].sort(), types],
    ["bbox", bbox, column.bbox],
    ["covering", EDGES.map((edge) => ["bbox", edge]), EDGES.map((edge) => covering?.bbox?.[edge])],
  ];
  const wrong = facts.find(([, expected, got]) => JSON.stringify(expected) !== JSON.stringify(got));
  return wrong && `geo has ${wrong[0]} ${JSON.stringify(wrong[2])}, expected ${JSON.stringify(wrong[1])}`;
}

/**
 * Returns the fault of the metadata `cairn`: not exactly one entry with this collection, country and the format's
 * version. Undefined if it is right. The entry is for files that are copied out of their folder.
 */
export function cairnFault(texts: readonly string[], collection: CollectionName, country: string): string | undefined {
  const entry = parseOne(texts);
  const sorted = entry && Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)));
  const [expected, got] = [{ collection, country, format_version: FORMAT_VERSION }, sorted].map((value) =>
    JSON.stringify(value),
  );
  return expected === got ? undefined : `cairn is ${got ?? texts.join(" and ")}, expected ${expected}`;
}

function parseOne(texts: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  if (texts.length !== 1) return undefined;
  try {
    const value: unknown = JSON.parse(texts[0] ?? "");
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
