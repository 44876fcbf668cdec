/** State of the map other than the search: other features, requested moves, and clicked positions. @module */
import { batch, computed, signal } from "@preact/signals";
import type * as GeoJSON from "geojson";
import type { BBox } from "../../../data/format/bbox.ts";
import { bboxOf, type Geometry } from "../../../data/format/geometry.ts";
import type { Feature } from "../../engine/index.ts";
import { type Centre, formatPageState, type Search } from "../address/index.ts";
import { notes } from "./notes.ts";
import { pageState } from "./session.ts";

/** Shapes to draw, numbered from 0; properties are for click handlers. */
export const overlayShapes = {
  console: signal<readonly GeoJSON.Feature[]>([]),
  files: signal<readonly GeoJSON.Feature[]>([]),
  notes: computed(() =>
    overlayFeatures(notes.value.map(({ lon, lat }) => ({ type: "Point", coordinates: [lon, lat] }))),
  ),
};
export type Overlay = keyof typeof overlayShapes;

/** A box to move to; a new object each time, so that the same bbox can be requested twice. */
export const overlayTarget = signal<{ readonly bbox: BBox; readonly search: Search | undefined } | undefined>(
  undefined,
);

/** Moves the map to the box, which stays until another search. */
export function showBox(bbox: BBox): void {
  overlayTarget.value = { bbox, search: pageState.peek().search };
}

/** Whether the user moved to another box after the current search. */
export const isElsewhere = computed(() => {
  const wish = overlayTarget.value;
  return (
    wish !== undefined &&
    formatPageState({ search: wish.search }) === formatPageState({ search: pageState.value.search })
  );
});

/** A request to show the whole current search; a new object each time. */
export const searchWish = signal<object | undefined>(undefined);

/** Moves the map back to the current search. */
export function showSearch(): void {
  batch(() => {
    overlayTarget.value = undefined;
    searchWish.value = {};
  });
}

/** Returns the geometries as shapes, numbered from `first`, with properties that identify them. */
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

/** Draws the result of the console instead of the previous one, and moves to it. */
export function showFound(geometries: readonly Geometry[]): void {
  overlayShapes.console.value = overlayFeatures(geometries);
  const bbox = bboxOf({ type: "GeometryCollection", geometries });
  if (bbox) showBox(bbox);
}

/** The record to move to; a new object each time. */
export const zoomWish = signal<{ readonly record: Feature } | undefined>(undefined);

/** Moves the map to the record. */
export function zoomTo(record: Feature): void {
  zoomWish.value = { record };
}

/** The visible box; undefined without a map. `west > east` crosses the antimeridian. */
export const shownBox = signal<BBox | undefined>(undefined);

/** From this zoom on coverage dots are hidden, because the map shows a town. */
export const DOTS_END_ZOOM = 8;
const DEGREES_PER_PIXEL = 360 / (512 * 2 ** DOTS_END_ZOOM);

export const areDotsShown = computed(() => {
  const [west, , east] = shownBox.value ?? [0, 0, 0];
  return (east < west ? east - west + 360 : east - west) > DEGREES_PER_PIXEL * innerWidth;
});

export const readerLocation = signal<Centre | undefined>(undefined);

/** The last position clicked for a search. */
export const clickedAt = signal<Centre | undefined>(undefined);
