/**
 * Calls from `<cairn-map>` to its worker. The worker is a single script and loads no others: the element sends its
 * larger parts.
 * @module
 */
import type { Attribution } from "../../../../data/format/manifest.ts";
import type { Feature } from "../../../engine/index.ts";
import type { TileAddress } from "./protocol.ts";
import type { SearchArgument, SearchCalls } from "./search-calls.ts";

/**
 * `reader`: the Parquet reader, a compressed WebAssembly module as base64. `world`: the base map of low zooms, as
 * JSON.
 */
export type MapPart = "reader" | "world";

export interface MapCalls extends Pick<SearchCalls, "collectionTile"> {
  /** Opens the dataset in this folder. Call it first, and again after a failure. */
  open: { argument: string; value: { readonly attribution: readonly Attribution[] } };
  /** `tiles` are the collections drawn below the records. One that the dataset cannot have is refused. */
  search: { argument: SearchArgument & { readonly tiles: readonly string[] }; value: MapAnswer };
  tile: { argument: TileAddress; value: ArrayBuffer };
  /** Delivers a requested part. Without content it could not be loaded. */
  part: { argument: { readonly name: MapPart; readonly content: string | undefined }; value: undefined };
}

export type MapAnswer =
  | { readonly kind: "found"; readonly total: number; readonly body: readonly Feature[] }
  | { readonly kind: "refused"; readonly faults: readonly string[] };

/** The worker needs a part. */
export interface MapNews {
  readonly part: MapPart;
}
