/** The map besides the search: what it shows, where it is to move, and where the reader has pointed. @module */
import { batch, computed, signal } from "@preact/signals";
import type * as GeoJSON from "geojson";
import type { BBox } from "../../../data/format/bbox.ts";
import { bboxOf, type Geometry } from "../../../data/format/geometry.ts";
import type { Feature } from "../../engine/index.ts";
import { type Centre, formatPageState, type Search } from "../address/index.ts";
import { notes } from "./notes.ts";
import { pageState } from "./session.ts";

/** Shapes to draw, numbered from 0; properties are for those who click on them. */
export const guestShapes = {
  console: signal<readonly GeoJSON.Feature[]>([]),
  files: signal<readonly GeoJSON.Feature[]>([]),
  notes: computed(() => guestFeatures(notes.value.map(({ lon, lat }) => ({ type: "Point", coordinates: [lon, lat] })))),
};
export type Guest = keyof typeof guestShapes;

/** A box to move to; a new object each time, so that the same bbox can be asked for twice. */
export const guestWish = signal<{ readonly bbox: BBox; readonly search: Search | undefined } | undefined>(undefined);

/** Moves the map to the box, which then stays until another search is asked. */
export function showBox(bbox: BBox): void {
  guestWish.value = { bbox, search: pageState.peek().search };
}

/** Whether the reader asked for another box after the present search. */
export const isElsewhere = computed(() => {
  const wish = guestWish.value;
  return (
    wish !== undefined &&
    formatPageState({ search: wish.search }) === formatPageState({ search: pageState.value.search })
  );
});

/** To see all of the present search; a new object each time. */
export const searchWish = signal<object | undefined>(undefined);

/** Moves the map back to the present search. */
export function showSearch(): void {
  batch(() => {
    guestWish.value = undefined;
    searchWish.value = {};
  });
}

/** The geometries as shapes, numbered from `first`, with what tells one from the others. */
export function guestFeatures(
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

/** Draws what the console found, in place of what it found before, and moves to where it is. */
export function showFound(geometries: readonly Geometry[]): void {
  guestShapes.console.value = guestFeatures(geometries);
  const bbox = bboxOf({ type: "GeometryCollection", geometries });
  if (bbox) showBox(bbox);
}

/** The record to move to; a new object each time. */
export const zoomWish = signal<{ readonly record: Feature } | undefined>(undefined);

export function zoomTo(record: Feature): void {
  zoomWish.value = { record };
}

/** What the map shows; undefined until there is one. `west > east` crosses the antimeridian. */
export const shownBox = signal<BBox | undefined>(undefined);

/** From there on the map has no dots where there is data: it shows a town. */
export const DOTS_END_ZOOM = 8;
const DEGREES_PER_PIXEL = 360 / (512 * 2 ** DOTS_END_ZOOM);

/** Whether the map is far enough away for these dots. */
export const areDotsShown = computed(() => {
  const [west, , east] = shownBox.value ?? [0, 0, 0];
  return (east < west ? east - west + 360 : east - west) > DEGREES_PER_PIXEL * innerWidth;
});

/** Where the reader was when they asked for it last. */
export const readerPlace = signal<Centre | undefined>(undefined);

/** Where the reader has clicked on the map last, to search there. */
export const clickedAt = signal<Centre | undefined>(undefined);
