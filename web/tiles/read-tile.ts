/**
 * Vector tiles of the collections of a dataset.
 * @module
 */
import { type GeoJSONVTTile, geoJSONToTile } from "@maplibre/geojson-vt";
import { fromGeojsonVt } from "@maplibre/vt-pbf";
import type { Position } from "geojson";
import type { BBox } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { globeBBox, type TileId, tileBBox } from "../../data/format/tile-id.ts";
import type { Dataset } from "../engine/index.ts";
import { type Detail, detailOf, EXACT_ZOOM } from "./detail.ts";
import { READ, type TileFeature, tileFeature } from "./tile-feature.ts";

/** Margin around the tile in its units, so that cut edges are outside the visible area. */
const BUFFER = 64;

interface TileQuery extends TileId {
  /** Collections, each of which becomes a layer of the same name. */
  readonly layers: readonly CollectionName[];
  /** Maximum bytes to read. Default: by zoom. */
  readonly maxReadBytes?: number | undefined;
}

export interface Tile {
  /** The tile as MVT (Mapbox Vector Tile); no bytes if it has no features. */
  readonly data: Uint8Array<ArrayBuffer>;
  /** Number of features that meet the tile, or may, and are not in it. */
  readonly leftOut: number;
  readonly release: string | undefined;
}

/** Minimum share of the features to try. If even this share is too large, the tile becomes empty. */
const LEAST_SHARE = 0.001;

type Layer = readonly [name: CollectionName, features: readonly TileFeature[]];

/**
 * Returns the tile. From zoom 14 on it has every feature that meets it, unless `maxReadBytes` is given. Below, it has as many as
 * the limits allow: the most important of the read ones. Throws like `Dataset.inBox`.
 */
export async function readTile(
  dataset: Dataset,
  { layers, maxReadBytes, ...tile }: TileQuery,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Tile> {
  const detail = detailOf(tile);
  const bbox = globeBBox(tile, BUFFER / EXTENT);
  const maxBytes = (maxReadBytes ?? detail.maxReadBytes) / layers.length;
  let leftOut = 0;
  let release: string | undefined;
  const read = await Promise.all(
    layers.map(async (collection): Promise<Layer> => {
      const found = await dataset.inBox({ collection, bbox, maxBytes, leastSize: detail.leastSize }, { signal });
      const all = Array.from(found.features(READ), (feature) => tileFeature(collection, feature)).sort(byImportance);
      const drawn = thinned(all, tileBBox(tile), detail.cells);
      leftOut += found.leftOut + all.length - drawn.length;
      release = found.release;
      return [collection, drawn];
    }),
  );
  const fitted = cutToFit(read, tile, detail);
  return { data: fitted.data, leftOut: leftOut + fitted.leftOut, release };
}

/** Most important first; ties by id, so that a tile is the same on every host. */
function byImportance({ properties: a }: TileFeature, { properties: b }: TileFeature): number {
  return b.importance - a.importance || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Returns the tile with as many of the most important features as fit into its maximum size. */
function cutToFit(
  layers: readonly Layer[],
  tile: TileId,
  { maxTileBytes }: Detail,
): { readonly data: Uint8Array<ArrayBuffer>; readonly leftOut: number } {
  for (let share = 1; ; ) {
    const tiles = layers.map(([name, features]) => {
      return [name, tileOf(features.slice(0, Math.floor(share * features.length)), tile)] as const;
    });
    const data = encodeTile(tiles);
    if (data.length <= maxTileBytes || share === 0) {
      const given = layers.reduce((sum, [, features]) => sum + features.length, 0);
      const drawn = tiles.reduce((sum, [, tile]) => sum + distinct(tile), 0);
      // at exact zooms undrawn features only have a bbox that meets the tile
      return { data, leftOut: tile.z < EXACT_ZOOM ? given - drawn : 0 };
    }
    share = share < LEAST_SHARE ? 0 : share * Math.min(0.9, (0.95 * maxTileBytes) / data.length);
  }
}

/** Returns the number of features of the layer. One across the antimeridian may be in it twice. */
function distinct(tile: GeoJSONVTTile | null): number {
  return new Set(tile?.features.map(({ tags }) => tags?.id)).size;
}

function tileOf(features: readonly TileFeature[], { z, x, y }: TileId): GeoJSONVTTile | null {
  return geoJSONToTile({ type: "FeatureCollection", features: [...features] }, z, x, y, {
    clip: true,
    buffer: BUFFER,
    extent: EXTENT,
    // the library does not simplify the highest zoom
    maxZoom: Math.max(z, EXACT_ZOOM),
    // features across the antimeridian are visible on both sides
    wrap: x === 0 || x === 2 ** z - 1,
  });
}

/** Returns the features without points that share a cell with a point before them. */
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

/** Returns the layers as MVT. Layers without features are left out. Without any feature, returns no bytes. */
export function encodeTile(
  layers: readonly (readonly [name: string, tile: GeoJSONVTTile | null])[],
): Uint8Array<ArrayBuffer> {
  const filled = layers.flatMap(([name, tile]) => (tile && tile.features.length > 0 ? [[name, tile] as const] : []));
  return Uint8Array.from(fromGeojsonVt(Object.fromEntries(filled), { version: 2, extent: EXTENT }));
}
