import type { GeoJSONVTTile } from "@maplibre/geojson-vt";
import { fromGeojsonVt } from "@maplibre/vt-pbf";

/** Units of a tile's side. */
export const EXTENT = 4096;

/** The layers as MVT bytes; empty ones are left out. */
export function encodeTile(
  layers: readonly (readonly [name: string, tile: GeoJSONVTTile | null])[],
): Uint8Array<ArrayBuffer> {
  const filled = layers.flatMap(([name, tile]) => (tile && tile.features.length > 0 ? [[name, tile] as const] : []));
  return Uint8Array.from(fromGeojsonVt(Object.fromEntries(filled), { version: 2, extent: EXTENT }));
}
