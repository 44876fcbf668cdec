/** Finds where all matches of a search are: each of them, or if there are too many, their number per cell of the view. @module */
import { areaOfBox } from "../../../../data/format/area.ts";
import type { BBox } from "../../../../data/format/bbox.ts";
import { cellSize } from "../../../../data/format/geohash.ts";
import type { Geometry } from "../../../../data/format/geometry.ts";
import { MAX_RADIUS_METERS } from "../../../../data/format/limits.ts";
import { representativePoint } from "../../../../data/format/representative-point.ts";
import { CountLimitError, type Dataset, type Feature, type Query } from "../../../engine/index.ts";
import { located, outlineOfCell, runLocate, runSearch, type Search } from "../../../search/index.ts";
import type { Matches } from "../protocol/index.ts";

/** Maximum number of matches that are placed one by one: a screen cannot show more dots apart. */
const MAX_PLACED = 10_000;
/** Cells across the view: a cluster is about as wide. */
const CELLS_ACROSS = 40;
/** The finest cells that are counted. */
const MAX_CHARS = 6;
const BITS_PER_CHAR = 5;
/** Maximum distance of a match from a clicked dot. */
const MATCH_METERS = 1;
/** Maximum width of a view whose matches are searched alone. A wider view shows most of the dataset. */
const MAX_VIEW_DEGREES = 90;

const NONE: Matches = { points: new Float64Array(), rows: undefined, outlines: [], isWhole: true };

interface MatchesOptions {
  readonly view: BBox | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Maximum number of matches that are placed one by one. Default: 10,000. */
  readonly maxPlaced?: number | undefined;
}

/**
 * Returns where the matches are: all of them if they are few enough, otherwise those in the view if they are, otherwise their
 * number per cell. Has no points if counting reads too many bytes.
 */
export async function findMatches(
  dataset: Dataset,
  search: Search,
  { view, signal, maxPlaced = MAX_PLACED }: MatchesOptions,
): Promise<Matches> {
  const { query } = search;
  const locate = async (own: Query, isWhole: boolean) => {
    const { geometries } = await runLocate(dataset, { ...search, query: own }, { maxRows: maxPlaced, signal });
    return geometries && matchesOf(geometries, isWhole);
  };
  const isPlaced = isBounded(query) || search.within !== undefined;
  const whole = isPlaced ? await locate(query, true) : undefined;
  if (whole) return whole;
  const seen = view && isNarrow(view) ? view : undefined;
  const inView = seen && !query.filters?.bbox ? seenIn(query, seen, isPlaced) : query;
  const placed = seen && (await locate(inView, false));
  return placed ?? countMatches(dataset, { ...search, query: inView }, { view: seen ?? view, signal });
}

/** Returns the match nearest to a point, at most a metre away; undefined without one. */
export async function findMatchAt(
  dataset: Dataset,
  search: Search,
  { lon, lat }: { readonly lon: number; readonly lat: number },
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<Feature | undefined> {
  const { order, nearest, ...query } = search.query;
  const circle = { lon, lat, radiusMeters: MATCH_METERS };
  const found = await runSearch(dataset, { ...search, query: { ...query, circle, offset: 0, limit: 1 } }, { signal });
  return [...found.features()][0];
}

/**
 * Returns the representative points of the geometries, longitude and latitude in turn, and those geometries that are not points.
 */
export function matchesOf(geometries: readonly Geometry[], isWhole: boolean): Matches {
  const points = geometries.flatMap((geometry): readonly number[] => representativePoint(geometry) ?? []);
  const outlines = geometries.filter(({ type }) => type !== "Point");
  return { points: Float64Array.from(points), rows: undefined, outlines, isWhole };
}

async function countMatches(
  dataset: Dataset,
  search: Search,
  { view, signal }: Pick<MatchesOptions, "view" | "signal">,
): Promise<Matches> {
  const chars = charsFor(view);
  const run = (release: Dataset, { collections, circle, area, country, filters }: Query) =>
    release.count(
      {
        collections,
        ...(circle ? { circle } : {}),
        ...(area ? { area } : {}),
        ...(country === undefined ? {} : { country }),
        ...(filters ? { filters } : {}),
        group: { by: "cell", chars },
      },
      { signal },
    );
  try {
    const { groups } = await located(dataset, search, { signal, run });
    const middles = groups.flatMap(({ key }): readonly number[] => representativePoint(outlineOfCell(key)) ?? []);
    const rows = Uint32Array.from(groups, (group) => group.rows);
    return { points: Float64Array.from(middles), rows, outlines: [], isWhole: false };
  } catch (error) {
    // the list still has its page
    if (error instanceof CountLimitError) return { ...NONE, isWhole: false };
    throw error;
  }
}

/** Whether a circle or an area bounds the rows. */
function isBounded({ circle, area, nearest }: Query): boolean {
  return (
    area !== undefined || nearest !== undefined || (circle !== undefined && circle.radiusMeters < MAX_RADIUS_METERS)
  );
}

function seenIn(query: Query, view: BBox, isPlaced: boolean): Query {
  if (isPlaced) return { ...query, filters: { ...query.filters, bbox: view } };
  const { circle, ...others } = query;
  return { ...others, area: areaOfBox(view) };
}

function isNarrow(view: BBox): boolean {
  return widthOf(view) <= MAX_VIEW_DEGREES;
}

function widthOf([west, , east]: BBox): number {
  return east < west ? east + 360 - west : east - west;
}

/**
 * Returns the number of characters of geohash cells, 1 to 6, of which about 40 lie side by side in the view. Without a view, in
 * the world.
 */
export function charsFor(view: BBox | undefined): number {
  const least = (view ? widthOf(view) : 360) / CELLS_ACROSS;
  let chars = 1;
  while (chars < MAX_CHARS && cellSize(BITS_PER_CHAR * (chars + 1)).widthDeg >= least) chars += 1;
  return chars;
}
