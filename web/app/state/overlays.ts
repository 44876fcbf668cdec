/** What the map shows besides the search, where it is asked to move, and where it was clicked. @module */
import { batch, computed, signal } from "@preact/signals";
import type * as GeoJSON from "geojson";
import type { BBox } from "../../../data/format/bbox.ts";
import { bboxOf, type Geometry } from "../../../data/format/geometry.ts";
import type { Feature } from "../../engine/index.ts";
import { type Centre, formatPageState, type Search } from "../address/index.ts";
import { notes } from "./notes.ts";
import { pageState } from "./session.ts";

/**
 * Shapes on the map: results of the console, rows of files, starred records. Ids count from 0; properties tell which row a click
 * hits.
 */
export const overlayShapes = {
  console: signal<readonly GeoJSON.Feature[]>([]),
  files: signal<readonly GeoJSON.Feature[]>([]),
  notes: computed(() =>
    overlayFeatures(notes.value.map(({ lon, lat }) => ({ type: "Point", coordinates: [lon, lat] }))),
  ),
};
export type Overlay = keyof typeof overlayShapes;

/**
 * Box to which the map should move, and the search at that time. A new object each time, so that the same box can be requested
 * twice.
 */
export const overlayTarget = signal<{ readonly bbox: BBox; readonly search: Search | undefined } | undefined>(
  undefined,
);

/** Moves the map to the box. Until another search, the map is not moved to the results. */
export function showBox(bbox: BBox): void {
  overlayTarget.value = { bbox, search: pageState.peek().search };
}

/** Whether a box was shown after the current search. */
export const isElsewhere = computed(() => {
  const wish = overlayTarget.value;
  return (
    wish !== undefined &&
    formatPageState({ search: wish.search }) === formatPageState({ search: pageState.value.search })
  );
});

/** Request to show the whole current search. A new object each time. */
export const searchWish = signal<object | undefined>(undefined);

/** Moves the map so that the whole current search is visible. */
export function showSearch(): void {
  batch(() => {
    overlayTarget.value = undefined;
    searchWish.value = {};
  });
}

/**
 * Returns the geometries as features with ids from `first` on. With a `file`, properties contain its id and the index of the row.
 */
export function overlayFeatures(
  geometries: readonly Geometry[],
  { first = 0, file }: { readonly first?: number; readonly file?: string } = {},
): GeoJSON.Feature[] {
  return geometries.map((geometry, row) => ({
    type: "Feature",
    id: first + row,
    geometry: geometry as GeoJSON.Geometry,
    properties: file === undefined ? {} : { file, row },
  }));
}

/** Shows the result of the console on the map instead of the previous one, and moves to it. */
export function showFound(geometries: readonly Geometry[]): void {
  overlayShapes.console.value = overlayFeatures(geometries);
  const bbox = bboxOf({ type: "GeometryCollection", geometries });
  if (bbox) showBox(bbox);
}

/** Record to which the map should move. A new object each time. */
export const zoomWish = signal<{ readonly record: Feature } | undefined>(undefined);

/** Moves the map to the record. */
export function zoomTo(record: Feature): void {
  zoomWish.value = { record };
}

/** The visible box; undefined without a map. With `west > east` it crosses the antimeridian. */
export const shownBox = signal<BBox | undefined>(undefined);

/** Zoom from which on no dots show where there is data, because the map shows a single town. */
export const DOTS_END_ZOOM = 8;
const DEGREES_PER_PIXEL = 360 / (512 * 2 ** DOTS_END_ZOOM);

/** Whether the map shows so much that dots show where there is data. */
export const areDotsShown = computed(() => {
  const [west, , east] = shownBox.value ?? [0, 0, 0];
  return (east < west ? east - west + 360 : east - west) > DEGREES_PER_PIXEL * innerWidth;
});

/** The user's position; undefined until the user asked for a search there. */
export const readerLocation = signal<Centre | undefined>(undefined);

/** Position of the last click that searched. */
export const clickedAt = signal<Centre | undefined>(undefined);
