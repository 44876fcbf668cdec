/** A record as a feature of a tile: its shape, and the few properties that styles use. @module */
import type * as GeoJSON from "geojson";
import type { BBox } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { bboxOf } from "../../data/format/geometry.ts";
import { objectOf, textOf } from "../../data/format/json.ts";
import { METERS_PER_DEGREE } from "../../data/format/sphere.ts";
import type { Feature, Members } from "../engine/index.ts";

/** Properties of records that tiles need, each with the members that they need. */
export const READ: ReadonlyMap<string, Members> = new Map<string, Members>([
  ["names", { primary: true }],
  ["categories", { primary: true }],
  ["confidence", true],
  ["subtype", true],
  ["class", true],
  ["population", true],
  ["number", true],
  ["street", true],
]);

export interface TileFeature extends GeoJSON.Feature {
  readonly properties: {
    readonly id: string;
    readonly name?: string;
    readonly class?: string;
    /** From 0 to 1. More important features are kept first and drawn first. */
    readonly importance: number;
  };
}

/** Returns the record of this collection as a feature of a tile. */
export function tileFeature(collection: CollectionName, { id, geometry, properties }: Feature): TileFeature {
  const name = nameOf(properties);
  const kind = textOf(objectOf(properties.categories)?.primary ?? properties.class ?? properties.subtype);
  const importance = Math.round(1000 * importanceOf(collection, geometry, properties)) / 1000;
  return {
    type: "Feature",
    geometry: geometry as GeoJSON.Geometry,
    properties: { id, ...(name && { name }), ...(kind && { class: kind }), importance },
  };
}

function nameOf(properties: Feature["properties"]): string | undefined {
  const house = [properties.number, properties.street].map(textOf).filter(Boolean).join(" ");
  return textOf(objectOf(properties.names)?.primary) ?? (house || undefined);
}

const DIVISIONS = [
  "microhood",
  "neighborhood",
  "macrohood",
  "borough",
  "locality",
  "localadmin",
  "county",
  "macrocounty",
  "region",
  "macroregion",
  "dependency",
  "country",
];
const WAYS = [
  "footway",
  "path",
  "service",
  "track",
  "cycleway",
  "pedestrian",
  "living_street",
  "residential",
  "unclassified",
  "tertiary",
  "secondary",
  "primary",
  "standard_gauge",
  "trunk",
  "motorway",
];
/** Population from which on a division has the highest importance. */
const MOST_PEOPLE = 1e7;
/** Size in metres from which on a shape has the highest importance. */
const MOST_METERS = 1e7;

function importanceOf(
  collection: CollectionName,
  geometry: Feature["geometry"],
  { confidence, population, subtype, class: kind }: Feature["properties"],
): number {
  if (collection === "place" || collection === "place_building") return clamped(Number(confidence ?? 0));
  if (collection === "division" || collection === "division_area") {
    const people = Math.log10(1 + Number(population ?? 0)) / Math.log10(1 + MOST_PEOPLE);
    return clamped((DIVISIONS.indexOf(String(subtype)) + 1 + people) / (DIVISIONS.length + 1));
  }
  const size = sizeOf(bboxOf(geometry) ?? [0, 0, 0, 0]);
  if (collection === "segment") return clamped((WAYS.indexOf(String(kind)) + 1 + size) / (WAYS.length + 1));
  return size;
}

/** Returns the size from 0 to 1, by the logarithm of the longer side of the bbox. */
function sizeOf([west, south, east, north]: BBox): number {
  const meters = METERS_PER_DEGREE * Math.max(north - south, (east - west) * Math.cos((south * Math.PI) / 180));
  return clamped(Math.log10(1 + meters) / Math.log10(MOST_METERS));
}

function clamped(value: number): number {
  return Math.max(0, Math.min(1, value));
}
