/**
 * Vector tiles drawn from the dataset's own base, transportation, buildings and divisions: the same partitions and the same searches
 * as everything else, one circle around each tile.
 * @module
 */

import { geoJSONToTile } from "@maplibre/geojson-vt";
import type * as GeoJSON from "geojson";
import type { CollectionName } from "../../../../data/format/collections.ts";
import type { Dataset } from "../../../engine/index.ts";
import type { Feature } from "../../../engine/query.ts";
import type { TileAddress } from "../protocol.ts";
import { encodeTile, type MakeTile } from "./world-tiles.ts";
import { BUILDINGS_MIN_ZOOM, LOCAL_MAX_ZOOM } from "./zooms.ts";

// A dense city has some 10,000 features in a tile of zoom 14; a tile that holds more shows its middle.
const MAX_FEATURES = 20_000;
const EARTH_CIRCUMFERENCE_METERS = 40_075_017;
const KEPT = new Set(["subtype", "class", "names", "type"]);

/** Makes tiles with one layer for each collection drawn: `land`, `land_use`, `water`, `segment`, `building`. */
export function localTiles(dataset: () => Promise<Dataset>): MakeTile {
  return async (address, signal) => {
    const opened = await dataset();
    const { collections: present } = await opened.manifest(signal);
    const layers: readonly CollectionName[] = [
      ...(["land", "land_use", "water", "segment"] as const),
      ...(address.z >= BUILDINGS_MIN_ZOOM ? (["building"] as const) : []),
    ];
    const collections = layers.filter((name) => present[name]);
    if (collections.length === 0) return new ArrayBuffer(0);
    const circle = circleAround(address);
    const found = await opened.search({ collections, circle, offset: 0, limit: MAX_FEATURES }, { signal });

    const byType = new Map<string, GeoJSON.Feature[]>();
    for (const feature of found.features(KEPT)) {
      const type = String(feature.properties.type);
      const features = byType.get(type) ?? [];
      features.push(drawn(feature));
      byType.set(type, features);
    }
    const { z, x, y } = address;
    return encodeTile(
      [...byType].map(([type, features]) => {
        const tile = geoJSONToTile({ type: "FeatureCollection", features }, z, x, y, {
          maxZoom: LOCAL_MAX_ZOOM,
          clip: true,
        });
        return [type, tile];
      }),
    );
  };
}

/** The circle through the tile's corners. */
function circleAround({ z, x, y }: TileAddress): { lon: number; lat: number; radiusMeters: number } {
  const tiles = 2 ** z;
  const lon = ((x + 0.5) / tiles) * 360 - 180;
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - (2 * (y + 0.5)) / tiles))) * 180) / Math.PI;
  const side = (EARTH_CIRCUMFERENCE_METERS * Math.cos((lat * Math.PI) / 180)) / tiles;
  return { lon, lat, radiusMeters: Math.ceil(side * Math.SQRT1_2) };
}

function drawn({ geometry, properties }: Feature): GeoJSON.Feature {
  const names = properties.names as { primary?: string } | undefined;
  return {
    type: "Feature",
    geometry: geometry as GeoJSON.Geometry,
    properties: {
      subtype: properties.subtype,
      class: properties.class,
      ...(names?.primary && { name: names.primary }),
    },
  };
}
