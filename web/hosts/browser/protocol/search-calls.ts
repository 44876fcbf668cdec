import type { Area } from "../../../../data/format/area.ts";
import type { CollectionName } from "../../../../data/format/collections.ts";
import type { Facet as TermFacet } from "../../../../data/format/terms.ts";
import type { FoundChanges } from "../../../changes/index.ts";
import type {
  FacetCount,
  Feature,
  FileUse,
  Group,
  Order,
  SearchReport,
  Suggestion,
  SuggestQuery,
} from "../../../engine/index.ts";
import type { Reversed } from "../../../geocode/index.ts";
import type { Parameters } from "../../../search/index.ts";

export type { FoundChanges, Reversed };

/** What changed in a circle since a release that is kept. */
export type ChangesAnswer =
  | { readonly kind: "compared"; readonly found: FoundChanges }
  | { readonly kind: "refused"; readonly faults: readonly string[] };

export type Origin = "cache" | "network";

/** A search of a path, by the parameters of the REST interface. */
export interface SearchArgument {
  readonly path: string;
  readonly parameters: Parameters;
  readonly area?: Area | undefined;
  /** Of the page alone: the REST interface has no such parameter. */
  readonly order?: Order | undefined;
}

export interface AnswerReport extends Omit<SearchReport, "files"> {
  readonly files: readonly (Omit<FileUse, "from"> & { readonly from: "memory" | Origin })[];
}

export type SearchAnswer =
  /** `body` holds the page's records. It travels in slices. */
  | { readonly kind: "found"; readonly total: number; readonly body: readonly Feature[]; readonly report: AnswerReport }
  | { readonly kind: "refused"; readonly faults: readonly string[] };

export interface Suggested {
  /** Best first. */
  readonly found: readonly Suggestion[];
  /** Whether files could not be had, so that there may be more. */
  readonly isPartial: boolean;
}

/** A town, and rows of the dataset around it. */
export interface Town {
  readonly name: string;
  readonly rows: number;
  readonly lon: number;
  readonly lat: number;
}

export interface SearchCalls {
  search: { argument: SearchArgument; value: SearchAnswer };
  /** Reads what the answer to a search needs, for whoever may ask next. */
  prepare: { argument: SearchArgument; value: undefined };
  /** Places counted by what they have in common, by a path such as `/places/categories`. */
  count: { argument: SearchArgument; value: readonly Group[] };
  /** What a filter of each value of the facet alone finds among the rows of the search, most first. */
  facet: { argument: { readonly search: SearchArgument; readonly facet: TermFacet }; value: readonly FacetCount[] };
  /** The record with the id; `near` is where it is, if that is known. */
  find: {
    argument: {
      readonly path: string;
      readonly id: string;
      readonly near?: { readonly lon: number; readonly lat: number } | undefined;
    };
    value: Feature | undefined;
  };
  /** What is at a point, degrees WGS84. */
  reverse: {
    argument: { readonly lat: number; readonly lon: number; readonly language: string; readonly hasDivisions: boolean };
    value: Reversed;
  };
  /** A request of the Model Context Protocol, and the answer, as JSON texts. */
  mcp: { argument: string; value: string };
  /** A vector tile of a collection. */
  collectionTile: {
    argument: { readonly collection: CollectionName; readonly z: number; readonly x: number; readonly y: number };
    value: ArrayBuffer;
  };
  /** By the parameters of `/changes`. */
  changes: { argument: Parameters; value: ChangesAnswer };
  /** What categories of places are called in a language, where they have such a name. */
  categoryNames: { argument: string; value: ReadonlyMap<string, string> };
  /** A tile of low zooms with where the path's collections have rows. Its layer is `coverage`. */
  coverageTile: {
    argument: { readonly path: string; readonly z: number; readonly x: number; readonly y: number };
    value: ArrayBuffer;
  };
  /** The towns around which the path's collections have rows, most first; none where these are spread wider than around a few. */
  towns: { argument: { readonly path: string; readonly language: string }; value: readonly Town[] };
  /** What a person who types this text may mean. */
  suggest: { argument: Omit<SuggestQuery, "categoryWords" | "held" | "onMissing">; value: Suggested };
}
