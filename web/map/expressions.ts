/**
 * Short forms of common expressions of the map style.
 * @module
 */
import type { ExpressionSpecification, FilterSpecification } from "maplibre-gl";

export const WORLD_SOURCE = "world";
export const LOCAL_SOURCE = "local";
export const PLACES_SOURCE = "places";

/** System fonts: they are installed, have every script that the user reads, and need no download. */
export const FONT = ["system-ui", "sans-serif"];
/** A semibold font: MapLibre takes the weight from the first name, which no font has, and draws the next one in it. */
export const STRONG_FONT = ["semibold cairn", ...FONT];

/** Returns the members of a style layer that name a layer of the world tiles. */
export const inWorld = (layer: string) => ({ source: WORLD_SOURCE, "source-layer": layer });
/** Returns the members of a style layer that name a layer of the local tiles. */
export const inLocal = (layer: string) => ({ source: LOCAL_SOURCE, "source-layer": layer });

/** Returns the members of a style layer that name a layer of the tiles of places. */
export const inPlaces = (layer: string) => ({ source: PLACES_SOURCE, "source-layer": layer });

/** Layout of lines with round ends and corners. */
export const ROUND = { "line-cap": "round", "line-join": "round" } as const;

/** Returns the paint of a dot with a line around it. `width` is the width of the line in pixels. */
export const dotPaint = <Fill>(fill: Fill, stroke: string, width: number) => ({
  "circle-color": fill,
  "circle-stroke-color": stroke,
  "circle-stroke-width": width,
});

/** Returns a filter for one kind of geometry. */
export const isA = (geometry: "Polygon" | "LineString" | "Point"): FilterSpecification => [
  "==",
  ["geometry-type"],
  geometry,
];
/** Returns a filter that matches if all filters match. */
export const all = (...filters: FilterSpecification[]) => ["all", ...filters] as FilterSpecification;
/** Returns a filter that matches if the property `key` has one of the values. */
export const oneOf = (key: string, ...values: string[]): FilterSpecification => [
  "in",
  ["get", key],
  ["literal", values],
];
/** Returns a filter that matches if the given one does not. */
export const not = (filter: FilterSpecification) => ["!", filter] as FilterSpecification;

/**
 * Returns a value that grows by 1.7 per zoom between the stops, almost like objects on the map. Stops are zoom, value, zoom,
 * value and so on.
 */
export const growing = (...stops: (number | ExpressionSpecification)[]): ExpressionSpecification =>
  ["interpolate", ["exponential", 1.7], ["zoom"], ...stops] as unknown as ExpressionSpecification;
/** Returns a value that changes evenly between the stops: zoom, value, zoom, value and so on. */
export const byZoom = (...stops: (number | string)[]): ExpressionSpecification =>
  ["interpolate", ["linear"], ["zoom"], ...stops] as unknown as ExpressionSpecification;

/**
 * The same value for every feature, but evaluated per feature: layers with the same set of such values share a
 * shader. A shader first needed during a drag is compiled then, and the map stutters.
 */
const askedOfEach = <T extends number | string>(value: T): ExpressionSpecification => [
  "match",
  ["geometry-type"],
  "Point",
  value,
  value,
];
/**
 * Returns the paint of a line without dashes, with the shader of the roads. Its width grows from `thin` at zoom `from` to `wide`
 * at zoom `to`, in pixels.
 */
export const plainLine = (colour: string, from: number, thin: number, to: number, wide: number) => ({
  "line-color": askedOfEach(colour),
  "line-width": growing(from, askedOfEach(thin), to, askedOfEach(wide)),
});
