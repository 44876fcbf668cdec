import type { Feature, PropertyChoice, SearchResult } from "../engine/index.ts";

/** Text, or bytes, which hold until the next piece is asked for. */
export type Piece = string | Uint8Array;

/** What stands around and between records. */
export interface Frame {
  readonly contentType: string;
  /** File name ending for a download; undefined where the body is shown, not saved. */
  readonly extension?: string;
  readonly open: Piece;
  readonly separator: string;
  /** A function where it tells of the records before it. */
  readonly close: Piece | (() => Piece);
}

/** Records that are written together. */
export type Records = Pick<SearchResult, "length" | "features" | "json">;

/** Writes features of a path into one body: where the frame tells of its records, it cannot be used for a second. */
export interface Writer extends Frame {
  /** The page's records, a piece for each, which is empty where some are written together. */
  page(result: Records): Iterable<Piece>;
  /** The body of one record. */
  alone(feature: Feature): Iterable<Piece>;
}

/** A JSON array. */
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

/** The body of records: the frame, and between its ends what is written. */
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

/** What stands behind all records. Asked for once, when they are written. */
export function ending({ close }: Pick<Frame, "close">): Piece {
  return typeof close === "function" ? close() : close;
}

/** A writer's methods for a format that writes each record alone, from `properties`, all when left out. */
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
