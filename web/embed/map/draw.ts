/**
 * The map inside the element: the page's base map and results, with a separate worker.
 * @module
 */

import type * as GeoJSON from "geojson";
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
import type { BBox } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import type { Feature } from "../../engine/index.ts";
import { loadPart } from "../../hosts/browser/parts/index.ts";
import type { MapCalls, TileAddress } from "../../hosts/browser/protocol/index.ts";
import { circleBounds } from "../../map/circle-shape.ts";
import { COUNT_SOURCE, countLayers, countShapes } from "../../map/count-layers.ts";
import { drawImages } from "../../map/map-images.ts";
import { openCluster } from "../../map/open-cluster.ts";
import { palette } from "../../map/palette.ts";
import {
  AREA_SOURCE,
  CLUSTER_LAYER,
  MARK_SOURCE,
  OUTLINE_SOURCE,
  RESULT_LAYERS,
  RESULT_SOURCE,
} from "../../map/result-layers.ts";
import {
  areaShape,
  boundsOf,
  centreShape,
  dotShapes,
  dotsExcept,
  isEverywhere,
  type Located,
  NO_FEATURES,
  NO_RESULTS,
  outlineShapes,
  outlinesExcept,
  recordBounds,
  recordShapes,
  resultShapes,
} from "../../map/shapes.ts";
import { shownBoxOf } from "../../map/shown-box.ts";
import { mapStyle } from "../../map/style.ts";

export interface Circle {
  readonly lat: number;
  readonly lon: number;
  readonly radiusMeters: number;
}

export interface MapOptions {
  readonly container: HTMLElement;
  readonly at: Pick<Shown, "circle" | "zoom">;
  /** Whether the base map has streets. Without them a close view would be empty, so the map stays farther away. */
  readonly hasStreets: boolean;
  /** Whether the base map has the places that were not searched. */
  readonly hasPlaces: boolean;
  readonly tile: (address: TileAddress, signal: AbortSignal) => Promise<ArrayBuffer>;
  readonly collectionTile: (tile: CollectionTile, signal: AbortSignal) => Promise<ArrayBuffer>;
  /** Called with the position of a click on the base map, in degrees. */
  readonly onCentre: (centre: { readonly lat: number; readonly lon: number }) => void;
  /** Called with the id of a record that was clicked. */
  readonly onSelect: (id: string) => void;
  /** Called with the position of a clicked match that is drawn without its record, in degrees. */
  readonly onMatch: (at: { readonly lat: number; readonly lon: number }) => void;
  /** Called with the id of a clicked place of the base map. */
  readonly onPlace: (id: string) => void;
  /** Called when the map stops at another view, with the visible box. */
  readonly onView: (view: BBox) => void;
}

type CollectionTile = MapCalls["collectionTile"]["argument"];

/** What the map shows: the searched circle, and tiles of collections below the results. */
export interface Shown {
  readonly circle: Circle | undefined;
  readonly zoom: number | undefined;
  readonly tiles: readonly CollectionName[];
  /** What is counted. Set if the features are areas with a `count`, not records. */
  readonly counts: string | undefined;
}

export interface EmbeddedMap {
  /** Marks a record and brings it into view. Without a record, removes the mark. */
  mark(feature: Feature | undefined): void;
  /** Draws those matches that are not among the shown records. */
  showMatches(matches: Located | undefined): void;
  /** Returns the visible box. */
  view(): BBox;
  /**
   * Draws the records over the tiles, and removes marks and matches. Moves to the circle's centre if a zoom is given, otherwise
   * to the whole circle; without a circle to the records.
   */
  show(shown: Shown, features: readonly Feature[]): void;
  remove(): void;
}

/** Pixels between the edge of the map and what it shows. */
const PADDING = 16;
const NUMBERING = { first: 1, write: String };
/** Maximum zoom without a circle: a single record is shown with some streets around it. */
const RECORDS_ZOOM = 16;
/** Maximum zoom for a base map without streets, which shows only the outline of the land. */
const OUTLINE_ZOOM = 11;
/** Minimum zoom for a marked record: the streets around it are visible. */
const MARK_ZOOM = 13;
/** Prefix of tile sources and addresses before the name of a collection, because a table may be called `world`. */
const TILES = "tiles-";
/** From this zoom tiles are complete. */
const TILES_MAX_ZOOM = 14;

function tileLayers(name: string, isDark: boolean): LayerSpecification[] {
  const layerOf = (kind: string, type: string) => ({
    id: `${TILES}${name}-${kind}`,
    source: TILES + name,
    "source-layer": name,
    filter: ["==", ["geometry-type"], type] as FilterSpecification,
  });
  const colour = isDark ? "#9db8d6" : "#3d5a80";
  return [
    { ...layerOf("fill", "Polygon"), type: "fill", paint: { "fill-color": colour, "fill-opacity": 0.25 } },
    { ...layerOf("line", "LineString"), type: "line", paint: { "line-color": colour, "line-width": 1.5 } },
    { ...layerOf("point", "Point"), type: "circle", paint: { "circle-color": colour, "circle-radius": 3 } },
  ];
}

export const mapCss: string = mapLibreCss;

setWorkerUrl(URL.createObjectURL(new Blob([mapLibreWorker], { type: "text/javascript" })));
let maps = 0;

/** Creates the map in the container. Throws if the browser cannot draw one (no WebGL2). `remove` frees its memory. */
export function createEmbeddedMap(options: MapOptions): EmbeddedMap {
  const { container, at, hasStreets, hasPlaces, tile, collectionTile, onCentre, onSelect, onMatch, onPlace, onView } =
    options;
  maps += 1;
  // Each element has its own dataset, but MapLibre has one list of protocols.
  const protocol = `cairn-map-${maps}`;
  addProtocol(protocol, async ({ url }, { signal }) => {
    const [name = "", z, x, y] = url.slice(`${protocol}://`.length).split("/");
    const id = { z: Number(z), x: Number(x), y: Number(y) };
    if (name.startsWith(TILES)) {
      return { data: await collectionTile({ collection: name.slice(TILES.length), ...id }, signal) };
    }
    const map = name === "world" || name === "places" ? name : "local";
    const address = { map, language: navigator.language, ...id } as const;
    return { data: await tile(address, signal) };
  });
  let area = NO_FEATURES;
  let results = NO_RESULTS;
  let matches: Located | undefined;
  let marks = NO_FEATURES;
  let shown: readonly Feature[] = [];
  let tiles: readonly CollectionName[] = [];
  let counts: readonly Feature[] = [];
  let hasStyle = false;
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  const { language } = navigator;
  const tileUrl = (name: TileAddress["map"]) => `${protocol}://${name}/{z}/{x}/{y}`;
  const style = () => mapStyle({ isDark: isDark.matches, language, hasPlaces, tileUrl });
  const map = new MapLibre({
    container,
    style: style(),
    ...startOf(at),
    maxZoom: 20,
    attributionControl: false,
    dragRotate: false,
  });
  drawImages(
    map,
    () => palette(isDark.matches),
    async () => (await loadPart(() => import("virtual:shipped-files/maki"))).default,
  );
  map.addControl(new NavigationControl({ showCompass: false }), "top-right");
  // A tile that fails leaves a gap in the base map; the search reports its own errors.
  map.on("error", () => {});
  const openResult = ({ properties }: { readonly properties: Readonly<Record<string, unknown>> }) => {
    const { record, lon, lat } = properties;
    if (record !== undefined) onSelect(String(record));
    else if (typeof lon === "number" && typeof lat === "number") onMatch({ lon, lat });
  };
  map.on("moveend", () => onView(shownBoxOf(map)));
  map.on("click", ({ point, lngLat }) => {
    const layers = [...RESULT_LAYERS, CLUSTER_LAYER, "place"].filter((id) => map.getLayer(id));
    const [hit] = map.queryRenderedFeatures(point, { layers });
    const { lng, lat } = lngLat.wrap();
    if (!hit) onCentre({ lon: lng, lat });
    else if (hit.layer.id === CLUSTER_LAYER) void openCluster(map, hit, { onOpen: openResult });
    else if (hit.layer.id === "place") onPlace(String(hit.properties.id));
    else openResult(hit);
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
  const drawCounts = () => {
    for (const { id } of map.getStyle().layers) if (id.startsWith(COUNT_SOURCE)) map.removeLayer(id);
    if (map.getSource(COUNT_SOURCE)) map.removeSource(COUNT_SOURCE);
    if (counts.length === 0) return;
    map.addSource(COUNT_SOURCE, { type: "geojson", data: countShapes(counts, language) });
    for (const layer of countLayers(counts, palette(isDark.matches))) map.addLayer(layer);
  };
  const draw = () => {
    void map.getSource<GeoJSONSource>(AREA_SOURCE)?.setData(area);
    void map.getSource<GeoJSONSource>(MARK_SOURCE)?.setData(marks);
    const others = matches ? dotShapes(dotsExcept(matches, shown), 0).features : [];
    const outlines = matches ? outlineShapes(outlinesExcept(matches, shown), 0).features : [];
    void map.getSource<GeoJSONSource>(RESULT_SOURCE)?.setData(joined(results.points, others));
    void map.getSource<GeoJSONSource>(OUTLINE_SOURCE)?.setData(joined(results.outlines, outlines));
  };
  map.on("style.load", () => {
    hasStyle = true;
    draw();
    drawTiles();
    drawCounts();
  });

  return {
    showMatches(of) {
      matches = of;
      results = resultShapes(shown, { ...NUMBERING, isCounted: of?.rows !== undefined });
      draw();
    },
    view: () => shownBoxOf(map),
    show({ circle, zoom, tiles: wanted, counts: by }, features) {
      tiles = wanted;
      counts = by === undefined ? [] : features;
      if (hasStyle) {
        drawTiles();
        drawCounts();
      }
      const search = { centre: circle, radiusMeters: circle?.radiusMeters ?? 0 };
      const isOrdered = circle !== undefined && isEverywhere(circle.radiusMeters);
      area = isOrdered ? centreShape(circle) : areaShape(search);
      matches = undefined;
      results = by === undefined ? resultShapes(features, NUMBERING) : NO_RESULTS;
      marks = NO_FEATURES;
      shown = by === undefined ? features : [];
      draw();
      if (circle && zoom !== undefined) map.jumpTo({ center: [circle.lon, circle.lat], zoom });
      else {
        const bounds = boundsOf({ search, records: features });
        const most = circle && !isOrdered ? {} : { maxZoom: zoom ?? (hasStreets ? RECORDS_ZOOM : OUTLINE_ZOOM) };
        if (bounds) map.fitBounds(bounds, { animate: false, padding: PADDING, ...most });
      }
    },
    mark(feature) {
      const number = feature ? shown.findIndex(({ id }) => id === feature.id) + 1 : 0;
      const shapes = feature ? recordShapes(feature, { number, label: number === 0 ? "" : String(number) }) : [];
      marks = { type: "FeatureCollection", features: shapes };
      void map.getSource<GeoJSONSource>(MARK_SOURCE)?.setData(marks);
      const bounds = feature && recordBounds(feature);
      if (!bounds) return;
      const animate = !matchMedia("(prefers-reduced-motion: reduce)").matches;
      const [west, south, east, north] = bounds;
      const center: [number, number] = [(west + east) / 2, (south + north) / 2];
      map.easeTo({ center, zoom: Math.max(map.getZoom(), hasStreets ? MARK_ZOOM : OUTLINE_ZOOM), animate });
    },
    remove() {
      isDark.removeEventListener("change", restyle);
      map.remove();
      removeProtocol(protocol);
    },
  };
}

function joined({ features }: GeoJSON.FeatureCollection, more: readonly GeoJSON.Feature[]): GeoJSON.FeatureCollection {
  return { type: "FeatureCollection", features: [...features, ...more] };
}

/** Returns the first view: the circle fills the map unless a zoom is given. Without a circle it is the world. */
function startOf({
  circle,
  zoom,
}: MapOptions["at"]): Pick<MapLibreOptions, "bounds" | "fitBoundsOptions" | "center" | "zoom"> {
  if (!circle) return { center: [0, 20], zoom: 1 };
  if (isEverywhere(circle.radiusMeters)) return { center: [circle.lon, circle.lat], zoom: zoom ?? MARK_ZOOM };
  if (zoom !== undefined) return { center: [circle.lon, circle.lat], zoom };
  return { bounds: circleBounds(circle, circle.radiusMeters), fitBoundsOptions: { padding: PADDING } };
}
