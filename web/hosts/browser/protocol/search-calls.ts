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
  /** Order of the records. The REST interface has no such parameter. */
  readonly order?: Order | ColumnOrder | undefined;
  /** Finds only rows that are open at this time, milliseconds since 1970. The REST interface has no such parameter. */
  readonly openAt?: number | undefined;
}

/** Order by a number, a date or a text in a column of one's own table. */
export interface ColumnOrder {
  readonly by: "column";
  readonly column: string;
  readonly isDescending: boolean;
  /** Language by whose alphabet texts are ordered. */
  readonly language: string;
}

/** What the condition `openAt` did. */
export interface OpenFilter {
  /** False if more rows match than a search can order: closed ones are then among them. */
  readonly isApplied: boolean;
  /** Number of rows left out because their hours are missing or not understood. */
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

/** A search and the visible box. Of too many matches, only those in the box are placed. */
interface MatchesArgument {
  readonly search: SearchArgument;
  readonly view: BBox | undefined;
}

/** Where the matches of a search are, for the map. */
export interface Matches {
  /** Longitude and latitude in turn, of each match or of each cell with matches, in degrees. */
  readonly points: Float64Array<ArrayBuffer>;
  /** Number of matches per cell; undefined if each match has its own point. */
  readonly rows: Uint32Array<ArrayBuffer> | undefined;
  /** Geometries of matches that are not points. */
  readonly outlines: readonly Geometry[];
  /** Whether these are all matches. False if they are only those in the view. */
  readonly isWhole: boolean;
}

interface CodeArgument {
  readonly text: string;
  /** Position of the town of a short plus code, if known. */
  readonly town?: Point | undefined;
}

interface Suggested {
  /** Suggestions, best first. */
  readonly found: readonly Suggestion[];
  /** Whether files could not be read, so that suggestions may be missing. */
  readonly isPartial: boolean;
}

/** A town with dataset rows around it. */
export interface Town {
  readonly name: string;
  readonly rows: number;
  readonly lon: number;
  readonly lat: number;
}

/** The number of rows with a value in one step of a histogram. */
export interface HistogramBar {
  readonly from: number;
  /** Upper bound, exclusive; undefined for the last bar. */
  readonly to: number | undefined;
  readonly rows: number;
  /** Maximum, inclusive, with which a filter from `from` on finds exactly these rows; undefined if there is none. */
  readonly most: number | undefined;
}

export interface SearchCalls {
  search: { argument: SearchArgument; value: SearchAnswer };
  /** Returns where all matches of a search are, over all pages. */
  matches: { argument: MatchesArgument; value: Matches };
  /** Returns the match nearest to a point, at most a metre away; undefined without one. */
  matchAt: {
    argument: { readonly search: SearchArgument; readonly lon: number; readonly lat: number };
    value: Feature | undefined;
  };
  /** Loads what a search needs, so that the same search is answered from memory later. */
  prepare: { argument: SearchArgument; value: undefined };
  /** Counts places by a common value, for a path such as `/places/categories`. */
  count: { argument: SearchArgument; value: readonly Group[] };
  /** Returns for each value of the facet the number of rows that a filter on it alone would find, largest first. */
  facet: { argument: { readonly search: SearchArgument; readonly facet: TermFacet }; value: readonly FacetCount[] };
  /** Returns how the values of a numeric column are spread over all matches; undefined if there are too many matches. */
  histogram: {
    argument: { readonly search: SearchArgument; readonly column: string };
    value: readonly HistogramBar[] | undefined;
  };
  /** Returns the record with the id; undefined if there is none. `near` is its position, if known. */
  find: {
    argument: {
      readonly path: string;
      readonly id: string;
      readonly near?: { readonly lon: number; readonly lat: number } | undefined;
    };
    value: Feature | undefined;
  };
  /** Returns what is at a point, degrees WGS84. */
  reverse: {
    argument: { readonly lat: number; readonly lon: number; readonly language: string; readonly hasDivisions: boolean };
    value: Reversed;
  };
  /** Answers a request of the Model Context Protocol. Both are JSON texts. */
  mcp: { argument: string; value: string };
  /** Returns a vector tile of a collection. */
  collectionTile: {
    argument: { readonly collection: CollectionName; readonly z: number; readonly x: number; readonly y: number };
    value: ArrayBuffer;
  };
  /** Returns the changes since an older release, by the parameters of `/changes`. */
  changes: { argument: Parameters; value: ChangesAnswer };
  /** Returns names of place categories in a language, by category, as far as they are known. */
  categoryNames: { argument: string; value: ReadonlyMap<string, string> };
  /** Returns a tile of a low zoom that shows where the collections of the path have rows. Its layer is `coverage`. */
  coverageTile: {
    argument: { readonly path: string; readonly z: number; readonly x: number; readonly y: number };
    value: ArrayBuffer;
  };
  /** Returns whether a box meets any rows besides divisions; undefined if the index does not say. */
  isCovered: { argument: BBox; value: boolean | undefined };
  /**
   * Returns the towns around which the collections of the path have rows, most rows first. Empty if the rows are spread around
   * more than a few towns.
   */
  towns: { argument: { readonly path: string; readonly language: string }; value: readonly Town[] };
  /**
   * Returns the position of a code such as a plus code; for a short plus code without `town`, the name of the town to find first.
   * Undefined for any other text.
   */
  position: { argument: CodeArgument; value: Point | { readonly town: string } | undefined };
  /** Returns suggestions for the typed text. */
  suggest: { argument: Omit<SuggestQuery, "categoryWords" | "held" | "onMissing">; value: Suggested };
}
