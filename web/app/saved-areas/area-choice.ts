/** The area around a search that can be saved for offline use, and its name. @module */
import { type BBox, wrapLon } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { isOwnName } from "../../../data/format/own-collections.ts";
import type { AreaShape } from "../../engine/index.ts";
import type { DatasetSummary } from "../../hosts/browser/protocol/index.ts";
import { circleBounds } from "../../map/circle-shape.ts";
import { type DrawnArea, ringOf } from "../../map/drawn-area.ts";
import { SEARCH_PATHS } from "../../search/index.ts";
import { coordinate, PATHS, type Path, type Search } from "../address/index.ts";
import { countryName, formatDistance, text } from "../text/index.ts";

/** Returns the collections that searches of a path may read: all its types, and those joined with others. */
export function collectionsKept(path: Path): readonly CollectionName[] {
  if (isOwnName(path)) return [path];
  return SEARCH_PATHS.filter((served) => served.path.split("/")[1] === path).flatMap(
    ({ types, collections }) => types ?? collections,
  );
}

/** Size up to which the index of names is saved by default: enough for a town or region, not for a planet. */
const MOST_NAMES_BYTES = 64 * 1024 * 1024;

/** Returns whether the index of names of the collections is saved by default, because it is small enough. */
export function areNamesSaved(
  collections: readonly CollectionName[],
  dataset: Pick<DatasetSummary, "collections"> | undefined,
): boolean {
  const bytes = (dataset?.collections ?? []).map(({ name, namesBytes }) =>
    collections.includes(name) ? namesBytes : 0,
  );
  return bytes.reduce((sum, each) => sum + each, 0) <= MOST_NAMES_BYTES;
}

/** Returns the search paths that may read at least one of the collections. */
export function pathsKept(collections: readonly CollectionName[]): readonly Path[] {
  const paths = [...collections.filter(isOwnName), ...PATHS];
  return paths.filter((path) => collectionsKept(path).some((name) => collections.includes(name)));
}

/** Returns the area of the search: a circle, a box (for a polygon its bbox), or a country. Undefined for a search everywhere. */
export function extentOf({ centre, radiusMeters, area, country }: Search): AreaShape | undefined {
  if (centre) return { kind: "circle", ...centre, radiusMeters };
  if (area) return { kind: "bbox", bbox: boxOfArea(area) };
  return country === undefined ? undefined : { kind: "country", country };
}

/** Returns the area in words, with coordinates if it is a circle or a box. */
export function extentName(shape: AreaShape): string {
  if (shape.kind === "country") return countryName(shape.country);
  if (shape.kind === "circle") {
    const { lat, lon, radiusMeters } = shape;
    return text("saved.circle", { radius: formatDistance(radiusMeters), lat: coordinate(lat), lng: coordinate(lon) });
  }
  const [west, south, east, north] = shape.bbox;
  return text("saved.box", { west: near(west), south: near(south), east: near(east), north: near(north) });
}

/** Returns the bbox of a circle or a box; undefined for a country, whose bbox is not known here. */
export function boxOf(shape: AreaShape): BBox | undefined {
  if (shape.kind === "country") return undefined;
  if (shape.kind === "bbox") return shape.bbox;
  const [west, south, east, north] = circleBounds(shape, shape.radiusMeters);
  return [wrapLon(west), south, wrapLon(east), north];
}

/** Returns the name of the file in which a saved area of that name is exported. */
export function areaFileName(name: string): string {
  return `${name.replaceAll(/[^\p{L}\p{N}.,-]+/gu, "-").replaceAll(/^[-.]+|-+$/g, "") || "area"}.cairn.tar`;
}

function boxOfArea(area: DrawnArea): readonly [number, number, number, number] {
  if (area.kind === "box") return [...area.bbox];
  const ring = ringOf(area);
  const [lons, lats] = [ring.map(([lon]) => lon), ring.map(([, lat]) => lat)];
  return [wrapLon(Math.min(...lons)), Math.min(...lats), wrapLon(Math.max(...lons)), Math.max(...lats)];
}

/** Returns degrees to about 100 m: they are part of a name, not a measurement. */
function near(degrees: number): string {
  return String(Number(degrees.toFixed(3)));
}
