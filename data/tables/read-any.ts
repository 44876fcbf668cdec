/**
 * Reads files of any supported format. Their content decides about the format.
 * @module
 */
import type { Geometry } from "../format/geometry.ts";
import { decodeText } from "./decode-text.ts";
import { readDelimited } from "./delimited.ts";
import { finishTable, hasCoordinates } from "./finish-table.ts";
import type { RawTable } from "./raw-table.ts";
import { readJson } from "./read-json.ts";
import { type ReadOptions, type Table, TableError } from "./table.ts";

const MAX_UNPACKED_BYTES = 2 ** 30;
/** Maximum lines per allowed row of a text table: values in quotation marks may contain line ends. */
const LINES_PER_ROW = 10;

/** Does the work of `readTable`, which loads this module. `name` is the name of the file. Throws `TableError`. */
export async function readAny(name: string, bytes: Uint8Array, options: ReadOptions): Promise<Table<Geometry | null>> {
  const { maxRows = Number.POSITIVE_INFINITY, maxBytes = MAX_UNPACKED_BYTES } = options;
  const limits = { maxRows, maxBytes, hasCoordinates: (table: RawTable) => hasCoordinates(table, options) };
  return finishTable(await readRaw(name, bytes, limits), options);
}

interface Limits {
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly hasCoordinates: (table: RawTable) => Promise<boolean>;
}

async function readRaw(name: string, bytes: Uint8Array, limits: Limits): Promise<RawTable> {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 8));
  if (start.startsWith("PAR1")) return (await import("./read-parquet.ts")).readParquet(bytes, limits);
  if (start.startsWith("PK\u0003\u0004"))
    return (await import("./read-archive.ts")).readArchive(bytes, {
      read: (file, content) => readRaw(file, content, limits),
      maxBytes: limits.maxBytes,
      hasCoordinates: limits.hasCoordinates,
    });
  if (start.startsWith("fgb\u0003")) return (await import("./read-flatgeobuf.ts")).readFlatGeobuf(bytes);
  if (start.startsWith("\u00d0\u00cf\u0011\u00e0"))
    return (await import("./read-spreadsheet.ts")).readSpreadsheet(bytes, "xls", limits);
  if (start.startsWith("\u001f\u008b")) return readRaw(name.replace(/\.gz$/i, ""), await gunzip(bytes, limits), limits);
  if (/^BZh[1-9]1AY/.test(start))
    throw new TableError(`${name} is compressed with bzip2: unpack it with bunzip2, or compress it with gzip`);
  const osm = await osmOf(bytes);
  if (osm) return (await import("./osm/read-osm.ts")).readOsm(osm, limits);
  if (start.startsWith("SQLite f")) return (await import("./read-geopackage.ts")).readGeoPackage(bytes, limits);
  if (start.startsWith("\0\0'\n"))
    throw new TableError(
      `${name} is a part of a Shapefile: put its files (.shp, .dbf, .prj, .cpg) into one zip archive`,
    );
  const decoded = decodeText(bytes);
  if (isJson(decoded.text)) return readJson(decoded);
  if (/<(?:\w+:)?Workbook\s[^>]*urn:schemas-microsoft-com:office:spreadsheet/.test(decoded.text.slice(0, 2000)))
    return (await import("./read-spreadsheet.ts")).readSpreadsheet(bytes, "xls", limits);
  if (/^[\ufeff\s]*<(\?xml|!--|(?:[\w-]+:)?(?:gpx|kml|osmChange))/i.test(decoded.text.slice(0, 200)))
    return (await import("./read-xml.ts")).readXml(decoded);
  if (bytes.length === 0) throw new TableError(`${name} is empty`);
  if (/^[\ufeff\s]*<(!doctype html|html)\b/i.test(decoded.text.slice(0, 200)))
    throw new TableError(
      `${name} is a web page: a login or an error page was saved instead of the table, or the table is to be exported as CSV`,
    );
  if (start.startsWith("%PDF-")) throw new TableError(`${name} is a PDF: export the table as CSV or XLSX`);
  if (isBinary(decoded.text) || !isTable(name, decoded.text)) {
    throw new TableError(
      `${name} is of no supported format: delimited text, XLSX, XLS, ODS, JSON, GeoJSON, TopoJSON, Esri JSON, GPX, KML, KMZ, OpenStreetMap PBF, XML and JSON, GeoParquet, Parquet, FlatGeobuf, GeoPackage and zipped Shapefiles are read`,
      { code: "format" },
    );
  }
  const lines = lineCount(decoded.text);
  if (lines > limits.maxRows * LINES_PER_ROW)
    throw new TableError(`the file has ${lines} lines: split it into tables of ${limits.maxRows} rows`, {
      code: "rows",
      rows: lines,
    });
  return readDelimited(decoded);
}

/** The readers of OpenStreetMap are loaded for files that may be of it. */
async function osmOf(bytes: Uint8Array) {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 4096));
  if (!/OSMHeader|<osm[\s>]|"(osm3s|elements)"\s*:/i.test(start)) return undefined;
  const { bytesInMemory, openOsm } = await import("./osm/open-osm.ts");
  return openOsm(bytesInMemory(bytes));
}

function lineCount(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

async function gunzip(bytes: Uint8Array, { maxBytes }: Limits): Promise<Uint8Array> {
  const { Gunzip } = await import("fflate");
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stream = new Gunzip((chunk) => {
    size += chunk.length;
    if (size > maxBytes)
      throw new TableError(`the file unpacks to more than ${maxBytes} bytes: split it`, { code: "bytes", bytes: size });
    chunks.push(chunk);
  });
  stream.push(bytes, true);
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

/** Text with a delimiter in its first line, or with an ending of tables. */
function isTable(name: string, text: string): boolean {
  return /\.(csv|tsv|tab|txt|psv|dsv|asc)$/i.test(name) || /[,;\t|]/.test(/^[^\r\n]*/.exec(text)?.[0] ?? "");
}

const JSON_START =
  /^\s*(?:\)\]\}',?\s*)?(?:(?:(?:var|let|const)\s+)?[\w$.]+\s*=\s*|export\s+default\s+|[\w$.]+\(\s*)?[{[]/;

function isJson(text: string): boolean {
  return JSON_START.test(text.slice(0, 500).replace("\u001e", ""));
}

/** Control characters that no text has, or many bytes that no encoding explains. */
function isBinary(text: string): boolean {
  // aborted writes leave zeros at the end
  const start = text.slice(0, 2000).replace(/\0+$/, "");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const controls = start.match(/[\u0000-\u0008\u000e-\u001a]/g) ?? [];
  const unknown = start.match(/\ufffd/g) ?? [];
  return controls.length > 1 + start.length / 50 || unknown.length > start.length / 10;
}
