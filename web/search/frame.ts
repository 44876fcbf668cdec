import type { Feature, PropertyChoice, SearchResult } from "../engine/index.ts";

/** A part of a body, as text or bytes. Bytes are valid until the next piece. */
export type Piece = string | Uint8Array;

/** The text before, between and after the records of a body. */
export interface Frame {
  readonly contentType: string;
  /** File extension of a download; undefined where browsers display the body. */
  readonly extension?: string;
  readonly open: Piece;
  readonly separator: string;
  /** Text after the last record. A function if it depends on the records. */
  readonly close: Piece | (() => Piece);
}

export type Records = Pick<SearchResult, "length" | "features" | "json">;

/** Writes features of a path into one body. A writer whose `close` is a function can be used once only. */
export interface Writer extends Frame {
  /** Yields a piece for each record of the page. A piece is empty if several records are written together later. */
  page(result: Records): Iterable<Piece>;
  /** Yields the pieces of a body with this feature only. */
  alone(feature: Feature): Iterable<Piece>;
}

/** Returns features in memory in the form of a search result, to write them. */
export function recordsIn(features: readonly Feature[]): Records {
  const encoder = new TextEncoder();
  return {
    length: features.length,
    features: () => features.values(),
    *json() {
      for (const feature of features) yield encoder.encode(JSON.stringify(feature));
    },
  };
}

export const JSON_FRAME: Frame = {
  contentType: "application/json; charset=utf-8",
  open: "[",
  separator: ",\n",
  close: "]\n",
};

/** A GeoJSON FeatureCollection (RFC 7946). */
export const GEOJSON_FRAME: Frame = {
  contentType: "application/geo+json; charset=utf-8",
  extension: "geojson",
  open: '{"type":"FeatureCollection","features":[',
  separator: ",\n",
  close: "]}\n",
};

/** Yields the pieces of a whole body: the start of the frame, the records with separators, and the end. */
export function* bodyOf({ open, separator, close }: Frame, records: Iterable<Piece>): Generator<Piece> {
  let before = open;
  let isEmpty = true;
  for (const record of records) {
    if (before.length > 0) yield before;
    yield record;
    before = separator;
    isEmpty = false;
  }
  if (isEmpty) yield open;
  yield ending({ close });
}

/** Returns the end of the body. Call it once only, after all records. */
export function ending({ close }: Pick<Frame, "close">): Piece {
  return typeof close === "function" ? close() : close;
}

/**
 * Returns the methods of a writer that writes each record separately. `properties` are those that `write` reads; default: all.
 */
export function recordsAs(
  write: (feature: Feature) => Piece,
  { frame, properties }: { readonly frame: Frame; readonly properties?: PropertyChoice },
): Pick<Writer, "page" | "alone"> {
  return {
    *page(result) {
      for (const feature of result.features(properties)) yield write(feature);
    },
    *alone(feature) {
      yield* bodyOf(frame, [write(feature)]);
    },
  };
}
