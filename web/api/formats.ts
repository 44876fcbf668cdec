/**
 * Bodies: how a page of features is written in each format.
 * @module
 */
import type { Piece } from "./stream.ts";

export interface Format<T = unknown> {
  readonly contentType: string;
  /** File name ending for a download; undefined where the body is shown, not saved. */
  readonly extension?: string;
  /** The body, in pieces of about one record each. */
  write(records: Iterable<T>): Iterable<Piece>;
}

/** Bytes are JSON already. */
const jsonOf = (record: unknown): Piece => (record instanceof Uint8Array ? record : JSON.stringify(record));

function* writeList(open: string, records: Iterable<unknown>, close: string): Generator<Piece> {
  let separator = open;
  for (const record of records) {
    yield separator;
    yield jsonOf(record);
    separator = ",\n";
  }
  yield separator === open ? open + close : close;
}

/** A JSON array of records. */
export const JSON_FORMAT: Format = {
  contentType: "application/json; charset=utf-8",
  write: (records) => writeList("[", records, "]\n"),
};

/** A GeoJSON FeatureCollection (RFC 7946). */
export const GEOJSON_FORMAT: Format = {
  contentType: "application/geo+json; charset=utf-8",
  extension: "geojson",
  write: (features) => writeList('{"type":"FeatureCollection","features":[', features, "]}\n"),
};

function* writeEach(records: Iterable<unknown>): Generator<Piece> {
  for (const record of records) {
    yield jsonOf(record);
    yield "\n";
  }
}

/** One record by itself, not in a list. */
export const SINGLE_FORMATS = {
  json: { contentType: JSON_FORMAT.contentType, write: writeEach },
  geojson: { contentType: GEOJSON_FORMAT.contentType, extension: "geojson", write: writeEach },
};
