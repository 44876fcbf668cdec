/**
 * Writes records into a body: one writer per format, for all interfaces and any number of pages.
 * @module
 */
import { type Collection, POINT_COLLECTIONS } from "../../data/format/collections.ts";
import { collectionIn, type HasCollections } from "../../data/format/own-collections.ts";
import type { Feature } from "../engine/index.ts";
import type { Credit } from "./credit.ts";
import { csvWriter } from "./csv.ts";
import { DISTANCE, type FlatColumn, flatColumns, WKT, withOthers } from "./flat-columns.ts";
import { FORMATS } from "./formats.ts";
import { GEOJSON_FRAME, JSON_FRAME, type Writer } from "./frame.ts";
import { collectionsOf, type SearchPath } from "./paths.ts";
import type { Shown } from "./search.ts";

interface WriterOptions {
  /** Names of properties that only records from the user's own files have. */
  readonly others?: readonly string[] | undefined;
  /** Returns the header of a column of CSV, for people. */
  readonly headerOf?: ((name: string) => string) | undefined;
}

/**
 * Returns a writer of one body with a path's records, in the format of `shown`. Use it for one body only. Loads rarely used
 * formats when they are asked for.
 */
export async function writerOf(
  path: SearchPath,
  shown: Shown,
  credit: Credit & HasCollections,
  { others, headerOf }: WriterOptions = {},
): Promise<Writer> {
  const { format, properties: includes, hasGeometry } = shown;
  const schemas = collectionsOf(path).map((name) => collectionIn(credit, name));
  const title = path.path.slice(1);
  switch (format) {
    case "json":
      return jsonWriter(shown);
    case "geojson":
      return { ...jsonWriter(shown), ...GEOJSON_FRAME };
    case "geojsonl":
      return linesWriter(shown);
    case "csv":
    case "spreadsheet":
      return csvWriter({
        schemas,
        includes,
        hasGeometry,
        others,
        headerOf,
        isForSpreadsheets: format === "spreadsheet",
      });
    case "gpx":
      return (await import("./gpx.ts")).gpxWriter(title, credit, { includes });
    case "kml": {
      const { kmlWriter } = await import("./kml.ts");
      return kmlWriter({ title, credit, columns: withOthers(tableOf(schemas, includes), others), hasGeometry });
    }
    case "flatgeobuf": {
      const { flatgeobufWriter } = await import("./flatgeobuf.ts");
      const isOfPoints = others === undefined && schemas.every(({ name }) => POINT_COLLECTIONS.has(name));
      return flatgeobufWriter({ title, credit, columns: withOthers(tableOf(schemas, includes), others), isOfPoints });
    }
    case "geoparquet":
      return (await import("./geoparquet.ts")).geoparquetWriter({ schemas, credit, includes, others });
  }
}

/** Returns the columns of formats that have the geometry outside their columns. */
function tableOf(schemas: readonly Collection[], includes: ReadonlySet<string> | undefined): readonly FlatColumn[] {
  return [DISTANCE, ...flatColumns(schemas)].filter(
    (column) => column !== WKT && (column.property === undefined || (includes?.has(column.property) ?? true)),
  );
}

function jsonWriter(shown: Shown): Writer {
  const { properties, hasGeometry } = shown;
  return {
    ...JSON_FRAME,
    page: (result) => result.json({ properties, hasGeometry }),
    alone: (feature) => [`${JSON.stringify(shownFeature(feature, shown))}\n`],
  };
}

/** A feature per line, each with a line end. */
function linesWriter(shown: Shown): Writer {
  const { contentType, extension } = FORMATS.geojsonl;
  const { page, alone } = jsonWriter(shown);
  let isEmpty = true;
  return {
    contentType,
    extension,
    open: "",
    separator: "\n",
    close: () => (isEmpty ? "" : "\n"),
    *page(result) {
      isEmpty &&= result.length === 0;
      yield* page(result);
    },
    alone,
  };
}

/** Returns the feature with the chosen properties and `id`. Its geometry is null unless `hasGeometry`. */
export function shownFeature(feature: Feature, { properties, hasGeometry }: Shown): unknown {
  const isKept = ([name]: [string, unknown]) => name === "id" || (properties?.has(name) ?? true);
  return {
    ...feature,
    geometry: hasGeometry ? feature.geometry : null,
    properties: Object.fromEntries(Object.entries(feature.properties).filter(isKept)),
  };
}
