import { GeoJSONVT } from "@maplibre/geojson-vt";
import type * as GeoJSON from "geojson";
import { createMemo } from "../../../engine/index.ts";
import { encodeTile } from "../../../tiles/index.ts";
import { type TileAddress, WORLD_MAX_ZOOM } from "../protocol/index.ts";
import { type World, worldNames, worldShapes } from "./world.ts";

export type MakeTile = (address: TileAddress, signal: AbortSignal) => Promise<ArrayBuffer>;
/** Loads the shipped world. Returns the same object on each call. */
export type LoadWorld = (signal: AbortSignal) => Promise<World>;
type Layers = readonly (readonly [name: string, layer: GeoJSONVT])[];

/**
 * Returns a function that makes tiles of the shipped world, with the layers `sea`, `land`, `border`, `lake`, `river`, `country`
 * and `town`. It rejects with what `world` rejects with.
 */
export function worldTiles(world: LoadWorld): MakeTile {
  const layers = createMemo<Layers>();
  const shapes = async (signal: AbortSignal) => index(worldShapes(await world(signal)));
  const names = (language: string) => async (signal: AbortSignal) => index(worldNames(await world(signal), language));
  return async ({ z, x, y, language }, signal) => {
    const known = [
      ...(await layers.get("shapes", shapes, signal)),
      ...(await layers.get(`names ${language}`, names(language), signal)),
    ];
    return encodeTile(known.map(([name, layer]) => [name, layer.getTile(z, x, y)])).buffer;
  };
}

function index(collections: Readonly<Record<string, GeoJSON.FeatureCollection>>): Layers {
  return Object.entries(collections).map(
    ([name, features]) => [name, new GeoJSONVT(features, { maxZoom: WORLD_MAX_ZOOM, tolerance: 4 })] as const,
  );
}
