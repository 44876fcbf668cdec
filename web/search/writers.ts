/**
 * How records become a body: one writer for each format, whatever the door and however many pages.
 * @module
 */
import type { Feature } from "../engine/index.ts";
import { csvWriter } from "./csv.ts";
import { GEOJSON_FRAME, JSON_FRAME, type Writer } from "./frame.ts";
import { collectionsOf, type SearchPath } from "./paths.ts";
import type { Shown } from "./search.ts";

/** The writer of a path's records. */
export function writerOf(
  path: SearchPath,
  shown: Shown,
  { isForSpreadsheets = false }: { readonly isForSpreadsheets?: boolean } = {},
): Writer {
  const { format, properties, hasGeometry } = shown;
  if (format === "csv")
    return csvWriter({ collections: collectionsOf(path), includes: properties, hasGeometry, isForSpreadsheets });
  return {
    ...(format === "geojson" ? GEOJSON_FRAME : JSON_FRAME),
    page: (result) => result.json({ properties, hasGeometry }),
    alone: (feature) => `${JSON.stringify(shownFeature(feature, shown))}\n`,
  };
}

/** The feature as it is to be shown. */
export function shownFeature(feature: Feature, { properties, hasGeometry }: Shown): unknown {
  const isKept = ([name]: [string, unknown]) => name === "id" || (properties?.has(name) ?? true);
  return {
    ...feature,
    geometry: hasGeometry ? feature.geometry : null,
    properties: Object.fromEntries(Object.entries(feature.properties).filter(isKept)),
  };
}
