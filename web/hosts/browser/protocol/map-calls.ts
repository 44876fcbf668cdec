/**
 * Calls from `<cairn-map>` to its worker. The worker is a single script that loads nothing: it asks the element for its larger
 * parts. @module
 */

import type { Language } from "../../../../data/format/languages.ts";
import type { Attribution } from "../../../../data/format/manifest.ts";
import type { OwnFilter } from "../../../../data/format/own-filters.ts";
import type { OwnColumn } from "../../../../data/format/own-schema.ts";
import type { FacetCount, Feature, Suggestion, SuggestQuery } from "../../../engine/index.ts";
import type { TileAddress } from "./protocol.ts";
import type { SearchArgument, SearchCalls } from "./search-calls.ts";

/**
 * A part that the element sends. `reader`: the Parquet reader, a compressed WebAssembly module as base64. `world`: the base map
 * of low zooms as JSON. `words-…` and `intents-…`: names of categories, and what people want to do there, in a language, as JSON.
 */
export type MapPart = "reader" | "world" | WordsPart;
type WordsPart = `${"words" | "intents"}-${Language}`;

export interface MapCalls extends Pick<SearchCalls, "collectionTile" | "find" | "matchAt" | "matches"> {
  /**
   * Opens the dataset in this folder. If `key` is given, one of its keys must have signed it. Call it first, and again after a
   * failure.
   */
  open: { argument: { readonly folder: string; readonly key: string | undefined }; value: MapDataset };
  /** Runs a search. `tiles` are collections to be drawn below the records. A collection that no dataset can have is refused. */
  search: { argument: SearchArgument & { readonly tiles: readonly string[] }; value: MapAnswer };
  /**
   * Counts the records by divisions of the subtype `by`, or by geohash cells of `by` characters (1 to 6). The features are areas
   * with `name` and `count`.
   */
  counts: { argument: SearchArgument & { readonly by: string }; value: MapAnswer };
  /** Returns the columns and filters of a collection with its own schema; both are empty for other paths. */
  columns: { argument: string; value: MapColumns };
  /** Returns how often each value of the columns with few values occurs. A value is written `<column>=<value>`. */
  values: { argument: SearchArgument; value: readonly FacetCount[] };
  /** Returns the best meaning of a text that uses all its words; undefined without one. */
  meant: { argument: Pick<SuggestQuery, "text" | "near" | "country" | "language">; value: Meant | undefined };
  tile: { argument: TileAddress; value: ArrayBuffer };
  /** Delivers a part that the worker asked for. Without `content` it could not be loaded. */
  part: { argument: { readonly name: MapPart; readonly content: string | undefined }; value: undefined };
}

export type Meant = MeantSuggestion | MeantPosition;

interface MeantSuggestion extends Suggestion {
  /** Radius of a circle that covers its extent, from the middle of the extent. */
  readonly radiusMeters: number;
}

/** A position that the text states. */
interface MeantPosition {
  readonly kind: "position";
  readonly lat: number;
  readonly lon: number;
}

interface MapDataset {
  readonly attribution: readonly Attribution[];
  /** Whether the dataset has streets. Without them the base map is the world's outline. */
  readonly hasStreets: boolean;
}

interface MapColumns {
  readonly columns: readonly OwnColumn[];
  readonly filters: readonly OwnFilter[];
}

export type MapAnswer =
  | { readonly kind: "found"; readonly total: number; readonly body: readonly Feature[] }
  | { readonly kind: "refused"; readonly faults: readonly string[] };

/** The worker asks the element for a part. */
export interface MapStatus {
  readonly part: MapPart;
}
