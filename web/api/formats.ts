/**
 * Bodies: how a page of features is written in each format.
 * @module
 */
import type { Feature } from "../engine/query.ts";

export interface Format {
  readonly contentType: string;
  /** File name ending for a download; undefined where the body is shown, not saved. */
  readonly extension?: string;
  /** The body, in pieces of about one record each. */
  write(features: Iterable<Feature>): Iterable<string>;
}

function* writeList(open: string, features: Iterable<Feature>, close: string): Generator<string> {
  let separator = open;
  for (const feature of features) {
    yield separator + JSON.stringify(feature);
    separator = ",\n";
  }
  yield separator === open ? open + close : close;
}

/** A JSON array of records. */
export const JSON_FORMAT: Format = {
  contentType: "application/json; charset=utf-8",
  write: (features) => writeList("[", features, "]\n"),
};

/** A GeoJSON FeatureCollection (RFC 7946). */
export const GEOJSON_FORMAT: Format = {
  contentType: "application/geo+json; charset=utf-8",
  extension: "geojson",
  write: (features) => writeList('{"type":"FeatureCollection","features":[', features, "]}\n"),
};
