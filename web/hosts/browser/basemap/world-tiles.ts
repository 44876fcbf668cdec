/**
 * Vector tiles of the shipped world.
 * @module
 */
import { GeoJSONVT, type GeoJSONVTTile } from "@maplibre/geojson-vt";
import { fromGeojsonVt } from "@maplibre/vt-pbf";
import type { TileAddress } from "../protocol.ts";
import { type World, worldFeatures } from "./world.ts";
import { WORLD_MAX_ZOOM } from "./zooms.ts";

export type MakeTile = (address: TileAddress, signal: AbortSignal) => Promise<ArrayBuffer>;

/** Makes tiles with the layers `land`, `country` and `town`. */
export function worldTiles(loadWorld: () => Promise<World>, language: string): MakeTile {
  let layers: Promise<readonly (readonly [string, GeoJSONVT])[]> | undefined;
  const index = async () =>
    Object.entries(worldFeatures(await loadWorld(), language)).map(
      ([name, features]) => [name, new GeoJSONVT(features, { maxZoom: WORLD_MAX_ZOOM, tolerance: 4 })] as const,
    );
  return async ({ z, x, y }) => {
    layers ??= index();
    const known = await layers.catch((error: unknown) => {
      layers = undefined;
      throw error;
    });
    return encodeTile(known.map(([name, layer]) => [name, layer.getTile(z, x, y)]));
  };
}

/** The layers as MVT bytes; empty ones are left out. */
export function encodeTile(layers: readonly (readonly [name: string, tile: GeoJSONVTTile | null])[]): ArrayBuffer {
  const filled = layers.flatMap(([name, tile]) => (tile && tile.features.length > 0 ? [[name, tile] as const] : []));
  const bytes = fromGeojsonVt(Object.fromEntries(filled), { version: 2, extent: 4096 });
  return Uint8Array.from(bytes).buffer;
}
