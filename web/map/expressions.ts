/**
 * Short words for what the map's style says often.
 * @module
 */
import type { ExpressionSpecification, FilterSpecification } from "maplibre-gl";

export const WORLD_SOURCE = "world";
export const LOCAL_SOURCE = "local";

/** The system's fonts: they are there, they know every script the reader reads, and they cost no byte. */
export const FONT = ["system-ui", "sans-serif"];
/** MapLibre takes the weight from the first name; no font has it, so that the next one is drawn in that weight. */
export const STRONG_FONT = ["semibold cairn", ...FONT];

export const inWorld = (layer: string) => ({ source: WORLD_SOURCE, "source-layer": layer });
export const inLocal = (layer: string) => ({ source: LOCAL_SOURCE, "source-layer": layer });

export const isA = (geometry: "Polygon" | "LineString" | "Point"): FilterSpecification => [
  "==",
  ["geometry-type"],
  geometry,
];
export const all = (...filters: FilterSpecification[]) => ["all", ...filters] as FilterSpecification;
export const oneOf = (key: string, ...values: string[]): FilterSpecification => [
  "in",
  ["get", key],
  ["literal", values],
];
export const not = (filter: FilterSpecification) => ["!", filter] as FilterSpecification;

/** A value that doubles with every zoom, as things on the ground do, between the stops: zoom, value, zoom, value, .. */
export const growing = (...stops: (number | ExpressionSpecification)[]): ExpressionSpecification =>
  ["interpolate", ["exponential", 1.7], ["zoom"], ...stops] as unknown as ExpressionSpecification;
export const byZoom = (...stops: (number | string)[]): ExpressionSpecification =>
  ["interpolate", ["linear"], ["zoom"], ...stops] as unknown as ExpressionSpecification;

/**
 * The same value for every feature, but asked of each: a layer's shader knows which values are asked, so that layers that ask
 * for the same ones share it. A shader first needed while the map is dragged is compiled then, and the map stands still.
 */
const askedOfEach = <T extends number | string>(value: T): ExpressionSpecification => [
  "match",
  ["geometry-type"],
  "Point",
  value,
  value,
];
/** Colour and width of a line without dashes, by the roads' shader; the width grows between two zooms. */
export const plainLine = (colour: string, from: number, thin: number, to: number, wide: number) => ({
  "line-color": askedOfEach(colour),
  "line-width": growing(from, askedOfEach(thin), to, askedOfEach(wide)),
});
