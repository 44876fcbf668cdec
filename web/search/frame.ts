import type { Feature, PropertyChoice, SearchResult } from "../engine/index.ts";

/** Text or bytes, valid until the next piece. */
export type Piece = string | Uint8Array;

/** The text around and between records. */
export interface Frame {
  readonly contentType: string;
  /** File extension for a download; undefined where the body is displayed. */
  readonly extension?: string;
  readonly open: Piece;
  readonly separator: string;
  /** A function if it depends on the records before it. */
  readonly close: Piece | (() => Piece);
}

export type Records = Pick<SearchResult, "length" | "features" | "json">;

/** Writes features of a path into one body. A frame that depends on its records cannot be reused. */
export interface Writer extends Frame {
  /** Yields a piece per record of the page; empty where several are written together. */
  page(result: Records): Iterable<Piece>;
  alone(feature: Feature): Iterable<Piece>;
}

/** Returns features that are in memory as records to write. */
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

/** Returns the end of the body. Call it once, after all records. */
export function ending({ close }: Pick<Frame, "close">): Piece {
  return typeof close === "function" ? close() : close;
}

/** Returns the writer methods for a format that writes each record separately from `properties` (default: all). */
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
