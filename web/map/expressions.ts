/**
 * Short forms of common expressions of the map style.
 * @module
 */
import type { ExpressionSpecification, FilterSpecification } from "maplibre-gl";

export const WORLD_SOURCE = "world";
export const LOCAL_SOURCE = "local";
export const PLACES_SOURCE = "places";

/** System fonts are installed, cover every script the user reads, and need no download. */
export const FONT = ["system-ui", "sans-serif"];
/**
 * MapLibre takes the weight from the first name. No font has that name, so that the next one is drawn in that weight.
 */
export const STRONG_FONT = ["semibold cairn", ...FONT];

/** A layer of the world tiles. */
export const inWorld = (layer: string) => ({ source: WORLD_SOURCE, "source-layer": layer });
/** A layer of the local tiles. */
export const inLocal = (layer: string) => ({ source: LOCAL_SOURCE, "source-layer": layer });

/** A layer of the tiles with places. */
export const inPlaces = (layer: string) => ({ source: PLACES_SOURCE, "source-layer": layer });

/** The layout of lines with round ends and corners. */
export const ROUND = { "line-cap": "round", "line-join": "round" } as const;

/** The paint of a dot with a line around it. The width of the line is in pixels. */
export const dotPaint = <Fill>(fill: Fill, stroke: string, width: number) => ({
  "circle-color": fill,
  "circle-stroke-color": stroke,
  "circle-stroke-width": width,
});

/** Matches a kind of geometry. */
export const isA = (geometry: "Polygon" | "LineString" | "Point"): FilterSpecification => [
  "==",
  ["geometry-type"],
  geometry,
];
/** Matches if all filters match. */
export const all = (...filters: FilterSpecification[]) => ["all", ...filters] as FilterSpecification;
/** Matches if the property has one of the values. */
export const oneOf = (key: string, ...values: string[]): FilterSpecification => [
  "in",
  ["get", key],
  ["literal", values],
];
/** Negates a filter. */
export const not = (filter: FilterSpecification) => ["!", filter] as FilterSpecification;

/**
 * A value that grows exponentially between the stops, by 1.7 per zoom, almost like objects on the map: zoom, value, zoom, value,
 * ..
 */
export const growing = (...stops: (number | ExpressionSpecification)[]): ExpressionSpecification =>
  ["interpolate", ["exponential", 1.7], ["zoom"], ...stops] as unknown as ExpressionSpecification;
/** A value that changes evenly between the stops: zoom, value, zoom, value, .. */
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
/** Colour and width of a line without dashes, with the shader of the roads. The width grows between two zooms. */
export const plainLine = (colour: string, from: number, thin: number, to: number, wide: number) => ({
  "line-color": askedOfEach(colour),
  "line-width": growing(from, askedOfEach(thin), to, askedOfEach(wide)),
});
