/**
 * The map's style: sources of our own alone, and no font but the system's.
 * @module
 */
import type { StyleSpecification } from "maplibre-gl";
import { LOCAL_MAX_ZOOM, LOCAL_MIN_ZOOM, type TileAddress, WORLD_MAX_ZOOM } from "../hosts/browser/protocol/index.ts";
import { LOCAL_SOURCE, WORLD_SOURCE } from "./expressions.ts";
import { groundLayers } from "./ground-layers.ts";
import { labelLayers } from "./label-layers.ts";
import { type Palette, palette } from "./palette.ts";
import { resultLayers, resultSources } from "./result-layers.ts";

export interface StyleOptions {
  readonly isDark: boolean;
  /** Whether the ground is of greys, so that what was searched stands out. */
  readonly isMuted?: boolean;
  /** Of names and numbers, BCP 47. */
  readonly language: string;
  /** Template of the addresses of a map's tiles. */
  readonly tileUrl: (map: TileAddress["map"]) => string;
  /** Drawn between the ground and what was searched. */
  readonly overlays?: (colour: Palette) => Pick<StyleSpecification, "sources" | "layers">;
}

/** The style, with nothing searched yet. */
export function mapStyle({ isDark, isMuted, language, tileUrl, overlays }: StyleOptions): StyleSpecification {
  const colour = palette(isDark, isMuted);
  const { sources = {}, layers = [] } = overlays?.(colour) ?? {};
  return {
    version: 8,
    sources: {
      [WORLD_SOURCE]: { type: "vector", tiles: [tileUrl("world")], maxzoom: WORLD_MAX_ZOOM },
      [LOCAL_SOURCE]: { type: "vector", tiles: [tileUrl("local")], minzoom: LOCAL_MIN_ZOOM, maxzoom: LOCAL_MAX_ZOOM },
      ...sources,
      ...resultSources(),
    },
    layers: [...groundLayers(colour), ...labelLayers(colour), ...layers, ...resultLayers(colour, language)],
  };
}
