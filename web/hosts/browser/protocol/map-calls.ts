/**
 * Calls from `<cairn-map>` to its worker. The worker is a single script and loads no others: the element sends its
 * larger parts.
 * @module
 */

import type { Language } from "../../../../data/format/languages.ts";
import type { Attribution } from "../../../../data/format/manifest.ts";
import type { OwnFilter } from "../../../../data/format/own-filters.ts";
import type { OwnColumn } from "../../../../data/format/own-schema.ts";
import type { FacetCount, Feature, Suggestion, SuggestQuery } from "../../../engine/index.ts";
import type { TileAddress } from "./protocol.ts";
import type { SearchArgument, SearchCalls } from "./search-calls.ts";

/**
 * `reader`: the Parquet reader, a compressed WebAssembly module as base64. `world`: the base map of low zooms, as
 * JSON. The others: names of categories, and what people want to do there, in a language, as JSON.
 */
export type MapPart = "reader" | "world" | WordsPart;
type WordsPart = `${"words" | "intents"}-${Language}`;

export interface MapCalls extends Pick<SearchCalls, "collectionTile" | "find" | "matchAt" | "matches"> {
  /** Opens the dataset in this folder. One of the keys must have signed it. Call it first, and again after a failure. */
  open: { argument: { readonly folder: string; readonly key: string | undefined }; value: MapDataset };
  /** `tiles` are the collections drawn below the records. One that the dataset cannot have is refused. */
  search: { argument: SearchArgument & { readonly tiles: readonly string[] }; value: MapAnswer };
  /** Counts the records by a subtype of divisions, or by geohash cells of 1 to 6 characters. The features are areas with `name` and `count`. */
  counts: { argument: SearchArgument & { readonly by: string }; value: MapAnswer };
  /** Columns and filters of a collection with its own schema; both are empty for other paths. */
  columns: { argument: string; value: MapColumns };
  /** How often each value of the columns with few values occurs, as `<column>=<value>`. */
  values: { argument: SearchArgument; value: readonly FacetCount[] };
  /** The best meaning of a text that uses all its words; undefined without one. */
  meant: { argument: Pick<SuggestQuery, "text" | "near" | "country" | "language">; value: Meant | undefined };
  tile: { argument: TileAddress; value: ArrayBuffer };
  /** Delivers a requested part. Without content it could not be loaded. */
  part: { argument: { readonly name: MapPart; readonly content: string | undefined }; value: undefined };
}

export type Meant = MeantSuggestion | MeantPosition;

interface MeantSuggestion extends Suggestion {
  /** Of a circle around the middle of its extent. */
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
  /** Without streets the base map is the world's outline. */
  readonly hasStreets: boolean;
}

interface MapColumns {
  readonly columns: readonly OwnColumn[];
  readonly filters: readonly OwnFilter[];
}

export type MapAnswer =
  | { readonly kind: "found"; readonly total: number; readonly body: readonly Feature[] }
  | { readonly kind: "refused"; readonly faults: readonly string[] };

/** The worker needs a part. */
export interface MapStatus {
  readonly part: MapPart;
}
