/**
 * Vector tiles of a dataset's collections.
 * @module
 */
import { type GeoJSONVTTile, geoJSONToTile } from "@maplibre/geojson-vt";
import { fromGeojsonVt } from "@maplibre/vt-pbf";
import type { Position } from "geojson";
import type { BBox } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { globeBBox, type TilePlace, tileBBox } from "../../data/format/tile-place.ts";
import type { Dataset } from "../engine/index.ts";
import { type Detail, detailOf, EXACT_ZOOM } from "./detail.ts";
import { READ, type TileFeature, tileFeature } from "./tile-feature.ts";

/** Around the tile, in units of it: what is cut there is cut out of sight. */
const BUFFER = 64;

export interface TileQuery extends TilePlace {
  /** Each is a layer of its name. */
  readonly layers: readonly CollectionName[];
  /** Bytes that may be read; those of the zoom's detail when left out. */
  readonly maxReadBytes?: number | undefined;
}

export interface Tile {
  /** MVT; empty where nothing is. */
  readonly data: Uint8Array<ArrayBuffer>;
  /** Features that meet the tile, or may, and are not in it. */
  readonly leftOut: number;
  readonly release: string | undefined;
}

/** Of the features: below it even the most important is too large. */
const LEAST_SHARE = 0.001;

type Layer = readonly [name: CollectionName, features: readonly TileFeature[]];

/** The tile: from zoom 14 on with every feature that meets it, below with as many as its bytes allow. */
export async function readTile(
  dataset: Dataset,
  { layers, maxReadBytes, ...place }: TileQuery,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Tile> {
  const detail = detailOf(place);
  const bbox = globeBBox(place, BUFFER / EXTENT);
  const maxBytes = (maxReadBytes ?? detail.maxReadBytes) / layers.length;
  let leftOut = 0;
  let release: string | undefined;
  const read = await Promise.all(
    layers.map(async (collection): Promise<Layer> => {
      const found = await dataset.inBox({ collection, bbox, maxBytes, leastSize: detail.leastSize }, { signal });
      const all = Array.from(found.features(READ), (feature) => tileFeature(collection, feature)).sort(byImportance);
      const drawn = thinned(all, tileBBox(place), detail.cells);
      leftOut += found.leftOut + all.length - drawn.length;
      release = found.release;
      return [collection, drawn];
    }),
  );
  const fitted = cutToFit(read, place, detail);
  return { data: fitted.data, leftOut: leftOut + fitted.leftOut, release };
}

/** The most important first; the rest by id, so that a tile is the same on every host. */
function byImportance({ properties: a }: TileFeature, { properties: b }: TileFeature): number {
  return b.importance - a.importance || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The tile with as many of the most important features as fit. */
function cutToFit(
  layers: readonly Layer[],
  place: TilePlace,
  { maxTileBytes }: Detail,
): { readonly data: Uint8Array<ArrayBuffer>; readonly leftOut: number } {
  for (let share = 1; ; ) {
    const tiles = layers.map(([name, features]) => {
      return [name, tileOf(features.slice(0, Math.floor(share * features.length)), place)] as const;
    });
    const data = encodeTile(tiles);
    if (data.length <= maxTileBytes || share === 0) {
      const given = layers.reduce((sum, [, features]) => sum + features.length, 0);
      const drawn = tiles.reduce((sum, [, tile]) => sum + distinct(tile), 0);
      // of a whole tile those that are not drawn only have boxes that meet it
      return { data, leftOut: place.z < EXACT_ZOOM ? given - drawn : 0 };
    }
    share = share < LEAST_SHARE ? 0 : share * Math.min(0.9, (0.95 * maxTileBytes) / data.length);
  }
}

/** Features of the layer, of which one across the antimeridian may be there twice. */
function distinct(tile: GeoJSONVTTile | null): number {
  return new Set(tile?.features.map(({ tags }) => tags?.id)).size;
}

function tileOf(features: readonly TileFeature[], { z, x, y }: TilePlace): GeoJSONVTTile | null {
  return geoJSONToTile({ type: "FeatureCollection", features: [...features] }, z, x, y, {
    clip: true,
    buffer: BUFFER,
    extent: EXTENT,
    // the finest zoom is the one that is not simplified
    maxZoom: Math.max(z, EXACT_ZOOM),
    // what lies across the antimeridian is seen from both sides
    wrap: x === 0 || x === 2 ** z - 1,
  });
}

/** The features without points that stand in the cell of an earlier one; all else stays. */
function thinned(
  features: readonly TileFeature[],
  [west, south, east, north]: BBox,
  cells: number,
): readonly TileFeature[] {
  if (cells === Number.POSITIVE_INFINITY) return features;
  const taken = new Set<string>();
  return features.filter(({ geometry }) => {
    if (geometry.type !== "Point") return true;
    const [lon = 0, lat = 0] = geometry.coordinates as Position;
    const cell = `${Math.floor((cells * (lon - west)) / (east - west))} ${Math.floor((cells * (lat - south)) / (north - south))}`;
    const isFirst = !taken.has(cell);
    taken.add(cell);
    return isFirst;
  });
}

/** Units of a tile's side. */
const EXTENT = 4096;

/** The layers as MVT bytes; empty ones are left out. */
export function encodeTile(
  layers: readonly (readonly [name: string, tile: GeoJSONVTTile | null])[],
): Uint8Array<ArrayBuffer> {
  const filled = layers.flatMap(([name, tile]) => (tile && tile.features.length > 0 ? [[name, tile] as const] : []));
  return Uint8Array.from(fromGeojsonVt(Object.fromEntries(filled), { version: 2, extent: EXTENT }));
}
