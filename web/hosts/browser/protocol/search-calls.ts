import type { Area } from "../../../../data/format/area.ts";
import type { BBox } from "../../../../data/format/bbox.ts";
import type { CollectionName } from "../../../../data/format/collections.ts";
import type { Geometry } from "../../../../data/format/geometry.ts";
import type { Facet as TermFacet } from "../../../../data/format/terms.ts";
import type { Point } from "../../../../data/positions/index.ts";
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

export type { FoundChanges };

/** Changes in a circle since an older release in the dataset. */
type ChangesAnswer =
  | { readonly kind: "compared"; readonly found: FoundChanges }
  | { readonly kind: "refused"; readonly faults: readonly string[] };

export type Origin = "cache" | "network";

/** A search of a path, with the parameters of the REST interface. */
export interface SearchArgument {
  readonly path: string;
  readonly parameters: Parameters;
  readonly area?: Area | undefined;
  /** Only for the page: the REST interface has no such parameter. */
  readonly order?: Order | ColumnOrder | undefined;
  /** Only rows that are open at this time, milliseconds since 1970. Only for the page. */
  readonly openAt?: number | undefined;
}

/** By a number, a date or a text of a table. */
export interface ColumnOrder {
  readonly by: "column";
  readonly column: string;
  readonly isDescending: boolean;
  /** Of the alphabet for texts. */
  readonly language: string;
}

/** What became of `openAt`. */
export interface OpenFilter {
  /** False if more rows match than a search orders: then closed ones are among them. */
  readonly isApplied: boolean;
  /** Rows that were left out because their hours are missing or not understood. */
  readonly unread: number;
}

export interface AnswerReport extends Omit<SearchReport, "files"> {
  readonly files: readonly (Omit<FileUse, "from"> & { readonly from: "memory" | Origin })[];
}

type SearchAnswer =
  /** `body` contains the records of the page. Sent in slices. */
  | {
      readonly kind: "found";
      readonly total: number;
      readonly body: readonly Feature[];
      readonly report: AnswerReport;
      readonly open?: OpenFilter;
    }
  | { readonly kind: "refused"; readonly faults: readonly string[] };

/** A search, and the visible box: of too many matches only those in it are placed. */
interface MatchesArgument {
  readonly search: SearchArgument;
  readonly view: BBox | undefined;
}

/** Where the matches of a search are, for the map. */
export interface Matches {
  /** Longitude and latitude of each match, or of each cell with matches. */
  readonly points: Float64Array<ArrayBuffer>;
  /** Matches per cell; undefined if each match has its own point. */
  readonly rows: Uint32Array<ArrayBuffer> | undefined;
  /** Geometries that are not points. */
  readonly outlines: readonly Geometry[];
  /** Whether these are all matches, and not only those in the view. */
  readonly isWhole: boolean;
}

interface CodeArgument {
  readonly text: string;
  /** Where the town of a short plus code is. */
  readonly town?: Point | undefined;
}

interface Suggested {
  /** Best first. */
  readonly found: readonly Suggestion[];
  /** Whether files could not be read, so that there may be more. */
  readonly isPartial: boolean;
}

/** A town with dataset rows around it. */
export interface Town {
  readonly name: string;
  readonly rows: number;
  readonly lon: number;
  readonly lat: number;
}

/** Rows with values of a step. */
export interface HistogramBar {
  readonly from: number;
  /** Exclusive; undefined for the last bar. */
  readonly to: number | undefined;
  readonly rows: number;
  /** The maximum, inclusive, with which `from` finds exactly these rows; undefined if there is no such maximum. */
  readonly most: number | undefined;
}

export interface SearchCalls {
  search: { argument: SearchArgument; value: SearchAnswer };
  /** Where all matches of a search are, over all pages. */
  matches: { argument: MatchesArgument; value: Matches };
  /** The match nearest to a point, at most a metre away; undefined without one. */
  matchAt: {
    argument: { readonly search: SearchArgument; readonly lon: number; readonly lat: number };
    value: Feature | undefined;
  };
  /** Loads what a search needs, so that a later call is answered from memory. */
  prepare: { argument: SearchArgument; value: undefined };
  /** Counts of places by a common value, for a path such as `/places/categories`. */
  count: { argument: SearchArgument; value: readonly Group[] };
  /** The number of rows that a filter on each facet value alone would find, largest first. */
  facet: { argument: { readonly search: SearchArgument; readonly facet: TermFacet }; value: readonly FacetCount[] };
  /** The values of a numeric column in all matches; undefined if there are too many. */
  histogram: {
    argument: { readonly search: SearchArgument; readonly column: string };
    value: readonly HistogramBar[] | undefined;
  };
  /** The record with the id. `near` is its position, if known. */
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
  /** A request of the Model Context Protocol and its answer, as JSON texts. */
  mcp: { argument: string; value: string };
  /** A vector tile of a collection. */
  collectionTile: {
    argument: { readonly collection: CollectionName; readonly z: number; readonly x: number; readonly y: number };
    value: ArrayBuffer;
  };
  /** By the parameters of `/changes`. */
  changes: { argument: Parameters; value: ChangesAnswer };
  /** Names of place categories in a language, where known. */
  categoryNames: { argument: string; value: ReadonlyMap<string, string> };
  /** A tile of low zooms that shows where the collections of the path have rows. Its layer is `coverage`. */
  coverageTile: {
    argument: { readonly path: string; readonly z: number; readonly x: number; readonly y: number };
    value: ArrayBuffer;
  };
  /** Whether a box meets any rows besides divisions; undefined if the index does not say. */
  isCovered: { argument: BBox; value: boolean | undefined };
  /**
   * The towns around which the collections of the path have rows, most rows first. Empty if the rows are spread
   * around more than a few towns.
   */
  towns: { argument: { readonly path: string; readonly language: string }; value: readonly Town[] };
  /** The position of a code, such as a plus code; undefined for any other text. A short plus code needs its town. */
  position: { argument: CodeArgument; value: Point | { readonly town: string } | undefined };
  /** Suggestions for the typed text. */
  suggest: { argument: Omit<SuggestQuery, "categoryWords" | "held" | "onMissing">; value: Suggested };
}
