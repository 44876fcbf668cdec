import type { Feature, SearchResult } from "../engine/index.ts";

/** Text, or the UTF-8 of it: such bytes hold until the next piece is asked for. */
export type Piece = string | Uint8Array;

/** What stands around and between records. */
export interface Frame {
  readonly contentType: string;
  /** File name ending for a download; undefined where the body is shown, not saved. */
  readonly extension?: string;
  readonly open: string;
  readonly separator: string;
  readonly close: string;
}

/** Writes features of a path. */
export interface Writer extends Frame {
  /** The page's records, a piece or so each. */
  page(result: SearchResult): Iterable<Piece>;
  /** One record, not in a list. */
  alone(feature: Feature): string;
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
  for (const record of records) {
    if (before !== "") yield before;
    yield record;
    before = separator;
  }
  if (before === open) yield open;
  yield close;
}
