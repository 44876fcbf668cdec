/** What a feature adds to a tile: its shape, the few properties that the style uses, and the point of its label. @module */
import type * as GeoJSON from "geojson";
import { type BBox, bboxContains } from "../../../../data/format/bbox.ts";
import { bboxOf, type Position } from "../../../../data/format/geometry.ts";
import { representativePoint } from "../../../../data/format/representative-point.ts";
import type { Dataset, Feature, Json, Query } from "../../../engine/index.ts";
import { collectionsAt } from "../protocol/index.ts";

export const KEPT = new Set(["type", "subtype", "class", "names", "population", "level_rules", "road_flags", "height"]);

const NAMED_AREAS = new Set(["land", "land_use", "water"]);
const WALKED = new Set(["footway", "path", "steps", "cycleway", "bridleway", "track", "sidewalk", "crosswalk"]);
const WALKED_MIN_ZOOM = 14;
/** Road classes through a town, then those within it. */
const THROUGH = ["motorway", "trunk", "primary", "secondary", "tertiary"];
const WITHIN = ["residential", "unclassified", "living_street"];
export const RAILS: ReadonlySet<string> = new Set(["standard_gauge", "narrow_gauge", "light_rail", "funicular"]);
const MOTORWAYS_ZOOM = 7;
const SECONDARY_ZOOM = 9;
const THROUGH_ZOOM = 11;
const WITHIN_ZOOM = 12;
const COARSE_STEPS_PER_TILE = 8;
/** Minimum number of steps of a country's outline in a tile. Outlines of quarters may be squares. */
const FEWEST_COUNTRY_STEPS = 16;
/** Outlines of quarters would fill a coarse tile with lines. */
const QUARTERS = new Set(["neighborhood", "microhood"]);
const QUARTERS_MIN_ZOOM = 14;

/**
 * Returns the classes of roads and rails to draw in a tile for which segments are not read, as lists: the shorter later ones are
 * for tiles with too many. Empty at zooms at which segments are read, and below zoom 7.
 */
export function mainRoadsAt(zoom: number): readonly (readonly string[])[] {
  if (zoom < MOTORWAYS_ZOOM || collectionsAt(zoom).includes("segment")) return [];
  if (zoom < THROUGH_ZOOM) return [THROUGH.slice(0, zoom < SECONDARY_ZOOM ? 3 : 4)];
  const through = [...THROUGH, ...RAILS];
  return zoom < WITHIN_ZOOM ? [through] : [[...through, ...WITHIN], through];
}

/** All classes of roads and rails. */
export const ROADS_ON_LAND: readonly string[] = [
  ...[...THROUGH, ...WITHIN, ...WALKED],
  ...["service", "pedestrian", "unknown", "rail", ...RAILS],
];

/** Minimum number of inhabitants of a town in a coarse tile, by zoom. */
const FEWEST_INHABITANTS: readonly (readonly [zoom: number, population: number])[] = [
  [7, 100_000],
  [8, 40_000],
  [9, 10_000],
  [10, 2000],
];

/** Returns those of the divisions that are towns with enough inhabitants for the zoom. */
export function townsAt(zoom: number, divisions: readonly Feature[]): Feature[] {
  const [, fewest = 0] = FEWEST_INHABITANTS.findLast(([from]) => zoom >= from) ?? [];
  return divisions.filter(
    ({ properties: { subtype, population } }) => subtype === "locality" && Number(population ?? 0) >= fewest,
  );
}

export interface DrawnFeature {
  readonly layer: string;
  readonly feature: GeoJSON.Feature;
}

interface Names {
  readonly primary?: string;
  readonly common?: Readonly<Record<string, string>> | null;
}

/** Returns the name in the language (BCP 47), otherwise the primary name; undefined without names. */
export function nameIn(names: Names | null | undefined, language: string): string | undefined {
  const base = language.split("-")[0] ?? language;
  return names?.common?.[language] ?? names?.common?.[base] ?? names?.primary;
}

/** Returns the shapes and labels that a feature adds to a tile with the bbox `box`. Empty if it is not drawn at this zoom. */
export function drawnFeatures(feature: Feature, zoom: number, box: BBox, language: string): DrawnFeature[] {
  const { geometry, properties } = feature;
  const { type, subtype, class: kind } = properties;
  const layer = String(type);
  if (layer === "division_area" && isCoarse(feature, box)) return [];
  if (layer === "division_area" && zoom < QUARTERS_MIN_ZOOM && QUARTERS.has(String(subtype))) return [];
  if (layer === "segment" && zoom < WALKED_MIN_ZOOM && WALKED.has(String(kind))) return [];
  const name = layer === "building" ? undefined : nameIn(properties.names as Names | undefined, language);
  const shape: DrawnFeature = {
    layer,
    feature: {
      type: "Feature",
      geometry: geometry as GeoJSON.Geometry,
      properties: {
        subtype,
        class: kind,
        ...(name !== undefined && { name }),
        ...(layer === "segment" && isTunnel(properties) && { tunnel: true }),
        ...(layer === "building" && typeof properties.height === "number" && { height: properties.height }),
        ...(layer === "land" && geometry.type === "Point" && { id: feature.id }),
        ...(layer === "division" && { population: properties.population ?? 0 }),
      },
    },
  };
  if (!NAMED_AREAS.has(layer) || name === undefined || !geometry.type.endsWith("Polygon")) return [shape];
  const at = representativePoint(geometry);
  // Only the tile that contains the label point has the label.
  if (!at || !bboxContains(box, ...at)) return [shape];
  const label: GeoJSON.Feature = {
    type: "Feature",
    geometry: { type: "Point", coordinates: [...at] },
    properties: { name, of: layer, subtype, side: sideOf(feature) },
  };
  return [shape, { layer: "area_name", feature: label }];
}

/**
 * Returns one division per name: of the highest rank (localities first), then with the most inhabitants, then with the first id.
 * Leaves out divisions without a name. Pass only divisions near each other: data has duplicates.
 */
export function distinctDivisions(divisions: Iterable<Feature>): Feature[] {
  const byName = new Map<string, Feature>();
  for (const division of divisions) {
    const { primary } = (division.properties.names ?? {}) as Names;
    if (primary === undefined) continue;
    const known = byName.get(primary);
    if (
      !known ||
      weightOf(division) > weightOf(known) ||
      (weightOf(division) === weightOf(known) && division.id < known.id)
    ) {
      byName.set(primary, division);
    }
  }
  return [...byName.values()];
}

function weightOf({ properties: { subtype, population } }: Feature): number {
  const rank = ["microhood", "neighborhood", "macrohood", "locality"].indexOf(String(subtype));
  return (rank + 1) * 1e11 + Number(population ?? 0);
}

/** Whether the steps of the outline are too long for a tile of this size, so that its lines would be visibly wrong. */
function isCoarse({ geometry, properties }: Feature, [west, , east]: BBox): boolean {
  if (geometry.type !== "Polygon" && geometry.type !== "MultiPolygon") return false;
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  const fewest = properties.subtype === "country" ? FEWEST_COUNTRY_STEPS : 1;
  let [length, steps] = [0, 0];
  for (const ring of polygons.flat()) {
    for (let i = 1; i < ring.length; i++) {
      const [[x1, y1], [x2, y2]] = [ring[i - 1] as Position, ring[i] as Position];
      length += Math.hypot((x2 - x1) * Math.cos((y1 * Math.PI) / 180), y2 - y1);
      steps += 1;
    }
  }
  return steps < fewest || length / steps > (east - west) / COARSE_STEPS_PER_TILE;
}

function sideOf({ geometry }: Feature): number {
  const [west, south, east, north] = bboxOf(geometry) ?? [0, 0, 0, 0];
  return Math.max(north - south, (east - west) * Math.cos((south * Math.PI) / 180));
}

function isTunnel({ level_rules: levels, road_flags: flags }: Feature["properties"]): boolean {
  const isWhole = (rule: Json): rule is { readonly [key: string]: Json } =>
    typeof rule === "object" && rule !== null && !Array.isArray(rule) && !("between" in rule && rule.between !== null);
  const rules = (value: Json | undefined) => (Array.isArray(value) ? (value as readonly Json[]).filter(isWhole) : []);
  return (
    rules(levels).some(({ value }) => typeof value === "number" && value < 0) ||
    rules(flags).some(({ values }) => Array.isArray(values) && values.includes("is_tunnel"))
  );
}

// A dense city has about 10,000 features in a tile of zoom 14.
const MAX_FEATURES = 50_000;

/** Returns the rows of those collections that the dataset has, with the properties that tiles need. At most 50,000. */
export async function readKept(
  opened: Dataset,
  query: Pick<Query, "collections" | "filters" | "maxPartitionBytes">,
  signal: AbortSignal,
) {
  const { collections: present } = await opened.manifest(signal);
  const collections = query.collections.filter((name) => present[name]);
  if (collections.length === 0) return [];
  const found = await opened.search({ ...query, collections, offset: 0, limit: MAX_FEATURES }, { signal });
  return found.features(KEPT);
}
