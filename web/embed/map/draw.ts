/**
 * The map inside the element: the page's base map and results, with a separate worker.
 * @module
 */
import {
  addProtocol,
  type FilterSpecification,
  type GeoJSONSource,
  type LayerSpecification,
  Map as MapLibre,
  type MapOptions as MapLibreOptions,
  NavigationControl,
  removeProtocol,
  setWorkerUrl,
} from "maplibre-gl";
import mapLibreCss from "maplibre-gl/dist/maplibre-gl.css?inline";
import mapLibreWorker from "maplibre-gl/dist/maplibre-gl-worker.mjs?raw";
import type { CollectionName } from "../../../data/format/collections.ts";
import type { Feature } from "../../engine/index.ts";
import type { MapCalls, TileAddress } from "../../hosts/browser/protocol/index.ts";
import { circleBounds } from "../../map/circle-shape.ts";
import { openCluster } from "../../map/open-cluster.ts";
import { AREA_SOURCE, CLUSTER_LAYER, OUTLINE_SOURCE, RESULT_LAYERS, RESULT_SOURCE } from "../../map/result-layers.ts";
import { areaShape, boundsOf, NO_FEATURES, NO_RESULTS, resultShapes } from "../../map/shapes.ts";
import { mapStyle } from "../../map/style.ts";

export interface Circle {
  readonly lat: number;
  readonly lon: number;
  readonly radiusMeters: number;
}

export interface MapOptions {
  readonly container: HTMLElement;
  readonly at: Pick<Shown, "circle" | "zoom">;
  readonly tile: (address: TileAddress, signal: AbortSignal) => Promise<ArrayBuffer>;
  readonly collectionTile: (tile: CollectionTile, signal: AbortSignal) => Promise<ArrayBuffer>;
  readonly onCentre: (centre: { readonly lat: number; readonly lon: number }) => void;
  readonly onSelect: (id: string) => void;
}

type CollectionTile = MapCalls["collectionTile"]["argument"];

export interface Shown {
  readonly circle: Circle | undefined;
  readonly zoom: number | undefined;
  readonly tiles: readonly CollectionName[];
}

export interface EmbeddedMap {
  /** Draws the records over tiles, and moves to the zoom, or without one to the circle, or without a circle to the records. */
  show(shown: Shown, features: readonly Feature[]): void;
  remove(): void;
}

/** Pixels around a circle that fills the map. */
const PADDING = 16;
/** Without a circle, the map shows some streets around a single record. */
const RECORDS_ZOOM = 16;
/** Prefix of tile sources and their addresses, before the collection: a table may be called `world`. */
const TILES = "tiles-";
/** From this zoom tiles are complete. */
const TILES_MAX_ZOOM = 14;

function tileLayers(name: string, isDark: boolean): LayerSpecification[] {
  const told = (kind: string, type: string) => ({
    id: `${TILES}${name}-${kind}`,
    source: TILES + name,
    "source-layer": name,
    filter: ["==", ["geometry-type"], type] as FilterSpecification,
  });
  const colour = isDark ? "#9db8d6" : "#3d5a80";
  return [
    { ...told("fill", "Polygon"), type: "fill", paint: { "fill-color": colour, "fill-opacity": 0.25 } },
    { ...told("line", "LineString"), type: "line", paint: { "line-color": colour, "line-width": 1.5 } },
    { ...told("point", "Point"), type: "circle", paint: { "circle-color": colour, "circle-radius": 3 } },
  ];
}

export const mapCss: string = mapLibreCss;

setWorkerUrl(URL.createObjectURL(new Blob([mapLibreWorker], { type: "text/javascript" })));
let maps = 0;

/** Creates the map. Throws where the browser cannot draw one (no WebGL2). */
export function createEmbeddedMap(options: MapOptions): EmbeddedMap {
  const { container, at, tile, collectionTile, onCentre, onSelect } = options;
  maps += 1;
  // Each element has its own dataset, but MapLibre has one list of protocols.
  const protocol = `cairn-map-${maps}`;
  addProtocol(protocol, async ({ url }, { signal }) => {
    const [name = "", z, x, y] = url.slice(`${protocol}://`.length).split("/");
    const id = { z: Number(z), x: Number(x), y: Number(y) };
    if (name.startsWith(TILES)) {
      return { data: await collectionTile({ collection: name.slice(TILES.length), ...id }, signal) };
    }
    const map = name === "world" ? "world" : "local";
    const address = { map, language: navigator.language, ...id } as const;
    return { data: await tile(address, signal) };
  });
  let area = NO_FEATURES;
  let results = NO_RESULTS;
  let tiles: readonly CollectionName[] = [];
  let hasStyle = false;
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  const { language } = navigator;
  const tileUrl = (name: TileAddress["map"]) => `${protocol}://${name}/{z}/{x}/{y}`;
  const style = () => mapStyle({ isDark: isDark.matches, language, tileUrl });
  const map = new MapLibre({
    container,
    style: style(),
    ...startOf(at),
    maxZoom: 20,
    attributionControl: false,
    dragRotate: false,
  });
  map.addControl(new NavigationControl({ showCompass: false }), "top-right");
  // A tile that fails leaves a gap in the base map; the search reports its own errors.
  map.on("error", () => {});
  map.on("click", ({ point, lngLat }) => {
    const layers = [...RESULT_LAYERS, CLUSTER_LAYER].filter((id) => map.getLayer(id));
    const [hit] = map.queryRenderedFeatures(point, { layers });
    const { lng, lat } = lngLat.wrap();
    if (!hit) onCentre({ lon: lng, lat });
    else if (hit.layer.id === CLUSTER_LAYER) void openCluster(map, hit, { onSelect });
    else onSelect(String(hit.properties.record));
  });
  const restyle = () => {
    hasStyle = false;
    map.setStyle(style(), { diff: false });
  };
  isDark.addEventListener("change", restyle);
  const drawTiles = () => {
    const drawn = Object.keys(map.getStyle().sources).flatMap((id) =>
      id.startsWith(TILES) ? [id.slice(TILES.length)] : [],
    );
    for (const name of drawn.filter((each) => !tiles.some((wanted) => wanted === each))) {
      for (const { id } of tileLayers(name, isDark.matches)) map.removeLayer(id);
      map.removeSource(TILES + name);
    }
    const below = map.getStyle().layers.find((layer) => "source" in layer && layer.source === AREA_SOURCE)?.id;
    for (const name of tiles.filter((each) => !drawn.includes(each))) {
      map.addSource(TILES + name, {
        type: "vector",
        tiles: [`${protocol}://${TILES}${name}/{z}/{x}/{y}`],
        maxzoom: TILES_MAX_ZOOM,
      });
      for (const layer of tileLayers(name, isDark.matches)) map.addLayer(layer, below);
    }
  };
  const draw = () => {
    void map.getSource<GeoJSONSource>(AREA_SOURCE)?.setData(area);
    void map.getSource<GeoJSONSource>(RESULT_SOURCE)?.setData(results.points);
    void map.getSource<GeoJSONSource>(OUTLINE_SOURCE)?.setData(results.outlines);
  };
  map.on("style.load", () => {
    hasStyle = true;
    draw();
    drawTiles();
  });

  return {
    show({ circle, zoom, tiles: wanted }, features) {
      tiles = wanted;
      if (hasStyle) drawTiles();
      area = circle ? areaShape({ centre: circle, radiusMeters: circle.radiusMeters }) : NO_FEATURES;
      results = resultShapes(features, { first: 1, write: String });
      draw();
      if (circle && zoom !== undefined) map.jumpTo({ center: [circle.lon, circle.lat], zoom });
      else {
        const bounds = boundsOf({
          search: { centre: circle, radiusMeters: circle?.radiusMeters ?? 0 },
          records: features,
        });
        const most = circle ? {} : { maxZoom: zoom ?? RECORDS_ZOOM };
        if (bounds) map.fitBounds(bounds, { animate: false, padding: PADDING, ...most });
      }
    },
    remove() {
      isDark.removeEventListener("change", restyle);
      map.remove();
      removeProtocol(protocol);
    },
  };
}

/** The circle fills the map unless a zoom is given; without a circle the map shows the world. */
function startOf({
  circle,
  zoom,
}: MapOptions["at"]): Pick<MapLibreOptions, "bounds" | "fitBoundsOptions" | "center" | "zoom"> {
  if (!circle) return { center: [0, 20], zoom: 1 };
  if (zoom !== undefined) return { center: [circle.lon, circle.lat], zoom };
  return { bounds: circleBounds(circle, circle.radiusMeters), fitBoundsOptions: { padding: PADDING } };
}
