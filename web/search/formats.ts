/**
 * The output formats, each defined once for the parameter, the OpenAPI document, exports and the command line. The
 * first three belong to the REST interface.
 * @module
 */

export interface Format {
  readonly contentType: string;
  /** File extension without the dot. */
  readonly extension: string;
  /** Whether the format is useless without geometry, so that `include_geometry=false` is refused. */
  readonly needsGeometry?: boolean;
  /** Whether files of the format contain the sources of the dataset and their licences. */
  readonly hasCredit?: boolean;
}

export const FORMATS = {
  json: { contentType: "application/json; charset=utf-8", extension: "json" },
  csv: { contentType: "text/csv; charset=utf-8", extension: "csv" },
  geojson: { contentType: "application/geo+json; charset=utf-8", extension: "geojson" },
  geojsonl: { contentType: "application/x-ndjson; charset=utf-8", extension: "geojsonl" },
  spreadsheet: { contentType: "text/csv; charset=utf-8", extension: "csv" },
  gpx: { contentType: "application/gpx+xml; charset=utf-8", extension: "gpx", needsGeometry: true, hasCredit: true },
  kml: { contentType: "application/vnd.google-earth.kml+xml; charset=utf-8", extension: "kml", hasCredit: true },
  flatgeobuf: { contentType: "application/flatgeobuf", extension: "fgb", needsGeometry: true, hasCredit: true },
  geoparquet: {
    contentType: "application/vnd.apache.parquet",
    extension: "parquet",
    needsGeometry: true,
    hasCredit: true,
  },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as [FormatName, ...FormatName[]];

export const formatNamed = (name: FormatName): Format => FORMATS[name];
