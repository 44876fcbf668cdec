/**
 * The map inside the element: the page's own ground and results, over a worker of its own.
 * @module
 */
import {
  addProtocol,
  type GeoJSONSource,
  Map as MapLibre,
  NavigationControl,
  removeProtocol,
  setWorkerUrl,
} from "maplibre-gl";
import mapWorker from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import type { Feature } from "../../engine/index.ts";
import type { TileAddress } from "../../hosts/browser/protocol/index.ts";
import { circleBounds } from "../../map/circle-shape.ts";
import { openCluster } from "../../map/open-cluster.ts";
import { AREA_SOURCE, CLUSTER_LAYER, OUTLINE_SOURCE, RESULT_LAYERS, RESULT_SOURCE } from "../../map/result-layers.ts";
import { areaShape, NO_FEATURES, NO_RESULTS, resultShapes } from "../../map/shapes.ts";
import { mapStyle } from "../../map/style.ts";
import { workerAddress } from "./worker.ts";

export interface Circle {
  readonly lat: number;
  readonly lon: number;
  readonly radiusMeters: number;
}

export interface MapOptions {
  readonly container: HTMLElement;
  readonly tile: (address: TileAddress, signal: AbortSignal) => Promise<ArrayBuffer>;
  readonly onCentre: (centre: { readonly lat: number; readonly lon: number }) => void;
  readonly onSelect: (id: string) => void;
}

export interface EmbeddedMap {
  /** Draws what was found, and moves there: to the zoom if one is given, else to the circle. */
  show(circle: Circle | undefined, features: readonly Feature[], zoom: number | undefined): void;
  remove(): void;
}

setWorkerUrl(workerAddress(mapWorker));
let maps = 0;

/** Throws where the browser cannot draw a map (no WebGL2). */
export function createEmbeddedMap({ container, tile, onCentre, onSelect }: MapOptions): EmbeddedMap {
  maps += 1;
  // Each element has a dataset of its own, and MapLibre one list of protocols.
  const protocol = `cairn-map-${maps}`;
  addProtocol(protocol, async ({ url }, { signal }) => {
    const [name, z, x, y] = url.slice(`${protocol}://`.length).split("/");
    const map = name === "world" ? "world" : "local";
    const address = { map, language: navigator.language, z: Number(z), x: Number(x), y: Number(y) } as const;
    return { data: await tile(address, signal) };
  });
  let area = NO_FEATURES;
  let results = NO_RESULTS;
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  const { language } = navigator;
  const tileUrl = (name: TileAddress["map"]) => `${protocol}://${name}/{z}/{x}/{y}`;
  const style = () => mapStyle({ isDark: isDark.matches, language, tileUrl });
  const map = new MapLibre({
    container,
    style: style(),
    center: [0, 20],
    zoom: 1,
    maxZoom: 20,
    attributionControl: false,
    dragRotate: false,
  });
  map.addControl(new NavigationControl({ showCompass: false }), "top-right");
  // Tiles that cannot be had leave the ground bare; the search says for itself what went wrong.
  map.on("error", () => {});
  map.on("click", ({ point, lngLat }) => {
    const layers = [...RESULT_LAYERS, CLUSTER_LAYER].filter((id) => map.getLayer(id));
    const [hit] = map.queryRenderedFeatures(point, { layers });
    const { lng, lat } = lngLat.wrap();
    if (!hit) onCentre({ lon: lng, lat });
    else if (hit.layer.id === CLUSTER_LAYER) void openCluster(map, hit, { onSelect });
    else onSelect(String(hit.properties.record));
  });
  const restyle = () => map.setStyle(style(), { diff: false });
  isDark.addEventListener("change", restyle);
  const draw = () => {
    void map.getSource<GeoJSONSource>(AREA_SOURCE)?.setData(area);
    void map.getSource<GeoJSONSource>(RESULT_SOURCE)?.setData(results.points);
    void map.getSource<GeoJSONSource>(OUTLINE_SOURCE)?.setData(results.outlines);
  };
  map.on("style.load", draw);

  return {
    show(circle, features, zoom) {
      area = circle ? areaShape({ centre: circle, radiusMeters: circle.radiusMeters }) : NO_FEATURES;
      results = resultShapes(features, { first: 1, write: String });
      draw();
      if (!circle) return;
      if (zoom === undefined) map.fitBounds(circleBounds(circle, circle.radiusMeters), { animate: false, padding: 16 });
      else map.jumpTo({ center: [circle.lon, circle.lat], zoom });
    },
    remove() {
      isDark.removeEventListener("change", restyle);
      map.remove();
      removeProtocol(protocol);
    },
  };
}
