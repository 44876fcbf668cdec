/** Zip archives: spreadsheets, KMZ, zipped Shapefiles, and single files of other formats. @module */
import type { RawTable } from "./raw-table.ts";
import { readShapefile } from "./read-shapefile.ts";
import { readSpreadsheet } from "./read-spreadsheet.ts";
import { TableError } from "./table.ts";

/** Bytes of all files that are unpacked at most. */
const MAX_UNPACKED_BYTES = 2 ** 30;
const TABLES =
  /\.(csv|tsv|txt|tab|json|geojson|geojsonl|geojsons|geojsonseq|ndjson|topojson|kml|gpx|parquet|geoparquet|fgb|xlsx|xls|ods)$/i;

type Files = Readonly<Record<string, Uint8Array>>;

/** Reads the table of an archive; `read` reads a file of another format. Throws `TableError`. */
export async function readArchive(
  bytes: Uint8Array,
  read: (name: string, bytes: Uint8Array) => Promise<RawTable>,
): Promise<RawTable> {
  const names = await namesIn(bytes);
  if (names.some((name) => /^xl\/workbook\.(xml|bin)$/.test(name))) return readSpreadsheet(bytes, "xlsx");
  if (names.includes("content.xml") && names.includes("mimetype"))
    return readSpreadsheet(await completeOds(bytes), "ods");
  const own = names.filter((name) => !/(^|\/)(__MACOSX\/|\.)/.test(name));
  const shapes = own.filter((name) => /\.shp$/i.test(name));
  const [shape] = shapes;
  if (shape !== undefined) {
    const stem = shape.slice(0, -4).toLowerCase();
    const files = await unpack(bytes, (name) => name.toLowerCase().startsWith(`${stem}.`));
    const part = (ending: string) =>
      Object.entries(files).find(([name]) => name.toLowerCase() === `${stem}.${ending}`)?.[1];
    return withNote(await readShapefile(part), shapes.slice(1));
  }
  const kmls = own.filter((name) => /\.kml$/i.test(name));
  // GTFS: the stops have the coordinates
  const tables =
    kmls.length > 0 ? kmls : own.includes("stops.txt") ? ["stops.txt"] : own.filter((name) => TABLES.test(name));
  const [table] = tables;
  const content = table === undefined ? undefined : (await unpack(bytes, (name) => name === table))[table];
  if (table === undefined || !content)
    throw new TableError(`the archive contains ${own.slice(0, 5).join(", ") || "no files"}: no table among them`);
  return withNote(await read(table, content), tables.slice(1));
}

function withNote(table: RawTable, others: readonly string[]): RawTable {
  return others.length === 0 ? table : { ...table, notes: [...(table.notes ?? []), `not read: ${others.join(", ")}`] };
}

async function namesIn(bytes: Uint8Array): Promise<string[]> {
  const names: string[] = [];
  await unpack(bytes, (name) => {
    names.push(name);
    return false;
  });
  return names;
}

async function unpack(bytes: Uint8Array, isWanted: (name: string) => boolean): Promise<Files> {
  const { unzipSync } = await import("fflate");
  let total = 0;
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (!isWanted(name)) return false;
        total += originalSize;
        if (total > MAX_UNPACKED_BYTES)
          throw new TableError(
            `the archive unpacks to more than ${MAX_UNPACKED_BYTES} bytes: unpack it, and split the files`,
          );
        return true;
      },
    });
  } catch (error) {
    if (error instanceof TableError) throw error;
    throw new TableError(`the archive is damaged: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Cells of numbers without the text that is shown, as GDAL writes them, are empty for the reader of spreadsheets. */
async function completeOds(bytes: Uint8Array): Promise<Uint8Array> {
  const { strFromU8, strToU8, zipSync } = await import("fflate");
  const { "content.xml": content, ...others } = await unpack(bytes, (name) => !/^(Pictures|Thumbnails)\//.test(name));
  const text = strFromU8(content ?? new Uint8Array());
  const cell = /<table:table-cell ([^<>]*office:value="([^"<>]*)"[^<>]*)\/>/g;
  if (!cell.test(text)) return bytes;
  const complete = text.replace(cell, "<table:table-cell $1><text:p>$2</text:p></table:table-cell>");
  return zipSync({ ...others, "content.xml": strToU8(complete) }, { level: 0 });
}
