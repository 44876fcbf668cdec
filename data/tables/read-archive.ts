/** Zip archives: spreadsheets, KMZ, zipped Shapefiles, and single files of other formats. @module */
import { messageOf } from "../format/message-of.ts";
import type { RawTable } from "./raw-table.ts";
import { readShapefile } from "./read-shapefile.ts";
import { readSpreadsheet } from "./read-spreadsheet.ts";
import { TableError } from "./table.ts";

const TABLES =
  /\.(csv|tsv|txt|tab|json|geojson|geojsonl|geojsons|geojsonseq|ndjson|jsonl|topojson|kml|kmz|gpx|osm|pbf|parquet|geoparquet|gpq|fgb|gpkg|psv|xlsx|xls|ods|gz)$/i;

/** Files about a table, which are read only if there is no other. */
const ABOUT_TABLE =
  /(^|[^a-z])(cairn\.json|licen[cs]e|copying|copyright|notice|read[ _-]?me|metadata|about|changelog|terms|citations?|rights|attribution|datapackage|schema|manifest)(?![a-z])/i;

interface ArchiveOptions {
  /** Reads a file of the archive that is neither a spreadsheet nor a Shapefile. */
  readonly read: (name: string, bytes: Uint8Array) => Promise<RawTable>;
  /** Maximum bytes of all unpacked files together. */
  readonly maxBytes: number;
  /** Whether coordinates are found in a table. */
  readonly hasCoordinates: (table: RawTable) => Promise<boolean>;
}

type Files = Readonly<Record<string, Uint8Array>>;

/**
 * Reads the first table with coordinates in a zip archive, otherwise the first. Reads a text (`.txt`) or a file such as a
 * licence only if there is no other. The notes of the result name the other tables. Throws `TableError` if the archive is damaged, unpacks to more than
 * `maxBytes`, or has no table.
 */
export async function readArchive(bytes: Uint8Array, options: ArchiveOptions): Promise<RawTable> {
  const { read, maxBytes } = options;
  const { names, size } = await listed(bytes);
  const isSpreadsheet = names.includes("[Content_Types].xml") || names.includes("content.xml");
  if (isSpreadsheet) refuseLarge(size, maxBytes);
  if (names.some((name) => /^xl\/workbook\.(xml|bin)$/.test(name))) return readSpreadsheet(bytes, "xlsx", options);
  if (names.includes("content.xml") && names.includes("mimetype"))
    return readSpreadsheet(await completeOds(bytes), "ods", options);
  const own = names.filter((name) => !/(^|\/)(__MACOSX\/|\.)/.test(name));
  const shapes = own.filter((name) => /\.shp$/i.test(name));
  const [shape] = shapes;
  if (shape !== undefined) {
    const stem = shape.slice(0, -4).toLowerCase();
    const files = await unpack(bytes, { maxBytes, isWanted: (name) => name.toLowerCase().startsWith(`${stem}.`) });
    const part = (ending: string) =>
      Object.entries(files).find(([name]) => name.toLowerCase() === `${stem}.${ending}`)?.[1];
    return withNote(await readShapefile(part), shapes.slice(1));
  }
  const kmls = byDepth(own.filter((name) => /\.kml$/i.test(name)));
  // GTFS: the stops have the coordinates
  const stops = own.filter((name) => /(^|\/)stops\.txt$/i.test(name));
  const tables =
    kmls.length > 0 ? kmls : stops.length > 0 ? stops : byLikelihood(own.filter((name) => TABLES.test(name)));
  if (tables.length === 0)
    throw new TableError(`the archive contains ${own.slice(0, 5).join(", ") || "no files"}: no table among them`);
  const readFile = async (name: string) => {
    const { [name]: content } = await unpack(bytes, { maxBytes, isWanted: (one) => one === name });
    return read(name, content ?? new Uint8Array());
  };
  return likeliest(tables, readFile, options);
}

/** Files of an archive that are read to find coordinates. */
const MAX_READ_FILES = 20;

/** The first table with coordinates, otherwise the first that can be read. Throws what the first file's reader throws. */
async function likeliest(
  names: readonly string[],
  readFile: (name: string) => Promise<RawTable>,
  { hasCoordinates }: ArchiveOptions,
): Promise<RawTable> {
  const others = (name: string) => names.filter((one) => one !== name);
  let first: RawTable | undefined;
  let fault: unknown;
  for (const name of names.slice(0, MAX_READ_FILES)) {
    try {
      const table = withNote(await readFile(name), others(name));
      const isPlaced = table.rows.some(({ geometry }) => geometry !== undefined) || (await hasCoordinates(table));
      if (isPlaced || names.length === 1) return table;
      first ??= table;
    } catch (error) {
      const isOnly = names.length === 1 || !(error instanceof TableError) || LIMITS.has(error.fault.code);
      if (isOnly) throw error;
      fault ??= error;
    }
  }
  if (first) return first;
  throw fault;
}

const LIMITS: ReadonlySet<string> = new Set(["rows", "bytes"]);

/** Tables before other texts, and both before files about a table. */
function byLikelihood(names: readonly string[]): readonly string[] {
  const rank = (name: string) => {
    if (ABOUT_TABLE.test(name.slice(name.lastIndexOf("/") + 1))) return 2;
    return /\.txt$/i.test(name) ? 1 : 0;
  };
  return names.toSorted((a, b) => rank(a) - rank(b));
}

/** The main file of KMZ is in no folder, and other programs expect the name `doc.kml`. */
function byDepth(names: readonly string[]): readonly string[] {
  const rank = (name: string) => 2 * name.split("/").length + (/(^|\/)doc\.kml$/i.test(name) ? 0 : 1);
  return names.toSorted((a, b) => rank(a) - rank(b));
}

function withNote(table: RawTable, others: readonly string[]): RawTable {
  return others.length === 0 ? table : { ...table, notes: [...(table.notes ?? []), `not read: ${others.join(", ")}`] };
}

/** Files and their unpacked size, as the archive states it. */
async function listed(bytes: Uint8Array): Promise<{ readonly names: readonly string[]; readonly size: number }> {
  const names: string[] = [];
  let size = 0;
  await unpack(bytes, {
    maxBytes: 0,
    isWanted(name, originalSize) {
      names.push(name);
      size += originalSize;
      return false;
    },
  });
  return { names, size };
}

function refuseLarge(size: number, maxBytes: number): void {
  if (size <= maxBytes) return;
  throw new TableError(`the archive unpacks to ${size} bytes, more than ${maxBytes}: unpack it, and split the files`, {
    code: "bytes",
    bytes: size,
  });
}

interface UnpackOptions {
  readonly maxBytes: number;
  readonly isWanted: (name: string, originalSize: number) => boolean;
}

async function unpack(bytes: Uint8Array, { maxBytes, isWanted }: UnpackOptions): Promise<Files> {
  const { unzipSync } = await import("fflate");
  let total = 0;
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (!isWanted(name, originalSize)) return false;
        total += originalSize;
        refuseLarge(total, maxBytes);
        return true;
      },
    });
  } catch (error) {
    if (error instanceof TableError) throw error;
    throw new TableError(`the archive is damaged: ${messageOf(error)}`);
  }
}

/** Cells of numbers without the text that is shown, as GDAL writes them, are empty for the reader of spreadsheets. */
async function completeOds(bytes: Uint8Array): Promise<Uint8Array> {
  const { strFromU8, strToU8, zipSync } = await import("fflate");
  const { "content.xml": content, ...others } = await unpack(bytes, {
    maxBytes: Number.POSITIVE_INFINITY,
    isWanted: (name) => !/^(Pictures|Thumbnails)\//.test(name),
  });
  const text = strFromU8(content ?? new Uint8Array());
  const cell = /<table:table-cell ([^<>]*office:value="([^"<>]*)"[^<>]*)\/>/g;
  if (!cell.test(text)) return bytes;
  const complete = text.replace(cell, "<table:table-cell $1><text:p>$2</text:p></table:table-cell>");
  return zipSync({ ...others, "content.xml": strToU8(complete) }, { level: 0 });
}
